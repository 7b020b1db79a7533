import { describe, expect, it } from '@jest/globals';
import { endpointAfter, isHopeless, nextTryAt, retryAfterOf } from './retry.js';

const now = new Date('2026-03-01T10:00:00.000Z');
const secondsUntil = (at: Date | null | undefined): number | undefined =>
  at ? (at.getTime() - now.getTime()) / 1_000 : undefined;

describe('the next try', () => {
  const expected = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];

  it('follows the schedule, a tenth sooner or later, and ends after the eighth', () => {
    const at = (tries: number, random: number) =>
      secondsUntil(nextTryAt({ now, tries, retryAfterMs: null, random }));
    for (const [index, seconds] of expected.entries()) {
      expect(at(index + 1, 0.5)).toBeCloseTo(seconds);
      expect(at(index + 1, 0)).toBeCloseTo(seconds * 0.9);
      expect(at(index + 1, 1)).toBeCloseTo(seconds * 1.1);
    }
    expect(at(8, 0.5)).toBeUndefined();
  });

  it('is never before the receiver wants it, nor more than a day later', () => {
    const at = (tries: number, retryAfterMs: number) =>
      secondsUntil(nextTryAt({ now, tries, retryAfterMs, random: 0.5 }));
    expect(at(1, 60_000)).toBe(60);
    expect(at(2, 60_000)).toBe(300);
    expect(at(1, 10 * 24 * 3_600_000)).toBe(24 * 3_600);
    expect(at(8, 60_000)).toBeUndefined();
  });

  it.each([
    [undefined, null],
    ['120', 120_000],
    [' 0 ', 0],
    ['Sun, 01 Mar 2026 10:02:00 GMT', 120_000],
    ['Sun, 01 Mar 2026 09:00:00 GMT', 0],
    ['soon', null],
    ['-5', null],
    ['1e9', null],
  ])('reads Retry-After %s', (header, ms) => {
    expect(retryAfterOf(header, now)).toBe(ms);
  });
});

describe('an endpoint', () => {
  const after = (change: object) =>
    endpointAfter({
      ...{
        now,
        failuresBefore: 0,
        failingSince: null,
        succeeded: 0,
        failed: 0,
        retryAfterMs: null,
        random: 0.5,
      },
      ...change,
    });

  it('is left alone for longer and longer once it has failed five times in a row', () => {
    const pauses = [0, 1, 3, 4, 5, 6, 9, 20, 1_000].map((failuresBefore) =>
      secondsUntil(after({ failuresBefore, failed: 1 }).pausedUntil),
    );
    expect(pauses).toEqual([undefined, undefined, undefined, 30, 60, 120, 900, 900, 900]);
  });

  it('is hopeless when nothing has come through for five days, counted from the first failure', () => {
    const days = (count: number): Date => new Date(now.getTime() + count * 86_400_000);
    const first = after({ failed: 1 });
    expect(first.failingSince).toEqual(now);
    const later = after({ now: days(5), failingSince: first.failingSince, failuresBefore: 1, failed: 1 });
    expect(isHopeless(later, new Date(days(5).getTime() - 1))).toBe(false);
    expect(isHopeless(later, days(5))).toBe(true);
    expect(isHopeless(after({ failingSince: now, succeeded: 1, failed: 3 }), days(9))).toBe(false);
  });

  it('is forgiven everything for one success', () => {
    expect(after({ failuresBefore: 99, succeeded: 1, failed: 7 })).toEqual({
      failures: 0,
      failingSince: null,
      pausedUntil: null,
    });
  });

  it('is paused whole when it asks for a pause', () => {
    expect(secondsUntil(after({ failed: 1, retryAfterMs: 90_000 }).pausedUntil)).toBe(90);
    expect(secondsUntil(after({ failuresBefore: 4, failed: 1, retryAfterMs: 10_000 }).pausedUntil)).toBe(30);
  });

  it('is thought of as before when nothing was tried', () => {
    expect(after({ failuresBefore: 9 })).toEqual({ failures: 9, failingSince: null, pausedUntil: null });
  });
});
