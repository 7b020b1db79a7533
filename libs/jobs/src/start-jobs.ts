import { jobsLag, observe } from '@parlance/metrics';
import { type Logger, type RoundsOptions, type RunningPart, startRounds } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import type { JobQueue } from './job-queue.js';
import { type Iteration, runDue, type Work } from './run-due.js';

/** A part that works on a queue, with a gauge of the queue's lag until the part is stopped. */
export const withLag = (
  part: RunningPart,
  db: Pick<Database, 'atOnce'>,
  queue: Pick<JobQueue<object>, 'name' | 'lagSeconds'>,
): RunningPart => {
  const end = observe(jobsLag, async () => [
    [await queue.lagSeconds(db.atOnce), { 'parlance.job.queue': queue.name }],
  ]);
  return {
    ...part,
    stop: async () => {
      await part.stop();
      end();
    },
  };
};

export interface JobsOptions<Job extends object>
  extends Omit<Work<Job>, 'db' | 'queue'>,
    Pick<RoundsOptions, 'name' | 'everyMs'> {
  readonly db: Database;
  readonly queue: JobQueue<Job>;
  readonly logger: Logger;
  /** Runs after each iteration. */
  readonly afterwards?: (iteration: Iteration) => unknown;
}

/** Does the due jobs of a queue until it is stopped. Starts at once. */
export const startJobs = <Job extends object>({
  name,
  everyMs,
  afterwards,
  ...work
}: JobsOptions<Job>): RunningPart => {
  const rounds = startRounds({
    name,
    everyMs,
    activity: work.db.activity,
    logger: work.logger,
    round: async (stopping) => {
      const iteration = await runDue(work, stopping);
      await afterwards?.(iteration);
    },
  });
  return withLag(rounds, work.db, work.queue);
};
