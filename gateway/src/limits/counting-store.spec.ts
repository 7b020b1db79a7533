import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { QueryResult } from '@parlance/postgres';
import { CountingStore } from './counting-store.js';

const statement = { text: 'select 1' };
const answer: QueryResult<Record<string, unknown>> = { rows: [{ points: 1 }], rowCount: 1 };

type Ask = () => Promise<QueryResult<Record<string, unknown>>>;

/** A database with answers from the test, which counts its questions. */
const databaseThat = (ask: Ask) => {
  const database = {
    asked: 0,
    ask,
    // Tx leaves the type of a row to its caller; this test asks for records.
    query: (() => {
      database.asked += 1;
      return database.ask();
    }) as never,
  };
  return database;
};

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

describe('the store that counts', () => {
  it('passes on what the database answers', async () => {
    const store = new CountingStore(databaseThat(async () => answer));
    await expect(store.query(statement)).resolves.toBe(answer);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('gives up on a silent database after a second, then asks nobody for two', async () => {
    const database = databaseThat(() => new Promise(() => undefined));
    const store = new CountingStore(database);
    const first = expect(store.query(statement)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await jest.advanceTimersByTimeAsync(1_000);
    await first;
    await expect(store.query(statement)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(database.asked).toBe(1);
    await jest.advanceTimersByTimeAsync(2_000);
    database.ask = async () => answer;
    await expect(store.query(statement)).resolves.toBe(answer);
    expect(database.asked).toBe(2);
  });

  it('does not ask a database that has just refused', async () => {
    const refusal = new Error('refused');
    const database = databaseThat(() => Promise.reject(refusal));
    const store = new CountingStore(database);
    await expect(store.query(statement)).rejects.toBe(refusal);
    await expect(store.query(statement)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(database.asked).toBe(1);
  });
});
