// What the operator lets an organization spend and own. A tenant cannot raise it.
import type { Tx } from '@parlance/persistence';

export interface OperatorLimits {
  /** Null where nothing is limited. */
  readonly dayMicros: number | null;
  readonly monthMicros: number | null;
  readonly numbers: number | null;
  readonly concurrentCalls: number | null;
  readonly countries: readonly string[] | null;
}

const usual: OperatorLimits = {
  dayMicros: 100_000_000,
  monthMicros: 1_000_000_000,
  numbers: 25,
  concurrentCalls: 100,
  countries: null,
};

/** The limits in force. */
export const operatorLimitsOf = async (_tx: Tx, _organizationId: string): Promise<OperatorLimits> => usual;
