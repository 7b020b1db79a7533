// Forgets settled and old messages: their targets and the results of their tries. The row stays, because the call log
// reads from it whether the messages of a call were delivered.
import { type Clock, type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { Database } from '@parlance/postgres';

const keptDays = 30;
const dayMs = 24 * 60 * 60 * 1_000;
const sweepEveryMs = 10 * 60 * 1_000;
const rowsAtOnce = 1_000;

/** Forgets some that are too old; true when none is left. */
export const forgetDeliveries = async (db: Database, now: Date): Promise<boolean> => {
  const { rowCount } = await db.query({
    name: 'webhook-deliveries-forget',
    text: `update webhook_deliveries set forgotten = true, attempts = '[]', target = null where id = any(array(
             select id from webhook_deliveries
             where created_at < $1 and not forgotten and status in ('delivered', 'dead')
             order by created_at limit ${rowsAtOnce} for update skip locked))`,
    values: [new Date(now.getTime() - keptDays * dayMs)],
  });
  return rowCount < rowsAtOnce;
};

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
    round: async (stopping) => {
      while (!stopping.aborted && !(await forgetDeliveries(options.db, options.clock.now())));
    },
  });
