// Latencies as histograms, which can be added and subtracted as percentiles cannot. Bounds of the buckets grow by a tenth,
// so that a percentile told from them is within 5 % of the exact one (of the nearest rank).

const growth = 1.1;
const step = Math.log(growth);
const lowestMs = 1;
const highestMs = 600_000;

/** Number of the bucket: 0 is up to one millisecond, and ten minutes or more share the last. */
export const latencyBucketOf = (ms: number): number =>
  Math.ceil(Math.log(Math.min(Math.max(ms, lowestMs), highestMs)) / step);

/** Off by the same share from both bounds of the bucket. */
const latencyIn = (bucket: number): number => (bucket === 0 ? lowestMs : growth ** (bucket - 0.5));

/**
 * The latency that this share of the calls does not exceed, within 5 % between one millisecond and ten minutes and rounded
 * to whole milliseconds. Null without any call.
 */
export const percentileIn = (counts: ReadonlyMap<number, number>, share: number): number | null => {
  const buckets = [...counts].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  let rank = Math.max(1, Math.ceil(total * share));
  for (const [bucket, count] of buckets) {
    rank -= count;
    if (rank <= 0) return Math.round(latencyIn(bucket));
  }
  return null;
};
