// Money that somebody types is exactly the money that travels.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { amountOf, microsOf } from './amounts.js';

describe('an amount of money', () => {
  it.each([
    ['12.5', 12_500_000],
    ['0.000001', 1],
    ['7', 7_000_000],
    [' 1.00 ', 1_000_000],
  ])('%s is %d millionths', (typed, micros) => expect(microsOf(typed)).toBe(micros));

  it.each(['', '1,5', '-1', '1.0000001', 'ten', '1e3'])('%j is none', (typed) =>
    expect(microsOf(typed)).toBeUndefined(),
  );

  it('comes back as it is, to the last millionth', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (value) => {
        expect(microsOf(amountOf(value))).toBe(value);
        expect(amountOf(value)).toMatch(/\.\d{2,6}$/);
      }),
    );
  });
});
