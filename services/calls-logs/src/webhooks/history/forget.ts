// Forgets settled and old messages: their targets and the results of their tries. The row stays, because the call log
// reads from it whether the messages of a call were delivered.
import { type Clock, type Logger, type RunningPart, startRounds } from '@parlance/observability';
import { type Database, updateInPieces } from '@parlance/postgres';

const keptDays = 30;
const dayMs = 24 * 60 * 60 * 1_000;
const sweepEveryMs = 10 * 60 * 1_000;

/** @returns the number of deliveries that were forgotten */
export const forgetDeliveries = (db: Database, now: Date): Promise<number> =>
  updateInPieces(db, {
    table: 'webhook_deliveries',
    set: `forgotten = true, attempts = '[]', target = null`,
    where: `created_at < $1 and not forgotten and status in ('delivered', 'dead')`,
    values: [new Date(now.getTime() - keptDays * dayMs)],
  });

/** Starts at once. */
export const startForgettingDeliveries = (options: {
  readonly db: Database;
  readonly logger: Logger;
  readonly clock: Clock;
}): RunningPart =>
  startRounds({
    name: 'forgetting of webhook deliveries',
    everyMs: sweepEveryMs,
    logger: options.logger,
    round: () => forgetDeliveries(options.db, options.clock.now()),
  });
