// Guarantees: idle workers ask together as often as one. A job reaches one worker. A failure or a stop reaches all of
// them.
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Activity } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { idleMs, JobRequests } from './job-requests.js';

type Answer = Awaited<ReturnType<JobRequests['next']>>;

const job = { sourceId: 's1' } as Answer;
const going = new AbortController().signal;

type Needed = Pick<Database, 'activity' | 'transaction'>;

const databaseOf = (transaction: () => Promise<Answer>): Needed =>
  ({ transaction, activity: new Activity() }) as unknown as Needed;

/** A database that answers each question with the next of these, and counts the questions. */
const answering = (answers: (Answer | Error)[]) => {
  const asked = { times: 0 };
  const transaction = async () => {
    asked.times += 1;
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { asked, db: databaseOf(transaction) };
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
    const found = await Promise.all([jobs.next(going), jobs.next(going), jobs.next(going), jobs.next(going)]);
    expect(found).toEqual([undefined, undefined, undefined, undefined]);
    expect(asked.times).toBe(1);
  });

  it('asks again after the pause of a worker', async () => {
    const { asked, db } = answering([undefined, job]);
    const jobs = new JobRequests(db);
    await jobs.next(going);
    jest.advanceTimersByTime(idleMs);
    await expect(jobs.next(going)).resolves.toBe(job);
    expect(asked.times).toBe(2);
  });

  it('asks once in ten seconds for all workers of a quiet process, and at once after a write', async () => {
    const { asked, db } = answering([undefined, undefined, job]);
    const jobs = new JobRequests(db);
    jest.advanceTimersByTime(60_000);
    await jobs.next(going);
    jest.advanceTimersByTime(9_000);
    await jobs.next(going);
    expect(asked.times).toBe(1);
    jest.advanceTimersByTime(1_000);
    await jobs.next(going);
    expect(asked.times).toBe(2);
    jest.advanceTimersByTime(1_000);
    db.activity.note();
    await expect(jobs.next(going)).resolves.toBe(job);
  });

  it('asks for each worker while there are jobs', async () => {
    const { asked, db } = answering([job, job]);
    const jobs = new JobRequests(db);
    await expect(Promise.all([jobs.next(going), jobs.next(going), jobs.next(going)])).resolves.toEqual([
      job,
      job,
      undefined,
    ]);
    expect(asked.times).toBe(3);
  });

  it('tells a failure to all workers that wait for it, and asks again for the next one', async () => {
    const { asked, db } = answering([new Error('away'), job]);
    const jobs = new JobRequests(db);
    const waiting = [jobs.next(going), jobs.next(going), jobs.next(going)];
    for (const { status } of await Promise.allSettled(waiting)) expect(status).toBe('rejected');
    expect(asked.times).toBe(1);
    await expect(jobs.next(going)).resolves.toBe(job);
  });

  it('asks no more for a worker that is told to stop while it waits', async () => {
    const stopping = new AbortController();
    let answer: (found: Answer) => void = () => undefined;
    let asked = 0;
    const transaction = () => {
      asked += 1;
      return new Promise<Answer>((resolve) => {
        answer = resolve;
      });
    };
    const jobs = new JobRequests(databaseOf(transaction));
    const [first, second] = [jobs.next(stopping.signal), jobs.next(stopping.signal)];
    await new Promise((resolve) => setImmediate(resolve));
    stopping.abort();
    answer(job);
    await expect(first).resolves.toBe(job);
    await expect(second).resolves.toBeUndefined();
    expect(asked).toBe(1);
  });
});
