/** Numbers from 0 to below 1. The same seed gives the same numbers on every machine (mulberry32, a public-domain generator). */
export const randomNumbers = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** A time with this mean, as between arrivals that know nothing of each other. */
export const exponential = (random: () => number, mean: number): number => -mean * Math.log(1 - random());
