import { describe, expect, it } from '@jest/globals';
import { backOffMs } from './back-off.js';

const backOff = { firstMs: 1_000, longestMs: 10_000 };
const never = (): number => 0;

describe('the pause after a failed attempt', () => {
  it('doubles with each attempt up to the cap', () => {
    expect([1, 2, 3, 4, 5, 1_000].map((attempts) => backOffMs(backOff, attempts, never))).toEqual([
      1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
    ]);
  });

  it('grows by the given factor', () => {
    expect([1, 2, 3].map((attempts) => backOffMs({ ...backOff, factor: 3 }, attempts, never))).toEqual([
      1_000, 3_000, 9_000,
    ]);
  });

  it('differs between jobs by up to a quarter, also at the cap', () => {
    expect(backOffMs(backOff, 1, () => 0.5)).toBe(1_125);
    expect(backOffMs(backOff, 9, () => 1)).toBe(12_500);
  });
});
