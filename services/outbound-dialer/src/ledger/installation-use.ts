// What all organizations together use of the limits of the installation, for operators: metrics, the doctor and the command line.
import type { Tx } from '@parlance/postgres';
import { utcDayOf } from '../rules/calendar.js';
import type { Total } from './envelope.js';
import type { InstallationLimitName } from './installation-refusals.js';
import { installationUse } from './operator-spend.js';
import { numbersBought } from './paid-numbers.js';

/** In the units of the limits. Reservations count as used. */
export type InstallationUsed = Readonly<Record<InstallationLimitName, number>>;

const sumOf = ({ spentMicros, reservedMicros }: Total): number => spentMicros + reservedMicros;

export const installationUsed = async (tx: Tx, now: Date): Promise<InstallationUsed> => {
  const { calls, day, month } = await installationUse(tx, utcDayOf(now));
  return {
    dayMicros: sumOf(day),
    monthMicros: sumOf(month),
    concurrentCalls: calls,
    numbers: await numbersBought(tx),
  };
};
