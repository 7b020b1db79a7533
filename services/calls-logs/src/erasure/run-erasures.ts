// Erases the calls that are due. Any number of replicas may do so.
import { type Clock, type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import type { CallEraser } from './erase-calls.js';
import { leaseErasures, settleErasures } from './erasure-queue.js';

export interface RunnerOptions {
  readonly db: Database;
  readonly eraser: Pick<CallEraser, 'erase' | 'eraseAgain'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const callsAtOnce = 50;
const everyMs = 2_000;

/** @returns the number of calls that were leased */
export const runDueErasures = async ({ db, eraser, clock }: RunnerOptions): Promise<number> => {
  const jobs = await leaseErasures(db, clock.now(), callsAtOnce);
  if (jobs.length === 0) return 0;
  await eraser.erase(jobs.filter(({ isErased }) => !isErased));
  await eraser.eraseAgain(jobs.filter(({ isErased }) => isErased));
  await settleErasures(db, jobs, clock.now());
  return jobs.length;
};

/** Starts at once. */
export const startErasures = (options: RunnerOptions): RunningPart =>
  startRounds({
    name: 'erasure of calls',
    everyMs,
    logger: options.logger,
    round: async (stopping) => {
      while (!stopping.aborted && (await runDueErasures(options)) === callsAtOnce);
    },
  });
