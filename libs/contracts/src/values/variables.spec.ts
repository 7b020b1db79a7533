import { describe, expect, it } from '@jest/globals';
import { assignedAfter, endOfRun, maxAssignedVariables, valuesOf, variablesOfCall } from './variables.js';

const run = (at: string, executionId = 'e') => ({ at: `2026-03-01T10:00:0${at}.000Z`, executionId });

describe('the variables of a call', () => {
  it('are those that a tool assigned, before those of the call, before those of the initiation webhook', () => {
    expect(
      variablesOfCall({
        initiation: { a: 'webhook', b: 'webhook', c: 'webhook' },
        given: { b: 'call', c: 'call' },
        assigned: { c: 'tool' },
      }),
    ).toEqual({ a: 'webhook', b: 'call', c: 'tool' });
  });

  it('give an empty value only where no source has another', () => {
    expect(
      variablesOfCall({
        initiation: { name: 'Ada', plan: '' },
        given: { name: ' ', plan: '', city: 'Bonn' },
        assigned: { city: '' },
      }),
    ).toEqual({ name: 'Ada', plan: '', city: 'Bonn' });
  });

  it('have the value of the run that ended last, in whatever order the runs are reported', () => {
    const reported = (
      runs: readonly { readonly value: string; readonly at: string; readonly id?: string }[],
    ) =>
      valuesOf(
        runs.reduce((known, { value, at, id }) => assignedAfter(known, { orderId: value }, run(at, id)), {}),
      );
    const runs = [
      { value: 'first', at: '1' },
      { value: 'last', at: '2' },
    ];
    const atOnce = [
      { value: 'first', at: '1', id: 'e1' },
      { value: 'last', at: '1', id: 'e2' },
    ];
    for (const all of [runs, runs.toReversed(), atOnce, atOnce.toReversed()])
      expect(reported(all)).toEqual({ orderId: 'last' });
  });

  it('that tools assign are bounded, and an empty assignment changes nothing', () => {
    const many = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`v${index}`, 'x']));
    const full = assignedAfter({}, many, run('1'));
    expect(Object.keys(full)).toHaveLength(maxAssignedVariables);
    expect(valuesOf(assignedAfter(full, { v0: 'new', v69: 'new' }, run('2')))).toEqual({
      ...valuesOf(full),
      v0: 'new',
    });
    expect(assignedAfter(full, { v0: ' ' }, run('3'))).toEqual(full);
  });

  it('are assigned at the end of the run', () => {
    expect(endOfRun('2026-03-01T10:00:00.000Z', 1_500)).toBe('2026-03-01T10:00:01.500Z');
  });
});
