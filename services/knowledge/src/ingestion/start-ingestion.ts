// The background work of ingestion: workers that take jobs, and the rounds that begin refreshes and delete leftovers.
import { withLag } from '@parlance/jobs';
import { type RunningPart, startRounds } from '@parlance/observability';
import { idleMs, JobRequests } from './job-requests.js';
import { deleteSome } from './leftovers.js';
import { beginRefreshes, beginRereads, forgetTurns, sourceJobs } from './queue.js';
import { Worker, type WorkerParts } from './worker.js';

export interface IngestionOptions extends WorkerParts {
  /** Jobs at the same time in this process. */
  readonly jobsAtOnce: number;
}

const leftoversEveryMs = 1_000;
const refreshesEveryMs = 5_000;

const startWorker = (parts: IngestionOptions, jobs: JobRequests, number: number): RunningPart =>
  startRounds({
    name: `reading of knowledge sources ${number}`,
    everyMs: idleMs,
    activity: parts.db.activity,
    againAfterMs: 1_000,
    logger: parts.logger,
    round: async (stopping) => {
      while (!stopping.aborted) {
        const job = await jobs.next(stopping);
        if (job === undefined) return;
        await new Worker(parts, job, stopping).run();
      }
    },
  });

const startRefreshing = ({ db, logger }: IngestionOptions): RunningPart =>
  startRounds({
    name: 'refreshing of knowledge sources',
    everyMs: refreshesEveryMs,
    activity: db.activity,
    logger,
    round: async () => {
      await beginRefreshes(db);
      await beginRereads(db);
      await forgetTurns(db);
    },
  });

/** Starts the work at once. A stop ends the reading of documents, and leaves each job to another copy. */
export const startIngestion = (parts: IngestionOptions): RunningPart => {
  const { db, logger, crash } = parts;
  const jobs = new JobRequests(db);
  const running = [
    ...Array.from({ length: parts.jobsAtOnce }, (_, index) => startWorker(parts, jobs, index + 1)),
    withLag(startRefreshing(parts), db, sourceJobs),
    startRounds({
      name: 'deletion of unused chunks',
      everyMs: leftoversEveryMs,
      activity: db.activity,
      logger,
      round: async (stopping) => {
        while (!stopping.aborted && (await deleteSome(db, crash)));
      },
    }),
  ];
  return {
    name: 'ingestion',
    trouble: () => running.map((part) => part.trouble?.()).find((trouble) => trouble !== undefined),
    stop: async () => {
      const ended = Promise.all(running.map((part) => part.stop()));
      parts.reader.close();
      await ended;
    },
  };
};
