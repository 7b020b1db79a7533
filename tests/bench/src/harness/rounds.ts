// Several rounds over all targets, one after the other, so that other work of the machine meets each of them alike.
import { type Load, type Measurement, measure, type Pids, type Target } from './measure.js';
import { sumOf } from './processor-time.js';

export interface Row extends Measurement {
  readonly name: string;
  /** Throughput beside the row it is compared with, as the median over the rounds. */
  readonly ratio?: number;
  /** Processor time of that row beside this one: the same ratio where nothing but the processor limits both. */
  readonly costRatio?: number;
}

export interface Entry {
  readonly name: string;
  readonly target: Target;
  /** Name of an entry before this one. */
  readonly comparedWith?: string;
  /** The processes that take part. */
  readonly pids: Pids;
  /** Deletes the leftovers of the measurement, so that every round meets the same amount of data. */
  readonly cleanUp?: () => Promise<void>;
}

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
};

const medianCosts = (measured: readonly Measurement[]): Readonly<Record<string, number>> => {
  const names = Object.keys(measured[0]?.costs ?? {});
  return Object.fromEntries(
    names.map((name) => [name, median(measured.map(({ costs }) => costs[name] ?? 0))]),
  );
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
    for (const { name, target, pids, cleanUp } of entries) {
      results.get(name)?.push(await measure(load, target, pids));
      await cleanUp?.();
      done += 1;
      onProgress(done, total);
    }
  }
  return entries.map(({ name, comparedWith }) => {
    const own = results.get(name) ?? [];
    const base = comparedWith === undefined ? [] : (results.get(comparedWith) ?? []);
    const ratios = base.map(({ perSecond }, round) => (own[round]?.perSecond ?? 0) / perSecond);
    const costRatios = base.map(({ costs }, round) => sumOf(costs) / sumOf(own[round]?.costs ?? {}));
    return {
      name,
      perSecond: median(own.map(({ perSecond }) => perSecond)),
      p50: median(own.map(({ p50 }) => p50)),
      p99: median(own.map(({ p99 }) => p99)),
      failures: own.reduce((sum, { failures }) => sum + failures, 0),
      costs: medianCosts(own),
      ...(ratios.length === 0 ? {} : { ratio: median(ratios), costRatio: median(costRatios) }),
    };
  });
};
