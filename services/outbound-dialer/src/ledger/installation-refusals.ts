// Refusals for want of room within a limit of the installation, as a metric.
import { counter, installationRefusals } from '@parlance/metrics';
import type { InstallationLimits } from '../limits/limits-env.js';

export type InstallationLimitName = keyof InstallationLimits;

/** The limits as metrics name them. */
export const limitLabels = {
  dayMicros: 'money_day',
  monthMicros: 'money_month',
  concurrentCalls: 'calls',
  numbers: 'numbers',
} as const satisfies Readonly<Record<InstallationLimitName, string>>;

const refusals = counter(installationRefusals);

export const countRefusal = (limit: InstallationLimitName): void =>
  refusals.add({ 'parlance.limit': limitLabels[limit] });

/** Begins the series at 0: Prometheus sees no increase in the first value of a series. */
export const beginRefusals = (): void => {
  for (const label of Object.values(limitLabels)) refusals.add({ 'parlance.limit': label }, 0);
};
