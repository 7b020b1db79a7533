import { describe, expect, it } from '@jest/globals';
import { audit } from './audit.js';
import type { Evidence, StreamEvent } from './evidence/evidence.js';
import { auditRetries, retriedCalls } from './retry-audit.js';
import { streamEvent as event } from './testing/stream-event.js';

const deadlineAt = 60_000;
const started = (attemptId: string) => event('AttemptStarted', 0, { attemptId, deadlineAt });
const unanswered = event('AttemptRejected', 0, { status: 'no_answer', endedReason: 'no_answer' });
const retried = event('OutboundCallRetried');
/** The dialer of this attempt was held up: the call was not placed, and the platform itself made another attempt. */
const heldUp = event('AttemptAbandoned', 0, {
  endedReason: 'unknown',
  nextAttemptAt: '2026-01-01T00:00:00.000Z',
});

const evidenceOf = (
  events: readonly StreamEvent[],
  { granted, dialled }: { readonly granted: number; readonly dialled: readonly string[] },
): Evidence => {
  const stream = [event('OutboundCallPlaced'), ...events].map((one, revision) => ({ ...one, revision }));
  const row = { id: 'c1', status: 'no_answer', phase: 'ended', revision: events.length, isHangUpOpen: false };
  return {
    ledger: dialled.map((attemptId) => ({
      kind: 'dial',
      at: new Date(0).toISOString(),
      room: `ob_${attemptId}`,
    })),
    streams: new Map([['c1', stream]]),
    rows: [row],
    answers: Array.from({ length: granted }, () => ({ id: 'c1', kind: 'retried', at: 0 })),
    at: 0,
    away: [],
  };
};

const rulesOf = (evidence: Evidence): string[] =>
  [...audit(evidence), ...auditRetries(retriedCalls(evidence, ['c1']))].map(({ rule }) => rule);

const once = [started('a1'), unanswered, retried, started('a2'), unanswered];

describe('the audit of retries', () => {
  it('finds nothing where one of all who asked was granted the next attempt', () => {
    expect(rulesOf(evidenceOf(once, { granted: 1, dialled: ['a1', 'a2'] }))).toEqual([]);
  });

  it('does not take for a second retry what was never placed and is tried again', () => {
    const events = [started('a1'), unanswered, retried, started('a2'), heldUp, started('a3'), unanswered];
    expect(rulesOf(evidenceOf(events, { granted: 1, dialled: ['a1', 'a3'] }))).toEqual([]);
  });

  it('lets somebody have the next one who came when the one before was over', () => {
    const events = [...once, retried, started('a3'), unanswered];
    expect(rulesOf(evidenceOf(events, { granted: 2, dialled: ['a1', 'a2', 'a3'] }))).toEqual([]);
  });

  it.each<[string, Evidence]>([
    ['nobody was granted a retry', evidenceOf([started('a1'), unanswered], { granted: 0, dialled: ['a1'] })],
    ['2 retries granted, 1 recorded', evidenceOf(once, { granted: 2, dialled: ['a1', 'a2'] })],
    [
      'dialled 3 times for 2 wishes',
      evidenceOf([started('a1'), unanswered, retried, started('a2'), heldUp, started('a3'), unanswered], {
        granted: 1,
        dialled: ['a1', 'a2', 'a3'],
      }),
    ],
    [
      'retried before it had ended',
      evidenceOf([started('a1'), unanswered, retried, started('a2'), retried, unanswered], {
        granted: 2,
        dialled: ['a1', 'a2'],
      }),
    ],
  ])('finds: %s', (rule, evidence) => {
    expect(rulesOf(evidence)).toContain(rule);
  });
});
