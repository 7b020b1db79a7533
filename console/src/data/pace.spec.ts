// Pages ask by the clock only where no live event would tell them.
import { describe, expect, it } from '@jest/globals';
import { paceOf } from './pace.js';

describe('the pace of a page that is kept fresh', () => {
  it('is the one that its screen wants while no live event can come', () =>
    expect(paceOf(2_000, false)).toBe(2_000));

  it('is slow beside live events, and never faster than its screen wants', () => {
    expect(paceOf(2_000, true)).toBeGreaterThanOrEqual(10_000);
    expect(paceOf(60_000, true)).toBe(60_000);
  });

  it('is none beside live events that tell each change, and the one of the screen without them', () => {
    expect(paceOf(5_000, true, true)).toBeUndefined();
    expect(paceOf(5_000, false, true)).toBe(5_000);
  });

  it('is none where the screen expects no news', () => {
    expect(paceOf(undefined, false)).toBeUndefined();
    expect(paceOf(undefined, true)).toBeUndefined();
  });
});
