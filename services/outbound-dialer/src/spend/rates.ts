// What a call costs: the price of a started minute by destination.
import type { Tx } from '@parlance/persistence';

export interface RateTable {
  /** ISO 4217. */
  readonly currency: string;
  /** A destination without a rate costs the highest of the table. */
  microsPerStartedMinute(e164: string): number;
}

/** Of no destination in particular: what a minute to an ordinary telephone costs at most. */
const flatMicros = 500_000;

/** The table in force. */
export const currentRates = async (_db: Tx): Promise<RateTable> => ({
  currency: 'USD',
  microsPerStartedMinute: () => flatMicros,
});
