import { describe, expect, it } from '@jest/globals';
import type { StatementUse } from '../harness/statements.js';
import { type AttemptCost, rowOf, statementsThatGrew } from './figures.js';

const cost = (services: number, statements: Readonly<Record<string, StatementUse>>): AttemptCost => ({
  attempts: 10,
  processorMs: { services, postgres: 1 },
  statements: new Map(Object.entries(statements)),
});

const flat = { calls: 100, blocks: 300 };

describe('rowOf', () => {
  it('has the medians of rounds, for one attempt', () => {
    const rounds = [5, 30, 6].map((services) => cost(services, { flat, other: { calls: 50, blocks: 0 } }));
    expect(rowOf(100, rounds)).toEqual({
      campaigns: 100,
      processorMs: { services: 6, postgres: 1 },
      allMs: 7,
      statements: 15,
      blocks: 30,
    });
  });
});

describe('statementsThatGrew', () => {
  it('names statements that read more blocks beside a larger history, the largest difference first', () => {
    const smallest = [cost(1, { flat, scan: { calls: 10, blocks: 20 }, list: { calls: 10, blocks: 20 } })];
    const largest = [cost(1, { flat, scan: { calls: 10, blocks: 900 }, list: { calls: 10, blocks: 40 } })];
    expect(statementsThatGrew(smallest, largest)).toEqual([
      { text: 'scan', before: 2, after: 90 },
      { text: 'list', before: 2, after: 4 },
    ]);
  });

  it('leaves out an index that has become a level deeper for a few of many statements', () => {
    const smallest = [cost(1, { lookup: { calls: 1, blocks: 3 } })];
    expect(statementsThatGrew(smallest, [cost(1, { lookup: { calls: 1, blocks: 4 } })])).toEqual([]);
  });
});
