// The invariants of every call, in any order of its facts and with any repetition.
import { describe, expect, it } from '@jest/globals';
import { AppError } from '@parlance/errors';
import { fold } from '@parlance/event-sourcing';
import { given } from '@parlance/fixtures/deciders';
import fc from 'fast-check';
import {
  agentIn,
  answered,
  busy,
  busyCall,
  closed,
  heldCall,
  hungUp,
  inboundCall,
  ingest,
  opened,
  organizationId,
  personIn,
  personOut,
  putOut,
  started,
} from '../testing/facts.js';
import {
  history,
  logAfter,
  lost,
  overdue,
  remove,
  requestEnd,
  transcript,
  typesOf,
} from '../testing/told.js';
import { callDecider } from './call.js';
import type { CallCommand, IngestCall, SettleAttempt } from './call-commands.js';
import type { CallEvent } from './call-events.js';

const ingestedBusy: IngestCall = {
  ...ingest,
  end: { ...busy.end, durationSeconds: null },
  error: busy.error,
};
const cancelled: SettleAttempt = {
  ...busy,
  end: {
    ...busy.end,
    status: 'cancelled',
    endedReason: 'cancelled_by_user',
    endedAt: '2026-03-01T10:00:30.000Z',
  },
  error: null,
};
const unknown: SettleAttempt = {
  ...busy,
  end: { ...busy.end, status: 'failed', endedReason: 'outcome_unknown' },
  error: { reason: 'outcome_unknown' },
};

const handedOverInbound: IngestCall = {
  ...ingest,
  description: { ...ingest.description, direction: 'inbound', outboundCallId: null },
};

/** Facts that agree with each other, six of a call and more. */
const agreeing: readonly (readonly [string, readonly CallCommand[]])[] = [
  ['that was held', heldCall],
  ['to a busy line', busyCall],
  ['that came in', inboundCall],
  ['that came in and was handed over', [...inboundCall.slice(0, 5), handedOverInbound]],
  ['that both dialer and runtime saw end', [started, opened, agentIn, closed, busy, ingestedBusy]],
  ['of which everything is told', [...heldCall, opened, personOut, lost]],
];
/** Two ends of one call that exclude each other: the first one is believed. */
const disagreeing: readonly (readonly [string, readonly CallCommand[]])[] = [
  ['was cancelled while it was held', [started, answered, agentIn, closed, cancelled, ingest]],
  ['nobody knew to be held', [started, answered, agentIn, closed, unknown, ingest]],
];

/** All of them at least once, in any order, up to eight of them again. */
const anyOrder = (facts: readonly CallCommand[]) =>
  fc
    .tuple(
      fc.shuffledSubarray([...facts], { minLength: facts.length }),
      fc.array(fc.constantFrom(...facts), { maxLength: 8 }),
    )
    .chain(([once, again]) =>
      fc.shuffledSubarray([...once, ...again], { minLength: once.length + again.length }),
    );

const count = (events: readonly CallEvent[], type: CallEvent['type']): number =>
  typesOf(events).filter((one) => one === type).length;

describe('the facts of one call', () => {
  it.each(agreeing)('lead to the same call %s, in any order and however often', (_name, facts) => {
    const expected = logAfter(...facts);
    fc.assert(
      fc.property(anyOrder(facts), (order) => {
        expect(logAfter(...order)).toEqual(expected);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ['hung up', [], 'user_hangup'],
    ['put out of the room in the second of the hang-up', [putOut], 'unknown'],
  ] as const)('that the runtime tells nothing of, in any order: %s', (_name, more, endedReason) => {
    const facts = [started, answered, agentIn, personIn, hungUp, closed, ...more];
    fc.assert(
      fc.property(anyOrder(facts), (order) => {
        const events = history(...order);
        const [ended] = callDecider.decide(overdue(60), fold(callDecider, events));
        expect(ended).toMatchObject({ type: 'CallEnded', data: { status: 'completed', endedReason } });
      }),
      { numRuns: 200 },
    );
  });

  it.each(disagreeing)('lead to the same call but for its end that %s', (_name, facts) => {
    const parts = (log: ReturnType<typeof logAfter>) => {
      const { status, outcome, endedReason, error, endedAt, durationSeconds, ...rest } = log;
      return { rest, end: { status, endedReason, endedAt } };
    };
    const { rest } = parts(logAfter(...facts));
    const ends = facts.flatMap((fact) => ('end' in fact ? [fact.end] : []));
    const told = ends.map(({ status, endedReason, endedAt }) => ({ status, endedReason, endedAt }));
    fc.assert(
      fc.property(anyOrder(facts), (order) => {
        const log = parts(logAfter(...order));
        expect(log.rest).toEqual(rest);
        expect(told).toContainEqual(log.end);
      }),
      { numRuns: 200 },
    );
  });

  it('never end it twice, whatever happens', () => {
    const anything = fc.constantFrom<CallCommand>(
      ...[started, opened, agentIn, personIn, personOut, closed, lost, answered],
      ...[busy, cancelled, unknown, transcript, ingest, ingestedBusy, requestEnd, remove],
      ...[overdue(3), overdue(8), overdue(60)],
    );
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 25 }), (commands) => {
        let events: readonly CallEvent[] = [];
        for (const command of commands) {
          try {
            events = [...events, ...callDecider.decide(command, fold(callDecider, events))];
          } catch (error) {
            expect(error).toBeInstanceOf(AppError);
          }
        }
        expect(count(events, 'CallEnded')).toBeLessThanOrEqual(1);
        expect(count(events, 'CallIngested')).toBeLessThanOrEqual(1);
        expect(count(events, 'CallAnswered')).toBeLessThanOrEqual(1);
        expect(count(events, 'CallDeleted')).toBeLessThanOrEqual(1);
      }),
      { numRuns: 600 },
    );
  });

  it('record no part of a transcript twice, and none after the hand-over', () => {
    const repeatedly = fc.array(fc.constantFrom<CallCommand>(started, transcript, ingest, closed), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(repeatedly, (commands) => {
        const events = history(...commands);
        expect(count(events, 'TranscriptRecorded')).toBeLessThanOrEqual(1);
        const last = typesOf(events).lastIndexOf('TranscriptRecorded');
        if (count(events, 'CallIngested') === 1)
          expect(last).toBeLessThan(typesOf(events).indexOf('CallIngested'));
      }),
      { numRuns: 200 },
    );
  });

  it('of another organization change nothing and tell nothing', () => {
    const foreign = '5d2cf4ce-0000-4000-8000-000000000000';
    const theirs = { description: { ...started.description, organizationId: foreign } };
    const ours = given(callDecider)(...history(started));
    ours.when({ ...started, ...theirs }).thenNothing();
    ours.when({ ...closed, ...theirs }).thenNothing();
    ours.when({ ...answered, organizationId: foreign }).thenNothing();
    ours.when({ ...busy, organizationId: foreign }).thenNothing();
    ours.when({ ...ingest, ...theirs }).thenRefused('INGEST_CONFLICT');
    for (const wish of [requestEnd, remove])
      ours.when({ ...wish, organizationId: foreign }).thenRefused('CALL_NOT_FOUND');
    expect(organizationId).not.toBe(foreign);
  });
});
