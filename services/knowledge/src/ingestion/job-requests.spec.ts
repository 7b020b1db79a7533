// Guarantees: idle workers ask together as often as one, and a job reaches one worker.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Database } from '@parlance/persistence';
import { idleMs, JobRequests } from './job-requests.js';

type Answer = Awaited<ReturnType<JobRequests['next']>>;

const job = { sourceId: 's1' } as Answer;

/** A database that answers each question with the next of these, and counts the questions. */
const answering = (answers: (Answer | Error)[]) => {
  const asked = { times: 0 };
  const transaction = async () => {
    asked.times += 1;
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { asked, db: { transaction } as unknown as Pick<Database, 'transaction'> };
};

describe('JobRequests', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('asks once for all workers that are idle at the same time', async () => {
    const { asked, db } = answering([]);
    const jobs = new JobRequests(db);
    const found = await Promise.all([jobs.next(), jobs.next(), jobs.next(), jobs.next()]);
    expect(found).toEqual([undefined, undefined, undefined, undefined]);
    expect(asked.times).toBe(1);
  });

  it('asks again after the pause of a worker', async () => {
    const { asked, db } = answering([undefined, job]);
    const jobs = new JobRequests(db);
    await jobs.next();
    jest.advanceTimersByTime(idleMs);
    await expect(jobs.next()).resolves.toBe(job);
    expect(asked.times).toBe(2);
  });

  it('asks for each worker while there are jobs', async () => {
    const { asked, db } = answering([job, job]);
    const jobs = new JobRequests(db);
    await expect(Promise.all([jobs.next(), jobs.next(), jobs.next()])).resolves.toEqual([
      job,
      job,
      undefined,
    ]);
    expect(asked.times).toBe(3);
  });

  it('tells a failure to the worker that asked, and asks for the next one', async () => {
    const { db } = answering([new Error('away'), job]);
    const jobs = new JobRequests(db);
    const [first, second] = [jobs.next(), jobs.next()];
    await expect(first).rejects.toThrow('away');
    await expect(second).resolves.toBe(job);
  });
});
