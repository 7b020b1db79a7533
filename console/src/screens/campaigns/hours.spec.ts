import { describe, expect, it } from '@jest/globals';
import { everyHour, groupsOf } from './hours.js';

const hour = (at: string, more: object = {}) => ({
  at,
  ...{ completed: 0, voicemail: 0, noAnswer: 0, busy: 0, failed: 0, cancelled: 0, skipped: 0 },
  ...more,
});

describe('the hours of a campaign', () => {
  it('include those in which nothing ended, so that a night is as wide as it was long', () => {
    const hours = everyHour([
      hour('2026-10-25T00:00:00.000Z', { completed: 2 }),
      hour('2026-10-25T03:00:00.000Z', { busy: 1, noAnswer: 2 }),
    ]);
    expect(hours.map(({ at }) => at.slice(11, 13))).toEqual(['00', '01', '02', '03']);
    expect(groupsOf(hours).map(({ values }) => values)).toEqual([
      [2, 0, 0, 0],
      [0, 0, 0, 0],
      [0, 0, 0, 3],
      [0, 0, 0, 0],
    ]);
  });

  it('are none before anybody was called', () => {
    expect(everyHour([])).toEqual([]);
  });
});
