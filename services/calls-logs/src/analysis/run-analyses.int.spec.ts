// The queue of analyses in a real Postgres, with a clock that only the test moves.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { FairSlots } from '@parlance/jobs';
import { createLogger } from '@parlance/observability';
import { createDatabase, type Database, migrate } from '@parlance/postgres';
import { type AnalysisJob, addJob, leaseJobs } from './analysis-queue.js';
import { maxTries, runDueAnalyses } from './run-analyses.js';

let engines: TestEngines;
let db: Database;
beforeAll(async () => {
  engines = await testEngines({ postgres: true });
  const { url } = await engines.databaseFor('calls-logs');
  db = createDatabase({ url, applicationName: 'analyses-test' });
  await migrate(db, { directory: new URL('../../migrations/', import.meta.url), framework: true });
});
afterAll(async () => {
  await db?.end();
  await engines?.stop();
});

let now: Date;
beforeEach(async () => {
  now = new Date('2026-11-27T10:00:00Z');
  await db.query('delete from call_analyses');
});

const logger = createLogger({ service: 'test', level: 'silent' });
const clock = { now: () => now };
const add = async (): Promise<string> => {
  const callId = randomUUID();
  await addJob(db, { callId, organizationId: 'org', ingestId: 'i1' }, now);
  return callId;
};
const hours = (count: number): Date => new Date(now.getTime() + count * 3_600_000);
const waiting = async (): Promise<number> => (await db.query('select 1 from call_analyses')).rows.length;

describe('due analyses', () => {
  it('run once and are gone', async () => {
    const callId = await add();
    await addJob(db, { callId, organizationId: 'org', ingestId: 'i1' }, now);
    const analyzed: string[] = [];
    const analyzer = {
      analyze: async (job: AnalysisJob) => {
        analyzed.push(job.callId);
        return 'rules' as const;
      },
      giveUp: async () => undefined,
    };
    expect(await runDueAnalyses({ db, analyzer, clock, logger })).toBe(1);
    expect(await runDueAnalyses({ db, analyzer, clock, logger })).toBe(0);
    expect(analyzed).toEqual([callId]);
    expect(await waiting()).toBe(0);
  });

  it('are leased by one replica at a time, and again when that replica died', async () => {
    await add();
    expect(await leaseJobs(db, now, new FairSlots(40))).toHaveLength(1);
    expect(await leaseJobs(db, now, new FairSlots(40))).toHaveLength(0);
    now = hours(1);
    expect(await leaseJobs(db, now, new FairSlots(40))).toMatchObject([{ tries: 2 }]);
  });

  it('are tried again with longer and longer pauses, and given up after the last try', async () => {
    await add();
    const givenUp: AnalysisJob[] = [];
    let tries = 0;
    const analyzer = {
      analyze: async () => {
        tries += 1;
        throw new Error('agents-config does not answer');
      },
      giveUp: async (job: AnalysisJob) => {
        givenUp.push(job);
      },
    };
    for (let round = 0; round < maxTries + 2; round += 1) {
      await runDueAnalyses({ db, analyzer, clock, logger });
      now = hours(1.1);
    }
    expect(tries).toBe(maxTries);
    expect(givenUp).toMatchObject([{ tries: maxTries }]);
    expect(await waiting()).toBe(0);
  });

  it('do not hold up one another', async () => {
    const [failing, fine] = [await add(), await add()];
    const done: string[] = [];
    const analyzer = {
      analyze: async ({ callId }: AnalysisJob) => {
        if (callId === failing) throw new Error('no');
        done.push(callId);
        return 'rules' as const;
      },
      giveUp: async () => undefined,
    };
    await runDueAnalyses({ db, analyzer, clock, logger });
    expect(done).toEqual([fine]);
    expect(await waiting()).toBe(1);
  });
});
