// The best of many scores, and one order out of several.

export interface Scored {
  /** Place of the chunk among all chunks of the search. */
  readonly place: number;
  readonly score: number;
}

/** The largest scores above zero, largest first; of equal ones, the first comes first. */
export const best = (scores: Float32Array, most: number): Scored[] => {
  const found: Scored[] = [];
  let least = 0;
  for (let place = 0; place < scores.length; place += 1) {
    const score = scores[place] ?? 0;
    if (score <= least) continue;
    let at = found.length;
    while (at > 0 && (found[at - 1]?.score ?? 0) < score) at -= 1;
    found.splice(at, 0, { place, score });
    if (found.length <= most) continue;
    found.pop();
    least = found.at(-1)?.score ?? 0;
  }
  return found;
};

const k = 60;

/** Reciprocal rank fusion: a chunk's score is the sum of 1 / (60 + rank) over the orders that have it. */
export const fuse = (orders: readonly (readonly Scored[])[]): Scored[] => {
  const scores = new Map<number, number>();
  for (const order of orders)
    for (const [rank, { place }] of order.entries())
      scores.set(place, (scores.get(place) ?? 0) + 1 / (k + rank + 1));
  return [...scores].map(([place, score]) => ({ place, score })).sort((a, b) => b.score - a.score);
};
