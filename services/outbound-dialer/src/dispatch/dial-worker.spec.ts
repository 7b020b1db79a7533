// Guarantees: a claim lasts its whole time, however long the database let it wait. Its renewal waits for no other
// background work.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from '@parlance/observability';
import type { Database, Statement, Tx } from '@parlance/postgres';
import { noCrashPoints } from '../attempt/crash-points.js';
import { claimMs } from '../attempt/dial-claims.js';
import { DialWorker } from './dial-worker.js';

const waitMs = 12_000;

/** A database whose transactions wait long for their connection, on a clock that goes on meanwhile. */
const busyDatabase = () => {
  const time = { ms: Date.parse('2026-03-02T12:00:00.000Z') };
  const claimed: { readonly at: number; readonly until: number }[] = [];
  const renewed: number[] = [];
  let due = [{ id: 'call', provider: null }];
  const tx: Tx = {
    query: async (_statement: string | Statement, values: readonly unknown[] = []) => {
      claimed.push({ at: time.ms, until: Date.parse(String(values[3])) });
      const rows = due;
      due = [];
      return { rows: rows as never[], rowCount: rows.length };
    },
  };
  const db = {
    query: async (statement: string, values: readonly unknown[]) => {
      time.ms += waitMs;
      return tx.query(statement, values);
    },
    listen: async () => async () => undefined,
    transaction: async (work: (tx: Tx) => Promise<unknown>) => {
      time.ms += waitMs;
      return work(tx);
    },
    atOnce: {
      query: async (_statement: string, values: readonly unknown[]) => {
        renewed.push(Date.parse(String(values[2])));
        return { rows: [], rowCount: 1 };
      },
    },
  } as unknown as Database;
  return { db, clock: { now: () => new Date(time.ms) }, time, claimed, renewed };
};

describe('DialWorker', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('claims for the whole time, counted from the connection, and renews without a wait for a turn', async () => {
    const { db, clock, time, claimed, renewed } = busyDatabase();
    const worker = new DialWorker({
      ...{ db, clock, crash: noCrashPoints, holder: 'one', maxDials: 1, finishMs: 0 },
      logger: createLogger({ service: 'test', level: 'silent' }),
      attempt: () => new Promise<void>(() => undefined),
    });
    await worker.start();
    await jest.advanceTimersByTimeAsync(0);
    expect(claimed).toEqual([{ at: time.ms, until: time.ms + claimMs }]);
    await jest.advanceTimersByTimeAsync(claimMs / 3);
    expect(renewed).toEqual([time.ms + claimMs]);
  });
});
