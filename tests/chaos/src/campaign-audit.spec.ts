import { describe, expect, it } from '@jest/globals';
import { auditCampaigns, type Recipient } from './campaign-audit.js';
import type { Evidence, StreamEvent } from './evidence/evidence.js';
import { streamEvent } from './testing/stream-event.js';

const second = 1_000;
const nobody: ReadonlyMap<string, number> = new Map();

const event = (type: string, at: number, status?: string) => streamEvent(type, at, { status });
const conversation = [event('AttemptStarted', 0), event('AttemptEnded', 3 * second, 'completed')];
const cancelledCall = [event('AttemptStarted', 0), event('OutboundCallCancelled', second)];

const evidenceOf = (streams: Record<string, readonly StreamEvent[]>): Evidence => ({
  ledger: [],
  streams: new Map(Object.entries(streams)),
  rows: [],
  answers: [],
  at: 100 * second,
  away: [],
});
const recipientOf = (change: Partial<Recipient> = {}): Recipient => ({
  campaignId: 'k1',
  rowNumber: 2,
  callId: 'c1',
  state: 'completed',
  attempts: 1,
  campaign: 'paused',
  ...change,
});

const rulesOf = (
  recipients: readonly Recipient[],
  streams: Record<string, readonly StreamEvent[]>,
  cancelled = nobody,
  counts: Record<string, number> = Object.fromEntries(recipients.map(({ state }) => [state, 1])),
): string[] => auditCampaigns({ recipients, counts }, evidenceOf(streams), cancelled).map(({ rule }) => rule);

describe('the audit of campaigns', () => {
  it('finds nothing where all is well', () => {
    expect(rulesOf([recipientOf()], { c1: conversation })).toEqual([]);
  });

  it('finds nothing where a campaign was cancelled in the middle', () => {
    const recipients = [
      recipientOf(),
      recipientOf({ rowNumber: 3, callId: 'c2', state: 'cancelled' }),
      recipientOf({ rowNumber: 4, callId: 'c3', state: 'cancelled', attempts: 0 }),
    ];
    const streams = { c1: conversation, c2: cancelledCall };
    const cancelled = new Map([['k1', second]]);
    expect(rulesOf(recipients, streams, cancelled, { completed: 1, cancelled: 2 })).toEqual([]);
  });

  it('finds somebody who was never called', () => {
    expect(rulesOf([recipientOf({ attempts: 0 })], {})).toEqual([
      'a recipient was never called, the campaign paused',
    ]);
  });

  it('finds somebody who was never called and is not cancelled, in a campaign that was', () => {
    expect(rulesOf([recipientOf()], {}, new Map([['k1', 0]]))).toEqual([
      'a recipient is completed, and was never called',
    ]);
  });

  it('finds nothing where an attempt was given up because the campaign was cancelled', () => {
    const abandoned = { ...event('AttemptAbandoned', second), endedReason: 'campaign_cancelled' };
    const streams = { c1: [event('AttemptStarted', 0), abandoned] };
    expect(rulesOf([recipientOf({ state: 'cancelled' })], streams, new Map([['k1', second]]))).toEqual([]);
    expect(rulesOf([recipientOf({ state: 'failed' })], streams)).toEqual([
      'a recipient is failed, the call cancelled',
    ]);
  });

  it('finds a recipient who ended as the call did not', () => {
    expect(rulesOf([recipientOf({ state: 'busy' })], { c1: conversation })).toEqual([
      'a recipient is busy, the call completed',
    ]);
    expect(rulesOf([recipientOf()], { c1: conversation.slice(0, 1) })).toEqual([
      'a recipient is completed, the call undefined',
    ]);
  });

  it('finds attempts that are not those of the call', () => {
    expect(rulesOf([recipientOf({ attempts: 2 })], { c1: conversation })).toEqual([
      'a recipient has 2 attempts, the call 1',
    ]);
  });

  it('finds somebody who was called two seconds after the campaign was cancelled, and nobody before', () => {
    const late = (at: number) => ({ c1: [event('AttemptStarted', at), ...conversation.slice(1)] });
    const cancelled = new Map([['k1', second]]);
    expect(rulesOf([recipientOf()], late(3 * second), cancelled)).toEqual([]);
    expect(rulesOf([recipientOf()], late(3 * second + 1), cancelled)).toEqual([
      'a recipient was called after the campaign was cancelled',
    ]);
    expect(rulesOf([recipientOf()], late(3 * second + 1), new Map([['k2', 0]]))).toEqual([]);
  });

  it('finds somebody whose phone rang two seconds after the campaign was cancelled', () => {
    const attempt = { ...event('AttemptStarted', second), attemptId: 'a1' };
    const streams = { c1: [attempt, ...conversation.slice(1)] };
    const ringing = (at: number): string[] => {
      const ledger = [{ kind: 'ring', at: new Date(at).toISOString(), room: 'ob_a1' } as const];
      const evidence = { ...evidenceOf(streams), ledger };
      const there = { recipients: [recipientOf()], counts: { completed: 1 } };
      return auditCampaigns(there, evidence, new Map([['k1', second]])).map(({ rule }) => rule);
    };
    expect(ringing(3 * second)).toEqual([]);
    expect(ringing(3 * second + 1)).toEqual(['a recipient was rung up after the campaign was cancelled']);
  });

  it('finds a call of nobody in the file', () => {
    expect(rulesOf([recipientOf()], { c1: conversation, c2: conversation })).toEqual([
      'a call of nobody in the file',
    ]);
  });

  it('finds progress that does not sum', () => {
    const streams = { c1: conversation };
    expect(rulesOf([recipientOf()], streams, nobody, {})).toEqual(['the progress does not sum']);
    expect(rulesOf([recipientOf()], streams, nobody, { completed: 1, busy: 1 })).toEqual([
      'the progress does not sum',
    ]);
  });
});
