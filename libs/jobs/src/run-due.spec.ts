// Iterations over a queue in memory: the order of what happens to jobs, without a database.
import { describe, expect, it } from '@jest/globals';
import type { Tx } from '@parlance/postgres';
import type { Leased, LeaseHolder } from './job-queue.js';
import { runDue, type Work } from './run-due.js';

interface Job {
  readonly id: number;
}

const db = {} as Tx;
const logger = { warn: () => undefined };

const queueOf = (size: number) => {
  const due = Array.from(
    { length: size },
    (_, id): Leased<Job> => ({
      id,
      lease: { key: [String(id)], fence: '1', attempts: 1 },
    }),
  );
  const released: string[] = [];
  const retried: string[] = [];
  const note =
    (list: string[]) =>
    async (_db: Tx, { lease }: LeaseHolder): Promise<boolean> => {
      list.push(...lease.key);
      return true;
    };
  const queue: Work<Job>['queue'] = {
    name: 'mails',
    lease: async (_db, limit) => due.splice(0, limit),
    release: note(released),
    retry: note(retried),
  };
  return { queue, due, released, retried };
};

describe('an iteration', () => {
  it('does every due job, in batches', async () => {
    const { queue, due } = queueOf(5);
    const done: number[] = [];
    const perform = async ({ id }: Job): Promise<unknown> => done.push(id);
    expect(await runDue({ db, queue, logger, atOnce: 2, perform })).toEqual({ leased: 5, succeeded: 5 });
    expect(done).toEqual([0, 1, 2, 3, 4]);
    expect(due).toEqual([]);
  });

  it('does the other jobs of a batch when one fails', async () => {
    const { queue, retried } = queueOf(3);
    const perform = async ({ id }: Job): Promise<void> => {
      if (id === 1) throw new Error('poison');
    };
    expect(await runDue({ db, queue, logger, atOnce: 3, perform })).toEqual({ leased: 3, succeeded: 2 });
    expect(retried).toEqual(['1']);
  });

  it('has no more jobs under way than it may', async () => {
    const { queue } = queueOf(6);
    let underWay = 0;
    let most = 0;
    const perform = async (): Promise<void> => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
    };
    await runDue({ db, queue, logger, atOnce: 6, abreast: 2, perform });
    expect(most).toBe(2);
  });

  it('finishes the job under way and releases the leased others when it is to stop', async () => {
    const { queue, due, released } = queueOf(5);
    const stopping = new AbortController();
    const done: number[] = [];
    const perform = async ({ id }: Job): Promise<void> => {
      stopping.abort();
      await new Promise(setImmediate);
      done.push(id);
    };
    await runDue({ db, queue, logger, atOnce: 3, abreast: 1, perform }, stopping.signal);
    expect(done).toEqual([0]);
    expect(released).toEqual(['1', '2']);
    expect(due.map(({ id }) => id)).toEqual([3, 4]);
  });

  it('ends after a batch of which no job succeeded, where all jobs need the same thing', async () => {
    const { queue, due } = queueOf(4);
    const perform = async (): Promise<void> => {
      throw new Error('away');
    };
    await runDue({ db, queue, logger, atOnce: 2, needsTheSame: true, perform });
    expect(due).toHaveLength(2);
  });

  it('fails after the other jobs have ended when a failed job cannot be requeued', async () => {
    const { queue } = queueOf(2);
    const done: number[] = [];
    const retry = async (): Promise<boolean> => {
      throw new Error('no database');
    };
    const perform = async ({ id }: Job): Promise<void> => {
      if (id === 0) throw new Error('poison');
      await new Promise(setImmediate);
      done.push(id);
    };
    await expect(runDue({ db, queue: { ...queue, retry }, logger, atOnce: 2, perform })).rejects.toThrow(
      'no database',
    );
    expect(done).toEqual([1]);
  });
});
