// What a person of a campaign is shown as, and why: every cause of a wait, and every end.
import { describe, expect, it } from '@jest/globals';
import { EndedReason } from '@parlance/contracts';
import type { KnownCampaign } from '../domain/campaign/campaign-state.js';
import type { Attempt } from '../domain/outbound-call/outbound-call-state.js';
import type { ListedRecipient } from '../read-models/recipient-list.js';
import { created, report } from '../testing/campaign-histories.js';
import { after, start } from '../testing/recipient-books.js';
import { storedStates, toRecipient } from './recipient-view.js';

const now = after(60);
const facts = {
  created: { ...created.data, scheduledAt: after(600).toISOString() },
  personal: created.personal,
  file: report,
  startedAt: null,
  updatedAt: start.toISOString(),
};
const running: KnownCampaign = { ...facts, phase: 'running' };
const scheduled: KnownCampaign = { ...facts, phase: 'scheduled' };
const cancelled: KnownCampaign = { ...facts, phase: 'cancelled', cancelledAt: start.toISOString() };
const paused = (reason: 'budget_reached' | 'outside_calling_window', until: Date | null): KnownCampaign => ({
  ...facts,
  phase: 'paused',
  reason,
  until: until?.toISOString() ?? null,
});

const pending: ListedRecipient = {
  rowNumber: 2,
  phoneNumber: '+14155550100',
  timeZones: ['America/Los_Angeles'],
  row: { variables: { plan: 'basic' }, username: 'Grace' },
  outboundCallId: '018f0000-0000-7000-8000-000000000001',
  state: 'pending',
  reason: null,
  attempts: 0,
  costMicros: 0,
  notBefore: null,
  isPlaced: false,
  updatedAt: start,
  lastAttempt: null,
};
const attempt = (endedReason: EndedReason, isAbandoned?: true): Attempt => ({
  attempt: 1,
  attemptId: 'a1',
  callId: 'call-1',
  roomName: 'room-1',
  startedAt: start.toISOString(),
  deadlineAt: start.toISOString(),
  status: 'failed',
  outcome: 'failed',
  endedReason,
  sipStatus: null,
  providerCode: null,
  providerCallId: null,
  answeredBy: null,
  answeredAt: null,
  endedAt: start.toISOString(),
  durationSeconds: null,
  costMicros: null,
  ...(isAbandoned && { isAbandoned }),
});
const deferred = (seconds: number, lastAttempt: Attempt | null = null): ListedRecipient => ({
  ...pending,
  notBefore: after(seconds),
  lastAttempt,
  isPlaced: lastAttempt !== null,
});

describe('a person who waits', () => {
  const busy = deferred(300, attempt('busy'));
  it.each([
    ['for the file', pending, { ...facts, phase: 'validating' }, 'file_being_read', 600],
    ['for the start of the campaign', pending, scheduled, 'campaign_scheduled', 600],
    ['for the people before', pending, running, 'waiting_for_turn', null],
    ['until a deferral is over that is over by now', deferred(30), running, 'waiting_for_turn', null],
    ['for the calling window of the person', deferred(300), running, 'outside_calling_window', 300],
    ['for a retry', busy, running, 'waiting_for_retry', 300],
    [
      'for the next day, because the number was called enough',
      deferred(300, attempt('concurrency_limit', true)),
      running,
      'concurrency_limit',
      300,
    ],
    ['for money, without a known end', pending, paused('budget_reached', null), 'budget_reached', null],
    ['for money rather than for a retry', busy, paused('budget_reached', null), 'budget_reached', 300],
    [
      'for the calling window of the campaign',
      pending,
      paused('outside_calling_window', after(900)),
      'outside_calling_window',
      900,
    ],
    [
      'for a retry after the end of the pause',
      deferred(1_200, attempt('no_answer')),
      paused('outside_calling_window', after(900)),
      'waiting_for_retry',
      1_200,
    ],
  ] as const)('%s is told so', (_, recipient, campaign, code, seconds) => {
    expect(toRecipient(recipient, campaign, now)).toMatchObject({
      state: 'pending',
      reason: { code, message: expect.stringMatching(/^[A-Z].+\.$/) },
      nextAttemptAt: seconds === null ? null : after(seconds).toISOString(),
    });
  });

  it('for a retry is told how the last call ended', () => {
    expect(toRecipient(busy, running, now).reason?.message).toBe(
      'Another attempt follows. The last one: The line was busy.',
    );
  });

  it('in a campaign that was cancelled is cancelled at once', () => {
    expect(toRecipient(busy, cancelled, now)).toMatchObject({
      state: 'cancelled',
      reason: { code: 'campaign_cancelled' },
      nextAttemptAt: null,
    });
    expect(storedStates('cancelled', cancelled)).toEqual(['cancelled', 'pending']);
    expect(storedStates('pending', cancelled)).toEqual([]);
    expect(storedStates('busy', cancelled)).toEqual(['busy']);
    expect(storedStates('cancelled', running)).toEqual(['cancelled']);
  });
});

describe('a person of a campaign', () => {
  it.each(EndedReason.options)('who ended by %s has a sentence about it', (code) => {
    const shown = toRecipient({ ...pending, state: 'failed', reason: code }, running, now);
    expect(shown.reason).toEqual({ code, message: expect.stringMatching(/^[A-Z].+\.$/) });
  });

  it('is shown with the row of the file, and with a call only once there is one', () => {
    const shown = toRecipient(pending, running, now);
    expect(shown).toMatchObject({
      rowNumber: 2,
      phoneNumber: '+14155550100',
      name: 'Grace',
      variables: { plan: 'basic' },
      timezones: ['America/Los_Angeles'],
      outboundCallId: null,
      callId: null,
      attempts: 0,
    });
    const called = { ...pending, row: { variables: { name: 'Ada' } } };
    expect(toRecipient(called, running, now).name).toBe('Ada');
    const dialled = {
      ...pending,
      state: 'in_progress',
      isPlaced: true,
      lastAttempt: attempt('busy'),
    } as const;
    expect(toRecipient(dialled, running, now)).toMatchObject({
      state: 'in_progress',
      reason: null,
      nextAttemptAt: null,
      outboundCallId: pending.outboundCallId,
      callId: 'call-1',
    });
  });
});
