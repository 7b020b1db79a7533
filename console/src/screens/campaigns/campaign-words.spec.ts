import { describe, expect, it } from '@jest/globals';
import {
  isOpen,
  openPeople,
  outcomesOf,
  paceText,
  reasonText,
  retriesText,
  windowText,
} from './campaign-words.js';

const nobody = {
  ...{ total: 0, pending: 0, queued: 0, inProgress: 0, completed: 0, voicemail: 0, noAnswer: 0 },
  ...{ busy: 0, failed: 0, cancelled: 0, skipped: 0, percent: 0, attempts: 0 },
};

describe('a campaign in words', () => {
  it.each([
    [[0, 1, 2, 3, 4], 'Monday to Friday, 09:00 to 18:00, by the clock of the person called'],
    [[0, 1, 2, 3, 4, 5, 6], 'Every day, 09:00 to 18:00, by the clock of the person called'],
    [[5, 0], 'Monday, Saturday, 09:00 to 18:00, by the clock of the person called'],
    [[2], 'Wednesday, 09:00 to 18:00, by the clock of the person called'],
  ])('names the days %j of a window', (days, text) => {
    expect(windowText({ days, start: '09:00', end: '18:00', basis: 'recipient' }, 'Europe/Berlin')).toBe(
      text,
    );
  });

  it('names the time zone where the window goes by the clock of the campaign', () => {
    const window = { days: [6], start: '10:00', end: '12:30', basis: 'campaign' as const };
    expect(windowText(window, 'Europe/Berlin')).toBe('Sunday, 10:00 to 12:30, by the clock of Europe/Berlin');
  });

  it('says that a window ends on the next day', () => {
    const window = { days: [4], start: '22:00', end: '06:00', basis: 'recipient' as const };
    expect(windowText(window, 'UTC')).toBe(
      'Friday, 22:00 to 06:00 of the next day, by the clock of the person called',
    );
    expect(windowText({ ...window, end: '24:00' }, 'UTC')).toBe(
      'Friday, 22:00 to 24:00, by the clock of the person called',
    );
  });

  it('says of a policy without retries that each person is called once', () => {
    expect(retriesText({ maxAttempts: 1, delaySeconds: 60, on: ['busy'] })).toBe(
      'Each person is called once',
    );
    expect(retriesText({ maxAttempts: 3, delaySeconds: 60, on: [] })).toBe('Each person is called once');
    expect(retriesText({ maxAttempts: 3, delaySeconds: 300, on: ['busy', 'no_answer'] })).toBe(
      'Up to 3 calls for each person, 5 min 00 s apart, after: busy, not answered',
    );
  });

  it('names the limit of calls at the same time only where there is one', () => {
    expect(paceText(1, null)).toBe('One call a second at the most');
    expect(paceText(0.5, null)).toBe('0.5 calls a second at the most');
    expect(paceText(2, 1_500)).toBe('2 calls a second and 1,500 at the same time at the most');
  });

  it('tells a reason that it does not know by its name', () => {
    expect(reasonText('budget_reached')).toContain('budget of this campaign');
    expect(reasonText('a_new_reason')).toBe('Reason: a_new_reason.');
    expect(reasonText(null)).toBeUndefined();
  });

  it('counts as open who waits, is next or talks, and leaves out outcomes that nobody met', () => {
    const progress = { ...nobody, total: 8, pending: 1, queued: 1, inProgress: 2, completed: 4 };
    expect(openPeople(progress)).toBe(4);
    expect(outcomesOf(progress).map(({ id, share }) => [id, share])).toEqual([
      ['completed', 0.5],
      ['inProgress', 0.25],
      ['queued', 0.125],
      ['pending', 0.125],
    ]);
    expect(outcomesOf(nobody)).toEqual([]);
  });

  it('follows a paused campaign, and no campaign that has ended', () => {
    expect((['validating', 'scheduled', 'running', 'paused'] as const).every(isOpen)).toBe(true);
    expect((['completed', 'cancelled', 'failed'] as const).some(isOpen)).toBe(false);
  });
});
