import type { Logger } from '@parlance/observability';
import type { Tx } from '@parlance/postgres';
import type { JobQueue, Leased } from './job-queue.js';

export interface Work<Job extends object> {
  readonly db: Tx;
  readonly queue: Pick<JobQueue<Job>, 'name' | 'lease' | 'release' | 'retry'>;
  /** Jobs that one statement leases. */
  readonly atOnce: number;
  /** Jobs under way at the same time (`atOnce`). */
  readonly abreast?: number;
  /** Does the job, and removes or changes it. A job whose attempt fails is logged, and is due again after a pause. */
  readonly perform: (job: Leased<Job>) => Promise<unknown>;
  /** What the log says about a job whose attempt failed. */
  readonly describe?: (job: Job) => Readonly<Record<string, unknown>>;
  /** All jobs need the same thing, which may be away: a batch of which none succeeds ends the iteration. */
  readonly needsTheSame?: boolean;
  readonly logger: Pick<Logger, 'warn'>;
}

export interface Iteration {
  readonly leased: number;
  readonly succeeded: number;
}

const attempt = async <Job extends object>(work: Work<Job>, job: Leased<Job>): Promise<boolean> => {
  const { db, queue, perform, describe, logger } = work;
  try {
    await perform(job);
    return true;
  } catch (err) {
    logger.warn({ err, queue: queue.name, ...describe?.(job) }, 'job deferred');
    await queue.retry(db, job);
    return false;
  }
};

const runBatch = async <Job extends object>(
  work: Work<Job>,
  jobs: readonly Leased<Job>[],
  stopping: AbortSignal,
): Promise<number> => {
  const { db, queue, atOnce, abreast = atOnce } = work;
  const waiting = jobs.values();
  let succeeded = 0;
  const worker = async (): Promise<void> => {
    for (const job of waiting)
      if (stopping.aborted) await queue.release(db, job);
      else if (await attempt(work, job)) succeeded += 1;
  };
  const ends = await Promise.allSettled(Array.from({ length: abreast }, worker));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return succeeded;
};

/**
 * Does all jobs that are due. A shutdown finishes the jobs that have begun, and releases the others for another replica.
 * @throws the error of the database
 */
export const runDue = async <Job extends object>(
  work: Work<Job>,
  stopping: AbortSignal = new AbortController().signal,
): Promise<Iteration> => {
  const { db, queue, atOnce, needsTheSame = false } = work;
  let leased = 0;
  let succeeded = 0;
  while (!stopping.aborted) {
    const jobs = await queue.lease(db, atOnce);
    const done = await runBatch(work, jobs, stopping);
    leased += jobs.length;
    succeeded += done;
    if (jobs.length < atOnce || (needsTheSame && done === 0)) break;
  }
  return { leased, succeeded };
};
