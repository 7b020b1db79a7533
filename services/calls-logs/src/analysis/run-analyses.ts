// Makes the analyses that are due, a few at a time, and a share of them for each organization. Any number of replicas may do so.
import { FairSlots } from '@parlance/jobs';
import { callAnalyses, histogram } from '@parlance/metrics';
import { type Clock, type Logger, type RunningPart, startRounds } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { type AnalysisJob, dropJob, leaseJobs } from './analysis-queue.js';
import type { CallAnalyzer, Method } from './analyze-call.js';

export interface RunnerOptions {
  readonly db: Database;
  readonly analyzer: Pick<CallAnalyzer, 'analyze' | 'giveUp'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

const jobsAtOnce = 16;
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

/** Begins as many analyses as there is room for. @returns the number of jobs that were leased */
const beginDue = async (options: RunnerOptions, slots: FairSlots): Promise<number> => {
  if (slots.free === 0) return 0;
  const jobs = await leaseJobs(options.db, options.clock.now(), slots);
  for (const job of jobs)
    slots.run(job.organizationId, () =>
      run(options, job).catch((err: unknown) => options.logger.warn({ err }, 'call analysis not recorded')),
    );
  return jobs.length;
};

/** Makes the analyses that are due. @returns the number of jobs that were leased */
export const runDueAnalyses = async (options: RunnerOptions, stopping?: AbortSignal): Promise<number> => {
  const slots = new FairSlots(jobsAtOnce);
  let leased = 0;
  try {
    while (stopping?.aborted !== true) {
      leased += await beginDue(options, slots);
      if (slots.free === slots.all) break;
      await slots.next();
    }
  } finally {
    await slots.drained();
  }
  return leased;
};

/** Starts at once. */
export const startAnalyses = (options: RunnerOptions): RunningPart =>
  startRounds({
    name: 'call analyses',
    everyMs,
    activity: options.db.activity,
    logger: options.logger,
    round: async (stopping) => void (await runDueAnalyses(options, stopping)),
  });
