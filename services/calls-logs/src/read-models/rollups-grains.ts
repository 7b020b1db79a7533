// The lengths of time of the rollups. Any span of quarters of an hour is put together of the longest ones that fit.

/** Grains in minutes, longest first: weeks, days, hours and quarters of an hour, as UTC has them since 1970. */
export const grains = [10_080, 1_440, 60, 15] as const;
export type Grain = (typeof grains)[number];

/** Whole buckets of one grain, from `from` to before `to`; milliseconds since 1970. */
export interface Span {
  readonly grain: Grain;
  readonly from: number;
  readonly to: number;
}

export const msOf = (grain: Grain): number => grain * 60_000;

/** First moment of the bucket that this moment lies in. */
export const bucketOf = (grain: Grain, ms: number): number => Math.floor(ms / msOf(grain)) * msOf(grain);

const nextBucket = (grain: Grain, ms: number): number => Math.ceil(ms / msOf(grain)) * msOf(grain);

/**
 * Cuts the time from `from` to before `to` into spans of buckets, at most two of each grain but the longest. A quarter of
 * an hour that a border cuts through, as in zones of long ago, belongs to where it begins.
 */
export const spansOf = (from: number, to: number, [grain, ...smaller]: readonly Grain[] = grains): Span[] => {
  if (grain === undefined || from >= to) return [];
  const last = smaller.length === 0;
  const start = nextBucket(grain, from);
  const end = last ? nextBucket(grain, to) : bucketOf(grain, to);
  if (start >= end) return spansOf(from, to, smaller);
  return [...spansOf(from, start, smaller), { grain, from: start, to: end }, ...spansOf(end, to, smaller)];
};
