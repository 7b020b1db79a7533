// Stories of single calls, each with the final entry of the log. The whole table is in `call-table.spec.ts`.
import { describe, expect, it } from '@jest/globals';
import { CallLog } from '@parlance/contracts';
import { given } from '@parlance/fixtures/deciders';
import {
  agentIn,
  answered,
  busy,
  closed,
  fromInbound,
  hungUp,
  ingest,
  lineLost,
  opened,
  personIn,
  personOut,
  putOut,
  roomFact,
  started,
  turn,
} from '../testing/facts.js';
import {
  callAfter,
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
import type { CallCommand } from './call-commands.js';
import { toLiveCall } from './call-log.js';

const personBack = roomFact({
  kind: 'moved',
  participant: 'p',
  as: 'person',
  moved: 'in',
  at: '2026-03-01T10:00:40.500Z',
});
const secondPutOut = roomFact({
  kind: 'moved',
  participant: 'q',
  as: 'person',
  moved: 'out',
  at: '2026-03-01T10:00:39.000Z',
  leftBy: 'others',
});

const closing: readonly CallCommand[] = [started, answered, agentIn, personIn, closed];

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

  it('whose room is missed before its end is told went when the room did, and waits no longer for that', () => {
    const missed: CallCommand = { type: 'RecordRoomLost', now: '2026-03-01T10:00:55.000Z' };
    const held = [started, answered, agentIn, personIn];
    const told = logAfter(...held, missed, closed, overdue(25));
    expect(told).toMatchObject({ status: 'completed', endedAt: '2026-03-01T10:00:41.000Z' });
    expect(logAfter(...held, closed, missed, overdue(30)).endedAt).toBe(told.endedAt);
  });

  it('that was held waits for the hand-over, and is then ended as far as it is known', () => {
    const events = history(...closing);
    given(callDecider)(...events)
      .when(overdue(29))
      .thenNothing();
    expect(logAfter(...closing, overdue(30))).toMatchObject({
      status: 'completed',
      endedReason: 'unknown',
      answeredAt: '2026-03-01T10:00:05.000Z',
      durationSeconds: 36,
    });
  });

  describe('whose telephone lost its connection', () => {
    const held = [started, answered, agentIn, personIn, lineLost];
    const reported = (change: object) => ({ ...ingest, end: { ...ingest.end, ...change } });

    it.each(['agent_hangup', 'user_hangup', 'silence_timeout', null] as const)(
      'ends there as media_failure when the runtime says %s later, and the dead line is no talk',
      (endedReason) => {
        expect(logAfter(...held, reported({ endedReason }), closed)).toMatchObject({
          ...{ status: 'completed', endedReason: 'media_failure' },
          ...{ endedAt: '2026-03-01T10:00:20.000Z', durationSeconds: 15 },
        });
      },
    );

    it('keeps the reason of a runtime that knows more, and the end of one that ended before', () => {
      expect(logAfter(...held, reported({ endedReason: 'operator_ended' }))).toMatchObject({
        ...{ endedReason: 'operator_ended', durationSeconds: 36.5 },
      });
      const early = { endedReason: 'agent_hangup', endedAt: '2026-03-01T10:00:12.000Z', durationSeconds: 7 };
      expect(logAfter(...held, reported(early))).toMatchObject({
        ...{ endedAt: early.endedAt, durationSeconds: 7 },
      });
    });
  });

  describe('of which the runtime tells nothing', () => {
    const held = [started, answered, agentIn, personIn];

    it('was hung up by its telephone where the media server saw that', () => {
      expect(logAfter(...held, hungUp, closed, overdue(30))).toMatchObject({
        status: 'completed',
        outcome: 'answered',
        endedReason: 'user_hangup',
        endedAt: '2026-03-01T10:00:40.000Z',
        durationSeconds: 35,
      });
    });

    it('lost its media where the connection of its telephone broke', () => {
      expect(logAfter(...held, lineLost, closed, overdue(30))).toMatchObject({
        ...{ status: 'completed', endedReason: 'media_failure' },
        ...{ endedAt: '2026-03-01T10:00:20.000Z', durationSeconds: 15 },
      });
      expect(logAfter(...held, lineLost, personBack, closed, overdue(30)).endedReason).toBe('unknown');
    });

    it('ended with its agent where the process of that died, whatever the person did later', () => {
      const agentLost = roomFact({
        ...{ kind: 'moved', participant: 'a', as: 'agent', moved: 'out', at: '2026-03-01T10:00:20.000Z' },
        ...{ leftBy: 'others', lost: true },
      });
      for (const later of [[hungUp], [putOut], []])
        expect(logAfter(...held, agentLost, ...later, closed, overdue(30))).toMatchObject({
          ...{ status: 'completed', endedReason: 'error_runtime' },
          ...{ endedAt: '2026-03-01T10:00:20.000Z', durationSeconds: 15 },
        });
      const another = roomFact({
        ...{ kind: 'moved', participant: 'b', as: 'agent', moved: 'in', at: '2026-03-01T10:00:21.000Z' },
      });
      expect(logAfter(...held, agentLost, another, hungUp, closed, overdue(30)).endedReason).toBe(
        'user_hangup',
      );
    });

    it('never ends before it was answered, although webhooks tell whole seconds', () => {
      const late: CallCommand = { ...answered, answeredAt: '2026-03-01T10:00:40.900Z' };
      expect(logAfter(started, late, agentIn, personIn, hungUp, closed, overdue(30))).toMatchObject({
        ...{ answeredAt: late.answeredAt, endedAt: late.answeredAt },
        ...{ durationSeconds: 0, endedReason: 'user_hangup' },
      });
    });

    it.each<readonly [string, readonly CallCommand[], string]>([
      ['was put out of its room by others', [...held, putOut, closed], 'unknown'],
      ['left, for a reason that is not told', [...held, personOut, closed], 'unknown'],
      ['hung up, came back, and was still in the room', [...held, hungUp, personBack, closed], 'unknown'],
      ['hung up beside another one that was put out', [...held, hungUp, secondPutOut, closed], 'unknown'],
      [
        'hung up after an operator had asked for the end',
        [...held, requestEnd, hungUp, closed],
        'operator_ended',
      ],
      ['hung up before an answer', [started, agentIn, personIn, hungUp, closed], 'room_lost'],
      [
        'hung up on a call without an agent',
        [started, answered, personIn, hungUp, closed],
        'agent_unavailable',
      ],
    ])('was not hung up by a telephone that %s', (_, facts, endedReason) => {
      expect(logAfter(...facts, overdue(60)).endedReason).toBe(endedReason);
    });

    it('takes the late word of the runtime for truer', () => {
      const byAgent = { ...ingest, end: { ...ingest.end, endedReason: 'agent_hangup' } } as const;
      const log = logAfter(...held, hungUp, closed, overdue(30), byAgent);
      expect(log).toMatchObject({ status: 'completed', endedReason: 'agent_hangup', messageCount: 2 });
    });
  });

  it('that was ended without being told takes the details from a late hand-over', () => {
    const log = logAfter(...closing, overdue(30), ingest);
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

  it('of which an operator cut off the dial ends there and then, in whatever order the rest is told', () => {
    const cut = { status: 'cancelled', outcome: 'cancelled', endedReason: 'operator_ended' };
    const dialCancelledAt = '2026-03-01T10:00:04.000Z';
    const ended: CallCommand = { ...requestEnd, dialCancelledAt };
    const settled: CallCommand = {
      ...busy,
      end: { ...busy.end, status: 'cancelled', endedReason: 'operator_ended', endedAt: dialCancelledAt },
    };
    const unanswered: CallCommand = {
      ...busy,
      end: { ...busy.end, status: 'no_answer', endedReason: 'no_answer' },
    };
    expect(typesOf(history(started, ended)).slice(-2)).toEqual(['CallEndRequested', 'CallEnded']);
    for (const story of [
      [ended],
      [ended, settled, closed, lost],
      [settled, ended, closed],
      [closed, ended, settled],
      [closed, settled, overdue(60), ended],
      // A dialer of an older release calls the dial that lost its room unanswered.
      [ended, unanswered],
    ])
      expect(logAfter(started, agentIn, ...story)).toMatchObject({ ...cut, endedAt: dialCancelledAt });
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

  it('that was cancelled before its answer was told is answered once the hand-over says so', () => {
    const endedAt = '2026-03-01T10:00:25.000Z';
    const cancelled: CallCommand = {
      ...busy,
      end: { ...busy.end, status: 'cancelled', endedReason: 'cancelled_by_user', endedAt },
    };
    expect(logAfter(started, cancelled, answered, ingest)).toMatchObject({
      status: 'cancelled',
      answeredAt: '2026-03-01T10:00:05.000Z',
      endedAt,
      durationSeconds: 20,
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
    const first: CallCommand = { ...transcript, parts: [part(0), part(1)] };
    const rest: CallCommand = { ...ingest, parts: [part(2)] };
    const recorded = history(started, first, first, rest).filter(({ type }) => type === 'TranscriptRecorded');
    expect(recorded.map(({ data }) => 'part' in data && data.part)).toEqual([0, 1, 2]);
  });

  it('that is handed over in several appends has its end with the first: nobody closes it for want of a room', () => {
    const rest: CallCommand = { ...ingest, parts: [{ part: 1, turns: [turn(1)] }] };
    const told = [transcript, lost, overdue(3_600), rest];
    expect(typesOf(history(...told))).toEqual([
      'CallDescribed',
      'CallEnded',
      'TranscriptRecorded',
      'TranscriptRecorded',
      'CallIngested',
    ]);
    const { status, endedAt, durationSeconds } = ingest.end;
    expect(logAfter(...told)).toMatchObject({ status, endedAt, durationSeconds });
  });

  it('whose end was inferred keeps that status, and gets the times that the runtime tells', () => {
    const inbound = { ...ingest.description, direction: 'inbound', outboundCallId: null } as const;
    const [noticedAt, dueBy] = ['2026-03-01T13:00:00.000Z', '2026-03-01T14:00:00.000Z'];
    const inferred: CallCommand[] = [
      { ...started, description: inbound },
      { ...lost, now: noticedAt },
      { type: 'EndOverdue', now: dueBy },
    ];
    expect(logAfter(...inferred)).toMatchObject({ status: 'failed', endedAt: noticedAt });
    const { endedAt, durationSeconds } = ingest.end;
    const log = logAfter(...inferred, { ...ingest, description: inbound });
    expect(log).toMatchObject({ status: 'failed', endedAt, durationSeconds });
  });

  it('that was deleted takes its end and nothing of what was said', () => {
    const events = history(started, answered, remove, ingest);
    expect(typesOf(events).slice(-2)).toEqual(['CallDeleted', 'CallEnded']);
  });
});

describe('a conversation in text with a visitor who consented', () => {
  it('shows in log and webhooks with fields of the contract alone', () => {
    const { description } = started;
    const consent = { consentVersion: '2', consentAt: started.now };
    const log = logAfter({ ...started, description: { ...description, inText: true, ...consent } });
    expect(Object.keys(log).filter((field) => !(field in CallLog.shape))).toEqual([]);
    expect(log.consent).toMatchObject({ type: 'widget', textVersion: '2' });
  });
});
