// Erases the calls that are due. Any number of replicas may do so.
import { withLag } from '@parlance/jobs';
import { type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import type { CallEraser } from './erase-calls.js';
import { erasureJobs, settleErasure } from './erasure-queue.js';

export interface RunnerOptions {
  readonly db: Database;
  readonly eraser: Pick<CallEraser, 'erase' | 'eraseAgain'>;
  readonly logger: Logger;
}

const callsAtOnce = 50;
const everyMs = 2_000;

/** @returns the number of calls that were leased */
export const runDueErasures = async ({ db, eraser }: RunnerOptions): Promise<number> => {
  const jobs = await erasureJobs.lease(db, callsAtOnce);
  if (jobs.length === 0) return 0;
  await eraser.erase(jobs.filter(({ isErased }) => !isErased));
  await eraser.eraseAgain(jobs.filter(({ isErased }) => isErased));
  await Promise.all(jobs.map((job) => settleErasure(db, job)));
  return jobs.length;
};

/** Starts at once. */
export const startErasures = (options: RunnerOptions): RunningPart =>
  withLag(
    startRounds({
      name: 'erasure of calls',
      everyMs,
      activity: options.db.activity,
      logger: options.logger,
      round: async (stopping) => {
        while (!stopping.aborted && (await runDueErasures(options)) === callsAtOnce);
      },
    }),
    options.db,
    erasureJobs,
  );
