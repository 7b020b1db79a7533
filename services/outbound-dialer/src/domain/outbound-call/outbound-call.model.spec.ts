// Any commands in any order, any number of times: the invariants of an outbound call hold in every case.
import { describe, expect, it } from '@jest/globals';
import { isTerminal } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { fold } from '@parlance/event-sourcing';
import fc from 'fast-check';
import { at, callEnd, commands, organizationId } from '../../testing/histories.js';
import { type OutboundCallCommand, outboundCallDecider } from './outbound-call.js';
import { type OutboundCallEvent, outboundCallEvents } from './outbound-call-events.js';
import type { OutboundCall } from './outbound-call-state.js';
import { statusOf, toOutboundCallDetail, toStatusView } from './outbound-call-view.js';

const seconds = fc.integer({ min: 0, max: 2_000 });
const moment = seconds.map(at);
const number = fc.integer({ min: 1, max: 4 });
const ofAttempt = { attemptId: number.map((n) => `attempt-${n}`), now: moment };

const command: fc.Arbitrary<OutboundCallCommand> = fc.oneof(
  fc.constant(commands.PlaceCall),
  fc.constant(commands.PlaceAndStart),
  fc.record({ n: number, s: seconds }).map(
    ({ n, s }): OutboundCallCommand => ({
      type: 'StartAttempt',
      attempt: n,
      attemptId: `attempt-${n}`,
      callId: `call-${n}`,
      roomName: `room-${n}`,
      deadlineAt: at(s + 100),
      now: at(s),
    }),
  ),
  fc.record({ type: fc.constant('RecordAnswer' as const), ...ofAttempt, providerCallId: fc.constant('SCL') }),
  fc.record({
    type: fc.constant('RecordRefusal' as const),
    ...ofAttempt,
    status: fc.constantFrom('busy' as const, 'no_answer' as const, 'failed' as const),
    endedReason: fc.constantFrom('busy' as const, 'declined' as const, 'provider_rejected' as const),
    sipStatus: fc.constantFrom(486, 603, 429, null),
    providerCode: fc.constant(null),
    retryAt: fc.option(moment),
  }),
  fc.record({ type: fc.constant('RecordDoubt' as const), ...ofAttempt }),
  fc.record({
    type: fc.constant('Adopt' as const),
    ...ofAttempt,
    providerCallId: fc.constant('SCL'),
    isAnswered: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('Abandon' as const),
    ...ofAttempt,
    reason: fc.constant('unknown' as const),
    retryAt: moment,
  }),
  fc.record({ type: fc.constantFrom('GiveUp' as const, 'RecordHangUp' as const), ...ofAttempt }),
  fc.record({
    type: fc.constant('SettleCall' as const),
    callId: number.map((n) => `call-${n}`),
    facts: fc.constant(callEnd),
    now: moment,
  }),
  fc.record({
    type: fc.constant('CancelCall' as const),
    reason: fc.constantFrom('cancelled_by_user' as const, 'campaign_cancelled' as const),
    organizationId: fc.constant(organizationId),
    now: moment,
  }),
  fc.record({
    type: fc.constant('EndAttempt' as const),
    organizationId: fc.constant(organizationId),
    callId: number.map((n) => `call-${n}`),
    now: moment,
  }),
  fc.record({
    type: fc.constant('RetryCall' as const),
    organizationId: fc.constant(organizationId),
    retryId: fc.constantFrom('r1', 'r2'),
    agentName: fc.constant('Ada'),
    configVersion: fc.constant(2),
    now: moment,
  }),
);

/** Ends the call: nothing more may happen to it, unless a person asks for another attempt. */
const isEnd = (event: OutboundCallEvent): boolean => {
  switch (event.type) {
    case 'AttemptRejected':
    case 'AttemptAbandoned':
      return event.data.nextAttemptAt === null;
    case 'AttemptEnded':
    case 'AttemptOutcomeUnknown':
    case 'OutboundCallCancelled':
      return true;
    default:
      return false;
  }
};

interface Run {
  readonly events: readonly OutboundCallEvent[];
  readonly states: readonly OutboundCall[];
}

const run = (sequence: readonly OutboundCallCommand[]): Run => {
  const events: OutboundCallEvent[] = [];
  const states: OutboundCall[] = [outboundCallDecider.initialState];
  let state = outboundCallDecider.initialState;
  for (const next of sequence) {
    let decided: readonly OutboundCallEvent[] = [];
    try {
      decided = outboundCallDecider.decide(next, state);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
    for (const event of decided) {
      events.push(event);
      state = outboundCallDecider.evolve(state, event);
      states.push(state);
    }
  }
  return { events, states };
};

const anyRun = (check: (run: Run) => void): void =>
  fc.assert(
    fc.property(fc.array(command, { maxLength: 40 }), (sequence) =>
      check(run([commands.PlaceCall, ...sequence])),
    ),
    { numRuns: 300 },
  );

describe('whatever is asked of an outbound call, in whatever order and however often', () => {
  it('it ends once, and once more for each time a person asked for another attempt', () => {
    anyRun(({ events }) => {
      const turns = events.filter((event) => isEnd(event) || event.type === 'OutboundCallRetried').map(isEnd);
      expect(turns).toEqual(turns.map((_, index) => index % 2 === 0));
    });
  });

  it('no attempt starts twice, after the end, or while another is in progress', () => {
    anyRun(({ events }) => {
      const started = events.flatMap((event) =>
        event.type === 'AttemptStarted' ? [event.data.attempt] : [],
      );
      expect(started).toEqual(started.map((_, index) => index + 1));
      let isOpen = false;
      for (const event of events) {
        if (event.type === 'AttemptStarted') {
          expect(isOpen).toBe(false);
          isOpen = true;
        }
        if (/^Attempt(Rejected|Abandoned|Ended|OutcomeUnknown)$|Cancelled$/.test(event.type)) isOpen = false;
      }
    });
  });

  it('at most three attempts are made for one wish', () => {
    anyRun(({ events }) => {
      let attempts = 0;
      for (const { type } of events) {
        if (type === 'OutboundCallRetried') attempts = 0;
        if (type === 'AttemptStarted') attempts += 1;
        expect(attempts).toBeLessThanOrEqual(3);
      }
    });
  });

  it('what is over stays as it was', () => {
    anyRun(({ states }) => {
      for (const [index, state] of states.entries()) {
        const before = states[index - 1];
        if (before === undefined || before.phase === 'absent' || state.phase === 'absent') continue;
        expect(state.past.slice(0, before.past.length)).toEqual(before.past);
        for (const attempt of state.past) expect(isTerminal(attempt.status)).toBe(true);
      }
    });
  });

  it('the state is the fold of the events, and survives being stored as JSON', () => {
    anyRun(({ events, states }) => {
      const state = fold(outboundCallDecider, events);
      expect(state).toEqual(states.at(-1));
      expect(JSON.parse(JSON.stringify(state))).toEqual(state);
    });
  });

  it('its views agree with each other and with its phase', () => {
    anyRun(({ states }) => {
      for (const state of states) {
        if (state.phase === 'absent') continue;
        const detail = toOutboundCallDetail('id', state);
        const view = toStatusView('id', state);
        expect(view).toMatchObject({ status: statusOf(state), outcome: detail.outcome });
        expect(view.terminal).toBe(isTerminal(detail.status));
        expect(detail.endedAt === null).toBe(!view.terminal);
        expect(detail.attempts?.filter(({ status }) => !isTerminal(status)).length).toBe(
          state.phase === 'dialing' || state.phase === 'connected' ? 1 : 0,
        );
      }
    });
  });

  it('every event fits the storage format', () => {
    anyRun(({ events }) => {
      for (const event of events) expect(() => outboundCallEvents.encode(event)).not.toThrow();
    });
  });
});
