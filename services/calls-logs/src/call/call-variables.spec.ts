// The variables in the record of a call: those that it came with, of its initiation webhook, and assigned by its tools.
import { describe, expect, it } from '@jest/globals';
import { answered, heldCall, ingest, initiation, started, toolRun } from '../testing/facts.js';
import { callAfter, history, logAfter, remove, typesOf } from '../testing/told.js';
import type { CallCommand, PlatformFacts } from './call-commands.js';

const variablesAfter = (...commands: readonly CallCommand[]) => logAfter(...commands).dynamicVariables;
const assigning = (number: number, assignments: Record<string, string>, at = toolRun().run.at) => ({
  ...toolRun(number),
  run: { ...toolRun(number).run, at, assignments },
});
const handedOver = (facts: PlatformFacts): CallCommand => ({ ...ingest, facts });
const { agentId, at, dynamicVariables } = initiation;

describe('the variables of a call', () => {
  it('hold what the initiation webhook answered, below what the call came with, in every order of reports', () => {
    const expected = { name: 'Ada', orderId: 'A-7' };
    for (const told of [
      [started, initiation],
      [initiation, started],
      [started, answered, initiation, initiation, ingest],
      [...heldCall, initiation],
    ])
      expect(variablesAfter(...told)).toEqual(expected);
  });

  it('take the answer to the later question, and each answer once', () => {
    const again = { ...initiation, at: '2026-03-01T10:00:09.000Z', dynamicVariables: { orderId: 'B-8' } };
    const events = history(started, again, initiation, again);
    expect(typesOf(events)).toEqual(['CallDescribed', 'InitiationAnswered']);
    expect(variablesAfter(started, initiation, again)).toEqual({ name: 'Ada', orderId: 'B-8' });
  });

  it('take no answer about another agent, a deleted call or another organization, and no empty one', () => {
    for (const change of [{ agentId: 'other' }, { organizationId: 'other' }, { dynamicVariables: {} }])
      expect(typesOf(history(started, { ...initiation, ...change }))).toEqual(['CallDescribed']);
    expect(typesOf(history(started, remove, initiation))).toEqual(['CallDescribed', 'CallDeleted']);
  });

  it('take what a tool assigned before everything else, of two runs that which ended last', () => {
    const early = assigning(1, { name: 'Tool', plan: 'basic' }, '2026-03-01T10:00:10.000Z');
    const late = assigning(2, { plan: 'gold' }, '2026-03-01T10:00:20.000Z');
    const expected = { name: 'Tool', orderId: 'A-7', plan: 'gold' };
    expect(variablesAfter(started, initiation, early, late)).toEqual(expected);
    expect(variablesAfter(started, late, late, ingest, early, initiation)).toEqual(expected);
  });

  it('of a call that was handed over first hold what the platform knew by then, and nothing twice', () => {
    const run = assigning(1, { plan: 'gold' });
    const facts = { initiation: { agentId, at, dynamicVariables }, toolRuns: [run] };
    const first = history(handedOver(facts));
    expect(typesOf(first)).toEqual([
      'CallDescribed',
      'InitiationAnswered',
      'ToolRan',
      'TranscriptRecorded',
      'CallEnded',
      'CallIngested',
    ]);
    expect(typesOf(history(handedOver(facts), initiation, run))).toEqual(typesOf(first));
    expect(variablesAfter(handedOver(facts))).toEqual({ name: 'Ada', orderId: 'A-7', plan: 'gold' });
  });

  it('are in the personal part of their events alone', () => {
    for (const { data } of history(started, initiation, assigning(1, { plan: 'A-7' })))
      expect(JSON.stringify(data)).not.toContain('A-7');
    expect(callAfter(started, initiation).initiation).toEqual({ at, variables: dynamicVariables });
  });
});
