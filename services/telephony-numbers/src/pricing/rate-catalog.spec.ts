import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { monthlyPriceMicros, rateCatalog } from './rate-catalog.js';

const rules = { markupBasisPoints: 2_000, minimumMarkupMicros: 250_000 };
const hosted = rateCatalog('hosted', rules);

describe('a price', () => {
  it.each([
    ['the share', 15_000_000, 18_000_000],
    ['the least markup where the share is smaller', 1_000_000, 1_250_000],
    ['a whole micro, rounded up', 1_250_001, 1_500_002],
    ['the markup alone for what costs nothing', 0, 250_000],
  ])('has %s', (_, cost, price) => expect(monthlyPriceMicros(hosted, cost)).toBe(price));

  it("is the provider's own where people buy at their own account", () => {
    expect(monthlyPriceMicros(rateCatalog('own', rules), 1_150_001)).toBe(1_150_001);
  });

  it('is always whole, never below the cost, and never cheaper for what costs more', () => {
    const cost = fc.integer({ min: 0, max: 999_999_999_999 });
    const anyRules = fc.record({
      markupBasisPoints: fc.integer({ min: 0, max: 100_000 }),
      minimumMarkupMicros: fc.integer({ min: 0, max: 100_000_000 }),
    });
    fc.assert(
      fc.property(anyRules, cost, cost, (given, a, b) => {
        const catalog = rateCatalog('hosted', given);
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const [lower, higher] = [monthlyPriceMicros(catalog, low), monthlyPriceMicros(catalog, high)];
        expect(Number.isSafeInteger(lower) && Number.isSafeInteger(higher)).toBe(true);
        expect(lower).toBeGreaterThanOrEqual(low);
        expect(higher).toBeGreaterThanOrEqual(lower);
      }),
    );
  });
});

describe('the version of a catalog', () => {
  it('names its rules, and changes when they do', () => {
    expect(rateCatalog('hosted', { ...rules }).version).toBe(hosted.version);
    expect(rateCatalog('hosted', { ...rules, markupBasisPoints: 2_001 }).version).not.toBe(hosted.version);
    expect(rateCatalog('own', rules).version).not.toBe(hosted.version);
  });
});
