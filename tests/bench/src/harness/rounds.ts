// Several rounds over all targets, one after the other, so that other work of the machine meets each of them alike.
import { type Load, type Measurement, measure, type Target } from './measure.js';

export interface Row extends Measurement {
  readonly name: string;
  /** Throughput beside the row it is compared with, as the median over the rounds. */
  readonly ratio?: number;
}

export interface Entry {
  readonly name: string;
  readonly target: Target;
  /** Name of an entry before this one. */
  readonly comparedWith?: string;
  /** Deletes the leftovers of the measurement, so that every round meets the same amount of data. */
  readonly cleanUp?: () => Promise<void>;
}

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
};

/** @param onProgress told the number of finished measurements, and of all */
export const measureInRounds = async (
  load: Load,
  rounds: number,
  entries: readonly Entry[],
  onProgress: (done: number, of: number) => void,
): Promise<Row[]> => {
  const results = new Map<string, Measurement[]>(entries.map(({ name }) => [name, []]));
  const total = rounds * entries.length;
  let done = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, target, cleanUp } of entries) {
      results.get(name)?.push(await measure(load, target));
      await cleanUp?.();
      done += 1;
      onProgress(done, total);
    }
  }
  return entries.map(({ name, comparedWith }) => {
    const own = results.get(name) ?? [];
    const base = comparedWith === undefined ? [] : (results.get(comparedWith) ?? []);
    const ratios = base.map(({ perSecond }, round) => (own[round]?.perSecond ?? 0) / perSecond);
    return {
      name,
      perSecond: median(own.map(({ perSecond }) => perSecond)),
      p50: median(own.map(({ p50 }) => p50)),
      p99: median(own.map(({ p99 }) => p99)),
      failures: own.reduce((sum, { failures }) => sum + failures, 0),
      ...(ratios.length === 0 ? {} : { ratio: median(ratios) }),
    };
  });
};
