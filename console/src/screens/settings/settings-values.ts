// The settings as a form shows them, and as they travel.
import type { Settings } from '@parlance/client';

export interface SettingsValues {
  readonly timezone: string;
  readonly maxConcurrentCalls: number;
  readonly inboundReserve: number;
  readonly dailyAttemptsPerNumber: number | null;
  readonly quickCallBudget: { readonly maxCostMicros: number | null };
  readonly callRetentionDays: number | null;
  readonly allowedCountries: readonly string[];
  readonly namedTimezones: NonNullable<Settings['namedTimezones']>;
  readonly hasHours: boolean;
  readonly callingWindow: NonNullable<Settings['callingWindow']>;
}

/** Offered to somebody who begins to limit the hours. */
const officeHours: SettingsValues['callingWindow'] = {
  ...{ days: [0, 1, 2, 3, 4], start: '09:00', end: '18:00' },
  basis: 'recipient',
};

export const valuesOf = (settings: Settings): SettingsValues => ({
  timezone: settings.timezone,
  maxConcurrentCalls: settings.maxConcurrentCalls,
  inboundReserve: settings.inboundReserve,
  dailyAttemptsPerNumber: settings.dailyAttemptsPerNumber,
  quickCallBudget: { maxCostMicros: settings.quickCallBudget?.maxCostMicros ?? null },
  callRetentionDays: settings.callRetentionDays ?? null,
  allowedCountries: settings.allowedCountries,
  namedTimezones: settings.namedTimezones ?? 'narrow',
  hasHours: settings.callingWindow !== null,
  callingWindow: settings.callingWindow ?? officeHours,
});

export const bodyOf = ({ hasHours, ...values }: SettingsValues) => ({
  ...values,
  quickCallBudget: values.quickCallBudget.maxCostMicros === null ? null : values.quickCallBudget,
  allowedCountries:
    values.allowedCountries.length === 0 ? null : values.allowedCountries.map((code) => code.toUpperCase()),
  callingWindow: hasHours ? values.callingWindow : null,
});
