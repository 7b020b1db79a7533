import { describe, expect, it } from '@jest/globals';
import { countRows, statementRows, type UnitCounts } from './count-rows.js';

const counted = (statements: Readonly<Record<string, number>>, appends?: number): UnitCounts => ({
  counts: {
    'SQL statements': statements,
    ...(appends === undefined ? {} : { 'event-store appends': { 'outbound-dialer': appends } }),
  },
  statements: Object.entries(statements).map(([application, count]) => ({
    application,
    text: 'begin',
    count,
  })),
});

describe('countRows', () => {
  it('has the medians of the rounds of each side, by kind and owner, the most frequent owner first', () => {
    const rounds = [1, 9, 2].map((count) => counted({ widgets: 1, 'calls-logs': count }));
    expect(countRows([rounds, [counted({ widgets: 3 })]])).toEqual([
      ['SQL statements', '3.00', '3.00'],
      ['  widgets', '1.00', '3.00'],
      ['  calls-logs', '2.00', '0.00'],
    ]);
  });

  it('has a dash for a side that does not count a kind', () => {
    const rows = countRows([[counted({})], [counted({}, 2)]]);
    expect(rows).toContainEqual(['event-store appends', '–', '2.00']);
  });

  it('leaves out owners that do next to nothing', () => {
    expect(countRows([[counted({ widgets: 0.01 })]])).toEqual([['SQL statements', '0.01']]);
  });
});

describe('statementRows', () => {
  it('has the most frequent statements of all sides', () => {
    expect(statementRows([[counted({ a: 1, b: 4 })], [counted({ a: 5 })]], 1)).toEqual([
      ['a: begin', '1.00', '5.00'],
    ]);
  });
});
