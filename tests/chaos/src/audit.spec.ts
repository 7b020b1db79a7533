import { describe, expect, it } from '@jest/globals';
import { audit, unfinished } from './audit.js';
import type { Evidence, StreamEvent } from './evidence/evidence.js';
import { tallyOf } from './tally.js';
import { streamEvent as event } from './testing/stream-event.js';

const second = 1_000;
const deadlineAt = 60 * second;

const placed = event('OutboundCallPlaced', 0);
const started = (attemptId = 'a1', at = 0) => event('AttemptStarted', at, { attemptId, deadlineAt });
const answered = event('AttemptAnswered', 2 * second);
const ended = event('AttemptEnded', 3 * second, { status: 'completed' });
const cancelled = (at: number) => event('OutboundCallCancelled', at);
const rejected = (endedReason: string, more: Partial<StreamEvent> = {}) =>
  event('AttemptRejected', second, { status: 'failed', endedReason, ...more });

const heard = (kind: 'dial' | 'ring', at: number, attemptId = 'a1') => ({
  kind,
  at: new Date(at).toISOString(),
  room: `ob_${attemptId}`,
});

/** One call with these events, and a read model that says the same. */
const evidenceOf = (
  events: readonly StreamEvent[],
  ledger: Evidence['ledger'],
  more: Partial<Evidence> = {},
): Evidence => {
  const numbered = [placed, ...events].map((one, revision) => ({ ...one, revision }));
  const revision = numbered.length - 1;
  const status = events.at(-1)?.type === 'OutboundCallCancelled' ? 'cancelled' : events.at(-1)?.status;
  const row = { id: 'c1', status: status ?? 'failed', phase: 'ended', revision, isHangUpOpen: false };
  return {
    ledger,
    streams: new Map([['c1', numbered]]),
    rows: [row],
    answers: [],
    at: 100 * second,
    away: [],
    ...more,
  };
};

const rulesOf = (evidence: Evidence): string[] => audit(evidence).map(({ rule }) => rule);
const conversation = [started(), answered, ended];
const oneRing = [heard('dial', 100), heard('ring', 200)];

describe('the audit', () => {
  it('finds nothing where all is well', () => {
    expect(audit(evidenceOf(conversation, oneRing))).toEqual([]);
    expect(unfinished(evidenceOf(conversation, oneRing))).toEqual([]);
    const later = { nextAttemptAt: '2026-01-01T00:00:00.000Z' };
    const again = [started(), rejected('provider_rejected', later), started('a2'), answered, ended];
    expect(audit(evidenceOf(again, [heard('dial', 10), heard('dial', 20, 'a2')]))).toEqual([]);
    const retried = [started(), rejected('busy'), event('OutboundCallRetried', second), started('a2'), ended];
    expect(audit(evidenceOf(retried, oneRing))).toEqual([]);
  });

  it.each<[string, Evidence]>([
    ['rang more than once', evidenceOf(conversation, [...oneRing, heard('ring', 300)])],
    ['dialled more than once', evidenceOf(conversation, [...oneRing, heard('dial', 300)])],
    ['dialled before it was recorded', evidenceOf([started('a1', 500), ended], oneRing)],
    ['dialled without a recorded attempt', evidenceOf(conversation, [heard('dial', 100, 'other')])],
    ['outcome past its deadline', evidenceOf([started(), { ...ended, at: 71 * second }], oneRing)],
    [
      'rang and is recorded as never placed',
      evidenceOf([started(), rejected('provider_unavailable')], oneRing),
    ],
    [
      'rang and is recorded as never placed',
      evidenceOf([started(), event('AttemptAbandoned', second, { status: 'failed' })], oneRing),
    ],
    [
      'rang after it was cancelled',
      evidenceOf([started(), cancelled(second)], [heard('dial', 100), heard('ring', 3_001)]),
    ],
    ['more than one end', evidenceOf([...conversation, cancelled(4 * second)], oneRing)],
    ['an attempt after the end', evidenceOf([...conversation, started('a2'), ended].slice(0, 4), oneRing)],
    ['an attempt beside another', evidenceOf([started(), started('a2'), answered, ended], oneRing)],
    ['retried before it had ended', evidenceOf([started(), event('OutboundCallRetried', 1), ended], oneRing)],
    ['the read model is behind', evidenceOf(conversation, oneRing, { rows: [] })],
    [
      'the read model tells another end',
      evidenceOf(conversation, oneRing, {
        rows: [{ id: 'c1', status: 'busy', phase: 'ended', revision: 3, isHangUpOpen: false }],
      }),
    ],
    [
      'answered as cancelled and was not',
      evidenceOf(conversation, oneRing, { answers: [{ id: 'c1', kind: 'cancelled', at: 1 }] }),
    ],
    [
      'answered as not cancellable and was cancelled',
      evidenceOf([cancelled(1)], [], { answers: [{ id: 'c1', kind: 'notCancellable', at: 1 }] }),
    ],
    [
      'placed, and there is no stream',
      evidenceOf(conversation, oneRing, { answers: [{ id: 'c2', kind: 'placed', at: 1 }] }),
    ],
  ])('finds what %s', (rule, evidence) => {
    expect(rulesOf(evidence)).toContain(rule);
  });

  it('finds an attempt without an outcome ten seconds after its deadline, and not before', () => {
    const open = (at: number) =>
      evidenceOf([started()], oneRing, {
        at,
        rows: [{ id: 'c1', status: 'initiated', phase: 'dialing', revision: 1, isHangUpOpen: false }],
      });
    expect(rulesOf(open(70 * second))).toEqual([]);
    expect(rulesOf(open(70 * second + 1))).toEqual(['no outcome past its deadline']);
    expect(unfinished(open(0))).toEqual([{ rule: 'has not ended', about: 'c1' }]);
  });

  it('does not call late what nobody was there for', () => {
    const away = [{ from: 50 * second, to: 65 * second }];
    const ends = (at: number) => evidenceOf([started(), { ...ended, at }], oneRing, { away });
    expect(rulesOf(ends(75 * second))).toEqual([]);
    expect(rulesOf(ends(75 * second + 1))).toEqual(['outcome past its deadline']);
  });

  it('lets a phone ring that was on its way when the call was cancelled', () => {
    const justRang = [heard('dial', 900), heard('ring', 3_000)];
    expect(rulesOf(evidenceOf([started(), cancelled(second)], justRang))).toEqual([]);
  });

  it('lets a phone ring longer while nobody is there to hang up, as long as it was dialled before', () => {
    const away = [{ from: second, to: 4 * second }];
    const rang = (at: number) =>
      evidenceOf([started(), cancelled(second)], [heard('dial', 900), heard('ring', at)], { away });
    expect(rulesOf(rang(6 * second))).toEqual([]);
    expect(rulesOf(rang(6 * second + 1))).toEqual(['rang after it was cancelled']);
  });

  it('lets who slept dial into a room that is gone, as long as nothing rings', () => {
    const away = [{ from: 0, to: 9 * second }];
    const late = (...rings: readonly ReturnType<typeof heard>[]) =>
      evidenceOf([started(), cancelled(second)], [heard('dial', 4 * second), ...rings], { away });
    expect(rulesOf(late())).toEqual([]);
    expect(rulesOf(late(heard('ring', 5 * second)))).toEqual(['rang after it was cancelled']);
  });
});

describe('the tally', () => {
  it('counts the branches that attempts took', () => {
    const doubt = [started(), event('AttemptInDoubt', 1), event('AttemptAdopted', 2), answered, ended];
    expect(tallyOf(evidenceOf(doubt, oneRing))).toEqual({
      calls: 1,
      attempts: 1,
      dials: 1,
      rings: 1,
      cancelled: 0,
      branches: { 'in doubt': 1, adopted: 1, abandoned: 0, unknown: 0 },
    });
    const unknown = evidenceOf([started(), event('AttemptOutcomeUnknown', 1)], []);
    expect(tallyOf(unknown).branches).toMatchObject({ unknown: 1 });
  });
});
