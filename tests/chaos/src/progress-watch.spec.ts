import { describe, expect, it } from '@jest/globals';
import type { Campaign } from './people.js';
import { progressFaults } from './progress-watch.js';

const nobody = { pending: 0, queued: 0, inProgress: 0, completed: 0, voicemail: 0, noAnswer: 0, busy: 0 };
const progress = (more: Partial<Campaign['progress']>): Campaign['progress'] => ({
  ...nobody,
  ...{ failed: 0, cancelled: 0, skipped: 0, percent: 0, attempts: 0, total: 10, ...more },
});

describe('the progress of a campaign', () => {
  it('is right when it sums, and what has ended stays so', () => {
    const before = progress({ pending: 4, inProgress: 3, completed: 2, busy: 1 });
    const now = progress({ pending: 1, queued: 2, completed: 4, busy: 1, cancelled: 2 });
    expect(progressFaults(undefined, before)).toEqual([]);
    expect(progressFaults(before, now)).toEqual([]);
  });

  it('is wrong when somebody is missing or counted twice', () => {
    expect(progressFaults(undefined, progress({ pending: 9 }))).toEqual(['the progress sums to 9 of 10']);
    expect(progressFaults(undefined, progress({ pending: 9, queued: 2 }))).toHaveLength(1);
  });

  it('is wrong when somebody who had ended is called again', () => {
    const before = progress({ pending: 8, completed: 2 });
    expect(progressFaults(before, progress({ pending: 9, completed: 1 }))).toEqual([
      'fewer are completed than before',
    ]);
  });
});
