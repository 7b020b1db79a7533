// One load on one address.
import autocannon from 'autocannon';
import { processorMs, usedSince } from './processor-time.js';

export interface Load {
  readonly seconds: number;
  readonly connections: number;
}

export interface Target {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Process ids by name. */
export type Pids = Readonly<Record<string, number | undefined>>;

export interface Measurement {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Answers that were not 2xx, and errors: a figure with failures is no figure. */
  readonly failures: number;
  /** Milliseconds of processor time per request, by process. */
  readonly costs: Readonly<Record<string, number>>;
}

/**
 * A short warm-up, then the measurement.
 * @param pids the processes whose processor time is measured
 */
export const measure = async (
  { seconds, connections }: Load,
  target: Target,
  pids: Pids = {},
): Promise<Measurement> => {
  await autocannon({ ...target, connections, duration: 2 });
  const before = processorMs(pids);
  const result = await autocannon({ ...target, connections, duration: seconds });
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failures: result.non2xx + result.errors,
    costs: usedSince(before, processorMs(pids), result.requests.total),
  };
};
