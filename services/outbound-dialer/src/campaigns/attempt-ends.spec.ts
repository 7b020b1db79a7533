import { describe, expect, it } from '@jest/globals';
import type { Statement, Tx } from '@parlance/postgres';
import { AttemptEnds } from './attempt-ends.js';

const start = Date.parse('2026-11-22T10:00:00.000Z');
const at = (seconds: number): string => new Date(start + seconds * 1_000).toISOString();

/** Ends of attempts in a read model. */
const readModel = () => {
  const rows: { readonly attemptId: string; readonly at: string }[] = [];
  const reads: string[] = [];
  const tx: Tx = {
    query: async (statement: string | Statement) => {
      const [, since] = typeof statement === 'string' ? [] : (statement.values ?? []);
      reads.push(String(since));
      const found = rows.filter((row) => row.at > String(since));
      return { rows: found as never[], rowCount: found.length };
    },
  };
  return { reads, tx, add: (seconds: number) => rows.push({ attemptId: `end-${seconds}`, at: at(seconds) }) };
};

const look = async (ends: AttemptEnds, tx: Tx, seconds: number, since = 0): Promise<string[]> => {
  const found = await ends.since(tx, 'campaign', new Date(at(since)), new Date(at(seconds)));
  return found.map((end) => end.at);
};

describe('the ends of a campaign’s attempts', () => {
  it('are read once, and then only the newer ones besides', async () => {
    const { reads, tx, add } = readModel();
    const ends = new AttemptEnds();
    for (const seconds of [1, 2]) add(seconds);
    expect(await look(ends, tx, 5)).toEqual([at(2), at(1)]);
    add(6);
    expect(await look(ends, tx, 7)).toEqual([at(6), at(2), at(1)]);
    expect(reads).toEqual([at(0), at(3)]);
  });

  it('leave out those from before a later beginning, and are read anew for an earlier one', async () => {
    const { tx, add } = readModel();
    const ends = new AttemptEnds();
    for (const seconds of [1, 4]) add(seconds);
    expect(await look(ends, tx, 5, 2)).toEqual([at(4)]);
    expect(await look(ends, tx, 6, 3)).toEqual([at(4)]);
    expect(await look(ends, tx, 7, 0)).toEqual([at(4), at(1)]);
  });

  it('include one that the read model heard of late, after some seconds', async () => {
    const { tx, add } = readModel();
    const ends = new AttemptEnds();
    await look(ends, tx, 5);
    await look(ends, tx, 9);
    add(3);
    expect(await look(ends, tx, 10)).toEqual([]);
    expect(await look(ends, tx, 15)).toEqual([at(3)]);
  });
});
