/** Counted things by their kind, such as statements, and by their owner, such as a service. */
export type Counts = Readonly<Record<string, Readonly<Record<string, number>>>>;

const merged = (a: Counts, b: Counts, combine: (a: number, b: number) => number): Counts =>
  Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])].map((kind) => {
      const owners = new Set([...Object.keys(a[kind] ?? {}), ...Object.keys(b[kind] ?? {})]);
      const combined = [...owners].map((of) => [of, combine(a[kind]?.[of] ?? 0, b[kind]?.[of] ?? 0)]);
      return [kind, Object.fromEntries(combined)];
    }),
  );

export const addCounts = (a: Counts, b: Counts): Counts => merged(a, b, (x, y) => x + y);
export const subtractCounts = (a: Counts, b: Counts): Counts => merged(a, b, (x, y) => x - y);

export const divideCounts = (counts: Counts, by: number): Counts => merged(counts, {}, (count) => count / by);
