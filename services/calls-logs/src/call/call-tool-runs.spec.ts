// The runs of tools in the record of a call.
import { describe, expect, it } from '@jest/globals';
import { answered, heldCall, ingest, started, toolRun } from '../testing/facts.js';
import { callAfter, history, logAfter, remove, typesOf } from '../testing/told.js';
import { callDecider } from './call.js';
import type { CallCommand } from './call-commands.js';
import type { CallEvent } from './call-events.js';
import { toolRunsOf } from './call-log.js';
import type { Call, CallState } from './call-state.js';
import { maxArgumentBytes, maxToolRunsCounted } from './call-tool-runs.js';

const shown = (...commands: readonly CallCommand[]) => toolRunsOf(callAfter(...commands));

describe('a run of a tool', () => {
  it('is recorded once, before its call is known, while it lasts, and after it was handed over', () => {
    const once = [{ name: 'find_order', arguments: { order: 'A-1' }, status: 'ok', durationMs: 120 }];
    for (const told of [
      [toolRun(), started],
      [started, answered, toolRun(), toolRun()],
      [...heldCall, toolRun(), toolRun()],
    ])
      expect(shown(...told)).toMatchObject({ toolRuns: once, moreToolRuns: 0 });
  });

  it('changes nothing in the record that was handed over but the number of turns', () => {
    const { updatedAt: _before, ...before } = logAfter(...heldCall);
    const { updatedAt: _after, ...after } = logAfter(started, toolRun(1), answered, ingest, toolRun(2));
    expect({ ...after, answeredAt: before.answeredAt }).toEqual({ ...before, messageCount: 4 });
  });

  it('of a deleted call, another organization or another agent is not recorded', () => {
    const foreign = { ...toolRun(), organizationId: 'other' };
    const otherAgent = { ...toolRun(), agentId: 'other' };
    expect(typesOf(history(started, foreign, otherAgent))).toEqual(['CallDescribed']);
    expect(typesOf(history(started, remove, toolRun()))).toEqual(['CallDescribed', 'CallDeleted']);
  });

  it('is shown in the order of the runs, whichever is told first', () => {
    const early = { ...toolRun(1), run: { ...toolRun(1).run, at: '2026-03-01T10:00:10.000Z' } };
    const { toolRuns } = shown(started, toolRun(2), early);
    expect(toolRuns?.map(({ arguments: given }) => given)).toEqual([{ order: 'A-1' }, { order: 'A-2' }]);
  });

  it('keeps two hundred, counts a thousand, and takes a repetition of any for one', () => {
    const few = Array.from({ length: 203 }, (_, index) => toolRun(index));
    const { toolRuns, moreToolRuns } = shown(started, ...few, ...few);
    expect([toolRuns?.length, moreToolRuns]).toEqual([200, 3]);
    let state: CallState = callAfter(started);
    let last: CallEvent | undefined;
    for (let number = 0; number < maxToolRunsCounted + 5; number += 1)
      for (const event of callDecider.decide(toolRun(number), state)) {
        state = callDecider.evolve(state, event);
        last = event;
      }
    expect(toolRunsOf(state as Call).moreToolRuns).toBe(maxToolRunsCounted - 200);
    expect(last).toMatchObject({ type: 'ToolRan', personal: { arguments: null } });
  });

  it('keeps no arguments that are too large for a record of two hundred', () => {
    const large = {
      ...toolRun(),
      run: { ...toolRun().run, arguments: { text: 'ä'.repeat(maxArgumentBytes / 2) } },
    };
    expect(shown(started, large).toolRuns).toMatchObject([{ name: 'find_order', arguments: null }]);
  });
});
