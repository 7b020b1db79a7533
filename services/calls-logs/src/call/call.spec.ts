import { describe, expect, it } from '@jest/globals';
import { AppError } from '@parlance/errors';
import { fold } from '@parlance/event-sourcing';
import { given } from '@parlance/event-sourcing/testing';
import fc from 'fast-check';
import {
  agentIn,
  answered,
  busy,
  busyCall,
  closed,
  fromInbound,
  heldCall,
  inboundCall,
  ingest,
  opened,
  organizationId,
  personIn,
  personOut,
  started,
  turn,
} from '../testing/facts.js';
import { callDecider } from './call.js';
import type { CallCommand } from './call-commands.js';
import type { CallEvent } from './call-events.js';
import { toCallLog, toLiveCall } from './call-log.js';
import type { Call } from './call-state.js';

/** The events after these commands; one that comes before its call is known comes again, as a message would. */
const history = (...commands: readonly CallCommand[]): CallEvent[] => {
  const events: CallEvent[] = [];
  const waiting = [...commands];
  let refusals = 0;
  for (let command = waiting.shift(); command !== undefined; command = waiting.shift()) {
    try {
      events.push(...callDecider.decide(command, fold(callDecider, events)));
      refusals = 0;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'CALL_NOT_FOUND' || refusals > waiting.length)
        throw error;
      refusals += 1;
      waiting.push(command);
    }
  }
  return events;
};

const callAfter = (...commands: readonly CallCommand[]): Call => {
  const state = fold(callDecider, history(...commands));
  if (state.phase === 'absent') throw new Error('no call');
  return state;
};
const logAfter = (...commands: readonly CallCommand[]) => toCallLog('c', callAfter(...commands));
const types = (events: readonly CallEvent[]) => events.map(({ type }) => type);
const later = (seconds: number) => new Date(Date.parse(started.now) + seconds * 1_000).toISOString();
const overdue = (seconds: number): CallCommand => ({ type: 'EndOverdue', now: later(seconds) });
const requestEnd: CallCommand = { type: 'RequestEnd', now: later(1), organizationId, by: 'user:1' };
const remove: CallCommand = { type: 'DeleteCall', now: later(2), organizationId, by: 'user:1' };
const lost: CallCommand = { type: 'RecordRoomLost', now: later(1) };
const transcript: CallCommand = {
  ...ingest,
  type: 'RecordTranscript',
  parts: [{ part: 0, turns: [turn(0)] }],
};

const states = {
  absent: [],
  ringing: [started],
  in_progress: [started, answered, agentIn, personIn],
  closing: [started, answered, agentIn, personIn, closed],
  ended: [started, busy],
  ingested: [...heldCall],
  deleted: [...heldCall, remove],
} satisfies Record<string, readonly CallCommand[]>;
type StateName = keyof typeof states;

type Expected = readonly CallEvent['type'][] | 'CALL_NOT_FOUND' | 'INGEST_CONFLICT';
const whole = ['TranscriptRecorded', 'CallEnded', 'CallIngested'] as const;
const nothing: readonly CallEvent['type'][] = [];

/** Every state and every command. */
const table: Record<StateName, Record<string, Expected>> = {
  absent: {
    DescribeCall: ['CallDescribed'],
    RecordRoomFact: ['CallDescribed', 'RoomClosed'],
    RecordAnswer: 'CALL_NOT_FOUND',
    SettleAttempt: 'CALL_NOT_FOUND',
    RecordRoomLost: nothing,
    EndOverdue: nothing,
    RequestEnd: 'CALL_NOT_FOUND',
    RecordTranscript: ['CallDescribed', 'TranscriptRecorded'],
    IngestCall: ['CallDescribed', ...whole],
    DeleteCall: 'CALL_NOT_FOUND',
  },
  ringing: {
    DescribeCall: nothing,
    RecordRoomFact: ['RoomClosed'],
    RecordAnswer: ['CallAnswered', 'CallDescribed'],
    SettleAttempt: ['CallEnded'],
    RecordRoomLost: ['RoomClosed'],
    EndOverdue: nothing,
    RequestEnd: ['CallEndRequested'],
    RecordTranscript: ['TranscriptRecorded'],
    IngestCall: whole,
    DeleteCall: ['CallDeleted'],
  },
  in_progress: {
    DescribeCall: nothing,
    RecordRoomFact: ['RoomClosed'],
    RecordAnswer: nothing,
    SettleAttempt: ['CallEnded'],
    RecordRoomLost: ['RoomClosed'],
    EndOverdue: nothing,
    RequestEnd: ['CallEndRequested'],
    RecordTranscript: ['TranscriptRecorded'],
    IngestCall: whole,
    DeleteCall: ['CallDeleted'],
  },
  closing: {
    DescribeCall: nothing,
    RecordRoomFact: nothing,
    RecordAnswer: nothing,
    SettleAttempt: ['CallEnded'],
    RecordRoomLost: nothing,
    EndOverdue: ['CallEnded'],
    RequestEnd: nothing,
    RecordTranscript: ['TranscriptRecorded'],
    IngestCall: whole,
    DeleteCall: ['CallDeleted'],
  },
  ended: {
    DescribeCall: nothing,
    RecordRoomFact: nothing,
    RecordAnswer: ['CallDescribed'],
    SettleAttempt: nothing,
    RecordRoomLost: nothing,
    EndOverdue: nothing,
    RequestEnd: nothing,
    RecordTranscript: 'INGEST_CONFLICT',
    IngestCall: 'INGEST_CONFLICT',
    DeleteCall: ['CallDeleted'],
  },
  ingested: {
    DescribeCall: nothing,
    RecordRoomFact: nothing,
    RecordAnswer: nothing,
    SettleAttempt: nothing,
    RecordRoomLost: nothing,
    EndOverdue: nothing,
    RequestEnd: nothing,
    RecordTranscript: nothing,
    IngestCall: nothing,
    DeleteCall: ['CallDeleted'],
  },
  deleted: {
    DescribeCall: nothing,
    RecordRoomFact: nothing,
    RecordAnswer: nothing,
    SettleAttempt: nothing,
    RecordRoomLost: nothing,
    EndOverdue: nothing,
    RequestEnd: 'CALL_NOT_FOUND',
    RecordTranscript: nothing,
    IngestCall: nothing,
    DeleteCall: 'CALL_NOT_FOUND',
  },
};

const commands: readonly CallCommand[] = [
  started,
  closed,
  answered,
  busy,
  lost,
  overdue(60),
  requestEnd,
  transcript,
  ingest,
  remove,
];

describe('every command in every state', () => {
  const cells = Object.entries(table).flatMap(([state, row]) =>
    commands.map((command) => ({ state: state as StateName, command, expected: row[command.type] })),
  );
  it.each(cells)('$state: $command.type', ({ state, command, expected }) => {
    const outcome = () => callDecider.decide(command, fold(callDecider, history(...states[state])));
    if (typeof expected === 'string')
      given(callDecider)(...history(...states[state]))
        .when(command)
        .thenRefused(expected);
    else expect(types(outcome())).toEqual(expected);
  });

  it('repeating a command at once decides nothing or is refused', () => {
    for (const commandsBefore of Object.values(states)) {
      for (const command of commands) {
        const before = history(...commandsBefore);
        const state = fold(callDecider, before);
        let decided: readonly CallEvent[];
        try {
          decided = callDecider.decide(command, state);
        } catch {
          continue;
        }
        const again = given(callDecider)(...before, ...decided).when(command);
        if (command.type === 'DeleteCall') again.thenRefused('CALL_NOT_FOUND');
        else again.thenNothing();
      }
    }
  });
});

describe('the facts of one call', () => {
  const anyOrder = (facts: readonly CallCommand[]) =>
    fc
      .tuple(
        fc.shuffledSubarray([...facts], { minLength: facts.length }),
        fc.array(fc.constantFrom(...facts), { maxLength: 6 }),
      )
      .chain(([once, again]) =>
        fc.shuffledSubarray([...once, ...again], { minLength: once.length + again.length }),
      );

  it.each([
    ['that was held', heldCall],
    ['to a busy line', busyCall],
    ['that came in', inboundCall],
  ])('lead to the same call %s, in any order and however often', (_name, facts) => {
    const expected = logAfter(...facts);
    fc.assert(
      fc.property(anyOrder(facts), (told) => {
        expect(logAfter(...told)).toEqual(expected);
      }),
      { numRuns: 800 },
    );
  });

  it('never end it twice, whatever happens', () => {
    const anything = fc.constantFrom(
      ...commands,
      agentIn,
      personIn,
      personOut,
      opened,
      overdue(3),
      overdue(8),
    );
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 25 }), (told) => {
        let events: readonly CallEvent[] = [];
        for (const command of told) {
          try {
            events = [...events, ...callDecider.decide(command, fold(callDecider, events))];
          } catch (error) {
            expect(error).toBeInstanceOf(AppError);
          }
        }
        expect(types(events).filter((type) => type === 'CallEnded').length).toBeLessThanOrEqual(1);
        expect(types(events).filter((type) => type === 'CallIngested').length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 2_000 },
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
  });
});

describe('a call', () => {
  it('is described by whoever knows best, and the others fill the gaps', () => {
    const log = logAfter(
      { ...opened, description: { ...opened.description, campaignId: 'k' } },
      started,
      ingest,
    );
    expect(log).toMatchObject({
      startedAt: started.description.startedAt,
      campaignId: 'k',
      configVersion: 3,
    });
  });

  it('without a dialer is answered when agent and person have met', () => {
    const inbound = { ...fromInbound(agentIn) };
    expect(callAfter(fromInbound(personIn)).answeredAt).toBeNull();
    expect(callAfter(inbound, fromInbound(personIn)).answeredAt).toBe('2026-03-01T10:00:02.000Z');
    expect(callAfter(fromInbound(personIn), inbound).answeredAt).toBe('2026-03-01T10:00:02.000Z');
  });

  it('shows who is in the room, however the comings and goings arrive', () => {
    const live = (...facts: CallCommand[]) =>
      toLiveCall('c', callAfter(started, ...facts), new Date(started.now));
    expect(live(agentIn, personIn)).toMatchObject({ participants: 2, status: 'ringing' });
    expect(live(agentIn, personIn, personOut)).toMatchObject({ participants: 1 });
    expect(live(personOut, agentIn, personIn)).toMatchObject({ participants: 1 });
    expect(live(closed)).toBeUndefined();
  });

  it('whose agent never came fails at once as agent_unavailable', () => {
    const events = history(started, answered, personIn, closed);
    given(callDecider)(...events)
      .when(overdue(4))
      .thenNothing();
    expect(logAfter(started, answered, personIn, closed, overdue(5))).toMatchObject({
      status: 'failed',
      outcome: 'failed',
      endedReason: 'agent_unavailable',
      error: { reason: 'agent_unavailable' },
      endedAt: '2026-03-01T10:00:41.000Z',
    });
  });

  it('that was held waits for the hand-over, and is then ended as far as it is known', () => {
    const events = history(...states.closing);
    given(callDecider)(...events)
      .when(overdue(29))
      .thenNothing();
    expect(logAfter(...states.closing, overdue(30))).toMatchObject({
      status: 'completed',
      endedReason: 'unknown',
      answeredAt: '2026-03-01T10:00:05.000Z',
      durationSeconds: 36,
    });
  });

  it('that was ended without being told takes the details from a late hand-over', () => {
    const log = logAfter(...states.closing, overdue(30), ingest);
    expect(log).toMatchObject({
      status: 'completed',
      endedReason: 'user_hangup',
      durationSeconds: 36.5,
      messageCount: 2,
    });
  });

  it('keeps its status when a late hand-over disagrees with what was inferred, and takes the rest', () => {
    const log = logAfter(started, answered, closed, overdue(30), ingest);
    expect(log).toMatchObject({
      status: 'failed',
      endedReason: 'agent_unavailable',
      messageCount: 2,
      summary: 'They talked.',
    });
  });

  it('that an operator ended before anybody answered is cancelled', () => {
    expect(logAfter(started, agentIn, requestEnd, closed, overdue(60))).toMatchObject({
      status: 'cancelled',
      endedReason: 'operator_ended',
    });
  });

  it('that the dialer cancelled takes what was said until then', () => {
    const cancelled: CallCommand = {
      ...busy,
      end: { ...busy.end, status: 'cancelled', endedReason: 'cancelled_by_user' },
    };
    expect(logAfter(started, answered, cancelled, ingest)).toMatchObject({
      status: 'cancelled',
      messageCount: 2,
    });
  });

  it('cannot be handed over twice with different content, or as the call of another agent', () => {
    const other = { ...ingest, ingestId: 'i2', personal: { ...ingest.personal, digest: 'd2' } };
    given(callDecider)(...history(ingest))
      .when(other)
      .thenRefused('INGEST_CONFLICT');
    given(callDecider)(...history(ingest))
      .when({ ...ingest, ingestId: 'i2' })
      .thenNothing();
    const wrongAgent = { ...ingest, description: { ...ingest.description, agentId: 'other' } };
    given(callDecider)(...history(started))
      .when(wrongAgent)
      .thenRefused('INGEST_CONFLICT');
  });

  it('takes a transcript in several appends, and each part once', () => {
    const part = (number: number) => ({ part: number, turns: [turn(number)] });
    const first: CallCommand = { ...ingest, type: 'RecordTranscript', parts: [part(0), part(1)] };
    const rest: CallCommand = { ...ingest, parts: [part(2)] };
    const recorded = history(started, first, first, rest).filter(({ type }) => type === 'TranscriptRecorded');
    expect(recorded.map(({ data }) => 'part' in data && data.part)).toEqual([0, 1, 2]);
  });

  it('that was deleted takes its end and nothing of what was said', () => {
    const events = history(started, answered, remove, ingest);
    expect(types(events).slice(-2)).toEqual(['CallDeleted', 'CallEnded']);
  });
});
