// Tools that the platform ran stand in the transcript, reported by the runtime or not.
import { describe, expect, it } from '@jest/globals';
import { fold } from '@parlance/event-sourcing';
import { ingest, started, toolRun, turn } from '../testing/facts.js';
import { history, logAfter, transcript } from '../testing/told.js';
import { callDecider } from './call.js';
import type { CallCommand, IngestCall } from './call-commands.js';

const turnsAfter = (...commands: readonly CallCommand[]) =>
  history(...commands).flatMap((event) =>
    event.type === 'TranscriptRecorded' ? (event.personal?.turns ?? []) : [],
  );
/** The run of this number begins so long after the answer of the call. */
const runAt = (number: number, seconds: number, name = 'find_order') => {
  const { run, ...command } = toolRun(number);
  const at = new Date(Date.parse('2026-03-01T10:00:05.000Z') + seconds * 1_000).toISOString();
  return { ...command, run: { ...run, name, at, result: { number } } };
};
const toolTurn = (seq: number, seconds: number, name = 'find_order') => ({
  ...turn(seq, ''),
  ...{ role: 'tool' as const, startMs: seconds * 1_000 },
  toolCall: { toolId: null, name, arguments: {}, result: 'told', status: 'ok' as const, durationMs: 5 },
});
const handedOver = (...turns: readonly ReturnType<typeof turn>[]): IngestCall => ({
  ...ingest,
  parts: [{ part: 0, turns }],
  details: { ...ingest.details, messageCount: turns.length },
});
const resultsIn = (turns: ReturnType<typeof turnsAfter>) =>
  turns.map(({ seq, toolCall }) => [seq, toolCall === null ? 'words' : toolCall.result]);

describe('a tool that the platform ran', () => {
  it('has its turn between those of its time when the runtime reported none', () => {
    const turns = turnsAfter(started, runAt(2, 7), runAt(1, 0.5), handedOver(turn(0), turn(1)));
    expect(resultsIn(turns)).toEqual([
      [0, 'words'],
      [1, { number: 1 }],
      [2, 'words'],
      [3, { number: 2 }],
    ]);
    expect(turns[1]).toMatchObject({
      role: 'tool',
      startMs: 500,
      endMs: 620,
      toolCall: { name: 'find_order', arguments: { order: 'A-1' }, status: 'ok', durationMs: 120 },
    });
    expect(logAfter(started, runAt(1, 0.5), handedOver(turn(0), turn(1))).messageCount).toBe(3);
  });

  it('has one turn when the runtime reported it, whatever the clock of the runtime says', () => {
    for (const seconds of [0.5, 90])
      expect(
        resultsIn(turnsAfter(started, runAt(1, 0.5), handedOver(turn(0), toolTurn(1, seconds)))),
      ).toEqual([
        [0, 'words'],
        [1, 'told'],
      ]);
  });

  it('has its turn when the runtime reported only another run of it, or another tool', () => {
    const runs = [runAt(1, 1), runAt(2, 20)];
    expect(resultsIn(turnsAfter(started, ...runs, handedOver(toolTurn(0, 19))))).toEqual([
      [0, { number: 1 }],
      [1, 'told'],
    ]);
    expect(resultsIn(turnsAfter(started, runAt(1, 1), handedOver(toolTurn(0, 1, 'other'))))).toHaveLength(2);
  });

  it('has its turn at the end when it is reported after the hand-over, once', () => {
    const events = [started, handedOver(turn(4), toolTurn(5, 1)), runAt(1, 1), runAt(2, 3), runAt(2, 3)];
    expect(resultsIn(turnsAfter(...events))).toEqual([
      [4, 'words'],
      [5, 'told'],
      [6, { number: 2 }],
    ]);
    expect(logAfter(...events).messageCount).toBe(3);
  });

  it('has its turn at the end of a transcript that came in several appends', () => {
    const last = { ...ingest, parts: [{ part: 1, turns: [turn(1)] }] };
    const whole = [started, runAt(1, 0.2), transcript, last];
    expect(resultsIn(turnsAfter(...whole))).toEqual([
      [0, 'words'],
      [1, 'words'],
      [2, { number: 1 }],
    ]);
    expect(fold(callDecider, history(...whole))).toMatchObject({ transcript: { parts: 3, lastSeq: 2 } });
  });

  it('has its turn in a hand-over without words', () => {
    const silent = { ...ingest, parts: [], details: { ...ingest.details, messageCount: 0 } };
    expect(resultsIn(turnsAfter(started, runAt(1, 1), silent))).toEqual([[0, { number: 1 }]]);
  });

  it('is told without details beyond a bound, so that a hand-over fits into one append', () => {
    const large = Array.from({ length: 40 }, (_, index) => {
      const { run, ...command } = runAt(index, index);
      return { ...command, run: { ...run, result: 'x'.repeat(4_000) } };
    });
    const turns = turnsAfter(started, ...large, handedOver(turn(0)));
    expect(turns).toHaveLength(41);
    expect(turns.filter(({ toolCall }) => toolCall?.result === null).length).toBeGreaterThan(20);
    expect(JSON.stringify(turns).length).toBeLessThan(80_000);
  });
});
