import { describe, expect, it } from '@jest/globals';
import { daysOf, rangeOf } from './range.js';

describe('a range of days', () => {
  it('ends today by the clock of the organization, and includes its first day', () => {
    const lateInUtc = Date.parse('2026-11-23T23:30:00Z');
    expect(daysOf(7, 'UTC', lateInUtc)).toEqual({ from: '2026-11-17', to: '2026-11-23' });
    expect(daysOf(7, 'Asia/Tokyo', lateInUtc)).toEqual({ from: '2026-11-18', to: '2026-11-24' });
  });

  it('has all of its days where the clocks change in between', () => {
    const afterChange = Date.parse('2026-03-30T01:00:00Z');
    expect(daysOf(30, 'Europe/Berlin', afterChange)).toEqual({ from: '2026-03-01', to: '2026-03-30' });
  });

  it('is one of those that the platform answers', () => {
    expect([rangeOf('30'), rangeOf(90), rangeOf('31'), rangeOf(undefined)]).toEqual([
      30,
      90,
      undefined,
      undefined,
    ]);
  });
});
