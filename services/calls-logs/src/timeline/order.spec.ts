// No reader of a timeline finds an effect before its cause, however coarse the times are that the sources tell.
import { describe, expect, it } from '@jest/globals';
import type { CallTimelineEntry } from '@parlance/contracts';
import fc from 'fast-check';
import { inOrderOfCause } from './order.js';

const callId = 'call-2';
const actor = { type: 'platform', id: 'test' };
type Kind = CallTimelineEntry['kind'];
type Details = Readonly<Record<string, unknown>>;

const entry = (kind: Kind, at: string, details: Details = {}): CallTimelineEntry =>
  // The order depends on the kind, the time and few details; an entry of a test holds no others.
  ({ actor, kind, at: `2026-03-01T10:00:${at}Z`, details }) as unknown as CallTimelineEntry;
const attempt = (kind: Kind, at: string, ofCall = callId) => entry(kind, at, { callId: ofCall });
const joined = (participant: string, at: string) => entry('participant.joined', at, { participant });
const left = (participant: string, at: string, leftBy: string | null) =>
  entry('participant.left', at, { participant, leftBy });
const ended = (at: string, toldBy: string) => entry('call.ended', at, { toldBy });

const shown = (attempts: readonly CallTimelineEntry[], others: readonly CallTimelineEntry[]): string[] =>
  inOrderOfCause(callId, attempts, others).map(({ kind, details }) =>
    'participant' in details ? `${kind} ${details.participant}` : kind,
  );

describe('the order of a timeline', () => {
  it('has the agent join after the call was placed, though the media server tells whole seconds', () => {
    const attempts = [
      ...[entry('outbound.placed', '05.412'), attempt('attempt.started', '05.480')],
      ...[attempt('attempt.answered', '05.903'), attempt('attempt.ended', '05.990')],
    ];
    const others = [
      ...[entry('call.started', '05.480'), joined('agent', '05.000'), joined('person', '05.000')],
      ...[
        entry('call.answered', '05.903'),
        left('person', '05.000', 'itself'),
        left('agent', '05.000', null),
      ],
      ...[entry('room.closed', '05.000'), ended('05.950', 'runtime'), entry('call.handed_over', '05.985')],
    ];
    expect(shown(attempts, others)).toEqual([
      ...['outbound.placed', 'attempt.started', 'call.started', 'participant.joined agent'],
      ...['participant.joined person', 'attempt.answered', 'call.answered', 'participant.left person'],
      ...['call.ended', 'participant.left agent', 'room.closed', 'call.handed_over', 'attempt.ended'],
    ]);
  });

  it('is that of the times where these can tell', () => {
    const others = [
      ...[ended('30.000', 'runtime'), entry('tool.ran', '20.500'), joined('agent', '02.000')],
      ...[entry('call.started', '01.700'), entry('tool.ran', '10.250'), entry('initiation.asked', '01.250')],
    ];
    expect(shown([], others)).toEqual([
      ...[
        'initiation.asked',
        'call.started',
        'participant.joined agent',
        'tool.ran',
        'tool.ran',
        'call.ended',
      ],
    ]);
  });

  it('keeps the stream of the dialer as it is, and each attempt before the things that happened in it', () => {
    const attempts = [
      ...[entry('outbound.placed', '01.000'), attempt('attempt.started', '01.100', 'call-1')],
      ...[attempt('attempt.rejected', '01.000', 'call-1'), entry('outbound.retried', '01.300')],
      ...[attempt('attempt.started', '01.400'), attempt('attempt.abandoned', '01.500')],
      ...[attempt('attempt.started', '01.600', 'call-3')],
    ];
    const others = [joined('agent', '01.000'), ended('01.500', 'dialer'), left('agent', '01.000', 'others')];
    expect(shown(attempts, others)).toEqual([
      ...['outbound.placed', 'attempt.started', 'attempt.rejected', 'outbound.retried', 'attempt.started'],
      ...['participant.joined agent', 'attempt.abandoned', 'call.ended', 'participant.left agent'],
      'attempt.started',
    ]);
  });

  it('tells an inferred end after the room is gone, and any other end before', () => {
    const room = [left('agent', '09.000', null), entry('room.closed', '09.000')];
    expect(shown([], [ended('09.000', 'inferred'), ...room]).at(-1)).toBe('call.ended');
    for (const toldBy of ['dialer', 'runtime'])
      expect(shown([], [...room, ended('09.400', toldBy)])).toEqual([
        ...['call.ended', 'participant.left agent', 'room.closed'],
      ]);
  });

  it('keeps the order of entries of one kind and moment', () => {
    const runs = ['a', 'b', 'c'].map((name) => entry('tool.ran', '07.125', { name }));
    expect(inOrderOfCause(callId, [], runs)).toEqual(runs);
  });
});

describe('any mixture of entries', () => {
  const course = ['call.started', 'participant.joined', 'call.answered', 'tool.ran', 'room.closed'] as const;
  const moment = fc.oneof(
    fc.integer({ min: 0, max: 3 }).map((s) => s * 1_000),
    fc.nat(3_999),
  );
  const at = (ms: number): string => (ms / 1_000).toFixed(3).padStart(6, '0');
  const others = fc.array(fc.tuple(fc.constantFrom(...course), moment), { maxLength: 12 });
  const dialer = fc.array(moment, { maxLength: 4 });

  it('loses no entry, keeps the stream of the dialer, and has no effect before a cause that may be earlier', () => {
    const latestOf = ({ at }: CallTimelineEntry): number => Date.parse(at) + (at.endsWith('.000Z') ? 999 : 0);
    const inCourse: readonly string[] = course;
    const placeOf = ({ kind }: CallTimelineEntry): number => inCourse.indexOf(kind);
    fc.assert(
      fc.property(dialer, others, (starts, facts) => {
        const attempts = starts.map((ms) => attempt('attempt.started', at(ms)));
        const entries = facts.map(([kind, ms]) => entry(kind, at(ms), { participant: 'agent' }));
        const all = inOrderOfCause(callId, attempts, entries);
        expect(new Set(all)).toEqual(new Set([...attempts, ...entries]));
        expect(all.filter((one) => attempts.includes(one))).toEqual(attempts);
        for (const [index, effect] of all.entries())
          for (const later of all.slice(index + 1))
            if (placeOf(later) < placeOf(effect))
              expect(Date.parse(later.at)).toBeGreaterThan(latestOf(effect));
      }),
    );
  });
});
