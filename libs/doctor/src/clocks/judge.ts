// Finds the wrong clock from the differences between clocks. A clock that differs alone is wrong. Where two sources or more
// agree with each other against this machine, its own clock is wrong.
import type { ClockReading } from '../probe/check.js';

/** Signatures and tokens of most engines are refused beyond this difference or a little more. */
export const toleratedMs = 30_000;

export type ClockVerdict =
  /** The clock of this machine is wrong. */
  | { readonly kind: 'own'; readonly aheadMs: number; readonly sources: readonly string[] }
  | { readonly kind: 'source'; readonly source: string; readonly aheadMs: number };

const differs = ({ aheadMs, withinMs }: ClockReading): boolean => Math.abs(aheadMs) - withinMs > toleratedMs;

const agree = (one: ClockReading, other: ClockReading): boolean =>
  Math.abs(one.aheadMs - other.aheadMs) <= toleratedMs + one.withinMs + other.withinMs;

/** The last reading of each source: several processes may have asked it. */
const newestOfEach = (readings: readonly ClockReading[]): readonly ClockReading[] => [
  ...new Map(readings.map((reading) => [reading.source, reading])).values(),
];

const own = (readings: readonly ClockReading[]): ClockVerdict | undefined => {
  const differing = readings.filter(differs);
  const [first] = differing;
  const others = readings.length - differing.length;
  if (first === undefined || differing.length < 2 || differing.length <= others) return undefined;
  if (!differing.every((reading) => agree(first, reading))) return undefined;
  return { kind: 'own', aheadMs: first.aheadMs, sources: differing.map(({ source }) => source) };
};

/** Empty while no clock differs by more than is tolerated. */
export const judgeClocks = (all: readonly ClockReading[]): readonly ClockVerdict[] => {
  const readings = newestOfEach(all);
  const verdict = own(readings);
  if (verdict !== undefined) return [verdict];
  return readings.filter(differs).map(({ source, aheadMs }) => ({ kind: 'source', source, aheadMs }));
};
