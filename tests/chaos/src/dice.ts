// Chance that can be repeated: the same seed gives the same throws. The order in which several processes use them is
// not repeatable.

export interface Dice {
  /** From 0 up to, not with, 1. */
  share(): number;
  /** A whole number from 0 up to, not with, `limit`. */
  below(limit: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** @throws RangeError when there is nothing to pick from */
  pick<T>(items: readonly T[]): T;
}

/** FNV-1a, so that seeds that look alike throw differently. */
const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (const character of text) {
    value ^= character.codePointAt(0) ?? 0;
    value = Math.imul(value, 0x01000193);
  }
  return value >>> 0;
};

/** The same throws for the same seed (mulberry32). */
export const diceOf = (seed: string): Dice => {
  let state = hash(seed);
  const share = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(share() * limit);
  return {
    share,
    below,
    chance: (probability) => share() < probability,
    pick: (items) => {
      const [item] = items.slice(below(items.length));
      if (item === undefined) throw new RangeError('nothing to pick from');
      return item;
    },
  };
};
