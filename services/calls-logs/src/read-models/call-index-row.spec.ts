import { describe, expect, it } from '@jest/globals';
import type { Recorded } from '@parlance/event-sourcing';
import type { CallEvent } from '../call/call-events.js';
import { description, now, people } from '../testing/facts.js';
import { rowAfter } from './call-index-row.js';

const recorded = (revision: bigint, event: CallEvent): Recorded<CallEvent> =>
  // Only the fields that make a row.
  ({ event, entityId: 'call-1', revision }) as unknown as Recorded<CallEvent>;

const described = recorded(0n, {
  type: 'CallDescribed',
  data: { ...description, recordedAt: now, source: 'dialer' },
  personal: people,
});

describe('the row of a call', () => {
  it('stays the very same after an event that no column shows, so that it is not written again', () => {
    const row = rowAfter(undefined, described);
    const requested = recorded(1n, { type: 'CallEndRequested', data: { recordedAt: now, by: 'user:1' } });
    expect(rowAfter(row, requested)).toBe(row);
  });

  it('has the revision of the last event that it shows, however many it does not show lie between', () => {
    const row = rowAfter(undefined, described);
    const answeredAt = '2026-03-01T10:00:05.000Z';
    const answered = recorded(4n, {
      type: 'CallAnswered',
      data: { recordedAt: now, answeredAt, agentId: description.agentId, outboundCallId: null },
    });
    const after = rowAfter(row, answered);
    expect(after).toMatchObject({ revision: 4, status: 'in_progress', answered_at: answeredAt });
    expect(rowAfter(after, answered)).toBe(after);
  });
});
