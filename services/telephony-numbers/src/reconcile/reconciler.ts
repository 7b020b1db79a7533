// Goes on with purchases and releases that no process works on. A dead process left them behind, or they are in doubt,
// or they wait for a provider. Runs on start and then all the time, in every copy.
import { type Clock, type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import type { NumberRow } from '../numbers/number-record.js';
import { claimantOf, claimUnfinished } from '../purchase/claims.js';
import type { Purchases } from '../purchase/purchases.js';
import type { Releases } from '../release/releases.js';

export interface ReconcilerParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly holder: string;
  readonly claimMs: number;
  readonly purchases: Pick<Purchases, 'resume'>;
  readonly releases: Pick<Releases, 'resume'>;
}

const everyMs = 1_000;
const atOnce = 8;

/** One number that cannot be settled now must not keep the others from it. */
const resume = async ({ purchases, releases, logger }: ReconcilerParts, row: NumberRow): Promise<void> => {
  try {
    await (row.status === 'provisioning' ? purchases.resume(row) : releases.resume(row));
  } catch (err) {
    logger.warn({ err, numberId: row.id, status: row.status }, 'a number has to wait');
  }
};

export const startReconciler = (parts: ReconcilerParts): RunningPart => {
  const { db, logger } = parts;
  return startRounds({
    name: 'number reconciler',
    everyMs,
    activity: db.activity,
    logger,
    round: async (stopping) => {
      let claimed: NumberRow[];
      do {
        claimed = await claimUnfinished(db, claimantOf(parts), atOnce);
        await Promise.all(claimed.map((row) => resume(parts, row)));
      } while (claimed.length === atOnce && !stopping.aborted);
    },
  });
};
