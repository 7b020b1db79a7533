// Makes the analyses that are due, a few at a time. Any number of replicas may do so.
import { callAnalyses, histogram } from '@parlance/metrics';
import { type Clock, type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import pLimit from 'p-limit';
import { type AnalysisJob, dropJob, leaseJobs } from './analysis-queue.js';
import type { CallAnalyzer, Method } from './analyze-call.js';

export interface RunnerOptions {
  readonly db: Database;
  readonly analyzer: Pick<CallAnalyzer, 'analyze' | 'giveUp'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const jobsAtOnce = 20;
const concurrency = 4;
const everyMs = 1_000;
/** The pauses between the tries add up to three hours. */
export const maxTries = 9;

const analyses = histogram(callAnalyses);

const run = async ({ db, analyzer, logger }: RunnerOptions, job: AnalysisJob): Promise<void> => {
  const began = performance.now();
  const measure = (method: Method, result: 'completed' | 'deferred' | 'failed'): void =>
    analyses.record((performance.now() - began) / 1_000, {
      'parlance.analysis.method': method,
      'parlance.result': result,
    });
  try {
    const method = await analyzer.analyze(job);
    await dropJob(db, job);
    if (method !== undefined) measure(method, 'completed');
  } catch (err) {
    const { callId, tries } = job;
    if (tries < maxTries) {
      logger.warn({ err, callId, tries }, 'call analysis deferred');
      measure('rules', 'deferred');
      return;
    }
    logger.error({ err, callId, tries }, 'call analysis failed');
    await analyzer.giveUp(job);
    await dropJob(db, job);
    measure('rules', 'failed');
  }
};

/** @returns the number of jobs that were leased */
export const runDueAnalyses = async (options: RunnerOptions): Promise<number> => {
  const jobs = await leaseJobs(options.db, options.clock.now(), jobsAtOnce);
  const limit = pLimit(concurrency);
  const results = await Promise.allSettled(jobs.map((job) => limit(() => run(options, job))));
  for (const result of results)
    if (result.status === 'rejected')
      options.logger.warn({ err: result.reason }, 'call analysis not recorded');
  return jobs.length;
};

/** Starts at once. */
export const startAnalyses = (options: RunnerOptions): RunningPart =>
  startRounds({
    name: 'call analyses',
    everyMs,
    logger: options.logger,
    round: async (stopping) => {
      while (!stopping.aborted && (await runDueAnalyses(options)) === jobsAtOnce);
    },
  });
