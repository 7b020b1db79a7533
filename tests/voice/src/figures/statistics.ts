// Figures of a measurement, and how they are printed.

/** The smallest value that is not below this share of all values (nearest rank). */
export const percentile = (values: readonly number[], share: number): number | undefined => {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
};

export interface Summary {
  readonly n: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly max: number | null;
}

export const summaryOf = (values: readonly number[]): Summary => ({
  n: values.length,
  p50: percentile(values, 0.5) ?? null,
  p95: percentile(values, 0.95) ?? null,
  max: percentile(values, 1) ?? null,
});

const barWidth = 40;

/** A line for each step of `step` milliseconds, with a bar as long as its number of values. */
export const histogram = (values: readonly number[], step: number): readonly string[] => {
  if (values.length === 0) return [];
  const counts = new Map<number, number>();
  for (const value of values) {
    const bin = Math.floor(value / step);
    counts.set(bin, (counts.get(bin) ?? 0) + 1);
  }
  const bins = [...counts.keys()];
  const [first, last] = [Math.min(...bins), Math.max(...bins)];
  const most = Math.max(...counts.values());
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const bin = first + index;
    const count = counts.get(bin) ?? 0;
    const bar = '█'.repeat(count === 0 ? 0 : Math.max(1, Math.round((count / most) * barWidth)));
    return `${String(bin * step).padStart(6)} ms ${bar}${count === 0 ? '' : ` ${count}`}`;
  });
};
