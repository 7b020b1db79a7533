import { describe, expect, it } from '@jest/globals';
import { apiErrorOf } from './api-error.js';

const asked = (headers: Readonly<Record<string, string>>): number | undefined =>
  apiErrorOf(new Response('', { status: 503, headers }), undefined).retryAfterSeconds;
const date = 'Sun, 01 Mar 2026 10:00:00 GMT';

describe('the wait that an answer asks for', () => {
  it.each([
    ['seconds', { 'retry-after': '17' }, 17],
    ['a date', { date, 'retry-after': 'Sun, 01 Mar 2026 10:00:40 GMT' }, 40],
    ['a date that is over', { date, 'retry-after': 'Sun, 01 Mar 2026 09:00:00 GMT' }, 0],
    ['no date', { date, 'retry-after': 'soon' }, undefined],
    ['a negative number', { date, 'retry-after': '-5' }, undefined],
    ['a fraction', { date, 'retry-after': '1.5' }, undefined],
    ['nothing', {}, undefined],
  ])('is understood as %s', (_, headers, seconds) => {
    expect(asked(headers)).toBe(seconds);
  });

  it('until a date counts from the clock of this machine where the answer has no date', () => {
    const inAMinute = new Date(Date.now() + 60_000).toUTCString();
    const seconds = asked({ 'retry-after': inAMinute }) ?? 0;
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
  });
});
