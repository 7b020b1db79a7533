// Leases on a real Postgres, of a table in which the due column is the lease, and of one with columns of their own.
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually, type TestEngines, testEngines } from '@parlance/fixtures';
import { createLogger } from '@parlance/observability';
import { createDatabase, type Database } from '@parlance/postgres';
import { FairSlots, JobQueue, type JobTable, runDue, startJobs } from './index.js';

const logger = createLogger({ service: 'test', level: 'silent' });
let engines: TestEngines;
let db: Database;

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
  const { url } = await engines.databaseFor('jobs');
  db = createDatabase({ url, applicationName: 'test', max: 8 });
  await db.query(
    `create table plain (id text primary key, due_at timestamptz, tries int not null default 0, result text);
     create table fenced (organization_id text, id uuid, due_at timestamptz not null default now(), leased_until timestamptz,
       fence bigint not null default 0, wanted int not null default 1, primary key (organization_id, id));
     create table turns (organization_id text primary key, last_turn_at timestamptz not null)`,
  );
});
afterEach(async () => {
  jest.restoreAllMocks();
  await db.query('delete from plain; delete from fenced; delete from turns');
});
afterAll(async () => {
  await db?.end();
  await engines?.stop();
});

interface Plain {
  readonly id: string;
}
interface Fenced extends Plain {
  readonly organizationId: string;
  readonly before: string;
}

const plainTable = {
  name: 'mails',
  table: 'plain',
  key: ['id'],
  columns: 'id',
  dueAt: 'due_at',
  attempts: 'tries',
  leaseMs: 60_000,
  retry: { firstMs: 10_000, longestMs: 40_000 },
} satisfies JobTable;
const plain = new JobQueue<Plain>(plainTable);
const fenced = new JobQueue<Fenced>({
  name: 'knowledge-sources',
  table: 'fenced',
  key: ['organization_id', 'id'],
  columns: 'organization_id as "organizationId", id, before',
  dueAt: 'due_at',
  leasedUntil: 'leased_until',
  fence: { column: 'fence', next: 'j.fence + 1' },
  leaseMs: 60_000,
  fair: { turns: { table: 'turns' }, facts: { before: 'q.fence' } },
});
const slots = (all: number) => new FairSlots(all);

const add = async (...ids: readonly string[]): Promise<void> => {
  for (const [index, id] of ids.entries())
    await db.query(`insert into plain (id, due_at) values ($1, now() - $2 * interval '1 second')`, [
      id,
      ids.length - index,
    ]);
};
const expire = (): Promise<unknown> =>
  db.query(`update plain set due_at = now() - interval '1 second'; update fenced set leased_until = now()`);
const secondsUntilDue = async (id: string): Promise<number> => {
  const { rows } = await db.query<{ seconds: number }>(
    'select extract(epoch from due_at - clock_timestamp())::float8 as seconds from plain where id = $1',
    [id],
  );
  return rows[0]?.seconds ?? Number.NaN;
};
const only = <T>([one]: readonly T[]): T => {
  if (one === undefined) throw new Error('nothing was leased');
  return one;
};
const idsOf = (jobs: readonly Plain[]): string[] => jobs.map(({ id }) => id).sort();

describe('a lease', () => {
  it('is given to one of many workers that ask at the same time', async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `job-${index}`);
    await add(...ids);
    const leased = await Promise.all(Array.from({ length: 16 }, () => plain.lease(db, 5)));
    expect(leased.every(({ length }) => length <= 5)).toBe(true);
    const held = leased.flat().map(({ id }) => id);
    expect(new Set(held).size).toBe(held.length);
    expect(idsOf([...leased.flat(), ...(await plain.lease(db, 40))])).toEqual([...ids].sort());
  });

  it('is given for the jobs that have been due longest, and for none that is due later', async () => {
    await add('first', 'second', 'third');
    await db.query(`insert into plain values ('later', now() + interval '1 hour'), ('done', null)`);
    expect(idsOf(await plain.lease(db, 2))).toEqual(['first', 'second']);
    expect(idsOf(await plain.lease(db, 9))).toEqual(['third']);
    expect(await plain.lease(db, 9)).toEqual([]);
  });

  it('that expired passes to another worker, and its late holder can no longer change the job', async () => {
    await add('job');
    const late = only(await plain.lease(db, 1));
    await expire();
    const next = only(await plain.lease(db, 1));
    expect(await plain.update(db, late, { set: 'result = $1', values: ['late'] })).toBe(false);
    expect(await plain.remove(db, late)).toBe(false);
    expect(await plain.defer(db, late, 0)).toBe(false);
    expect(await plain.renew(db, late)).toBeUndefined();
    expect(await plain.update(db, next, { set: 'result = $1', values: ['next'] })).toBe(true);
    expect((await db.query('select result from plain')).rows).toEqual([{ result: 'next' }]);
  });

  it('is void when the job was made due anew meanwhile', async () => {
    await add('job');
    const held = only(await plain.lease(db, 1));
    await db.query('update plain set due_at = now()');
    expect(await plain.remove(db, held)).toBe(false);
    expect(await plain.lease(db, 1)).toHaveLength(1);
  });

  it('is as long as the database says, whatever the clock of the process shows', async () => {
    await add('job');
    for (const offMs of [120_000, -120_000]) {
      const { now } = Date;
      jest.spyOn(Date, 'now').mockImplementation(() => now() + offMs);
      expect(await plain.lease(db, 1)).toHaveLength(1);
      const seconds = await secondsUntilDue('job');
      expect(seconds).toBeGreaterThan(30);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(await plain.lease(db, 1)).toEqual([]);
      jest.restoreAllMocks();
      await expire();
    }
  });

  it('is given by the time of the statement in a transaction that began before the job was due', async () => {
    await add('job');
    await db.transaction(async (tx) => {
      await tx.query('update plain set due_at = clock_timestamp()');
      expect(await plain.lease(tx, 1)).toHaveLength(1);
    });
  });

  it('can be renewed by its holder, who then presents the renewed lease', async () => {
    await add('job');
    const held = only(await plain.lease(db, 1));
    await db.query(`update plain set due_at = due_at - interval '50 seconds'`);
    const shortened = only(
      (await db.query<{ due: string }>('select due_at::text as due from plain')).rows,
    ).due;
    const lease = await plain.renew(db, { lease: { ...held.lease, fence: shortened } });
    expect(await secondsUntilDue('job')).toBeGreaterThan(30);
    expect(lease && (await plain.remove(db, { lease }))).toBe(true);
  });

  it('grows with each attempt up to a cap where the lease is the pause', async () => {
    const growing = new JobQueue<Plain>({
      ...plainTable,
      name: 'recordings',
      leaseMs: { firstMs: 60_000, longestMs: 200_000 },
    });
    await add('job');
    for (const [attempts, seconds] of [60, 120, 200, 200].entries()) {
      expect(only(await growing.lease(db, 1)).lease.attempts).toBe(attempts + 1);
      const left = await secondsUntilDue('job');
      expect(left).toBeGreaterThan(seconds - 10);
      expect(left).toBeLessThanOrEqual(seconds * 1.25);
      await expire();
    }
  });
});

describe('a lease with columns of its own', () => {
  const insert = (organizationId: string, count: number): Promise<unknown> =>
    db.query(
      `insert into fenced (organization_id, id) select $1, gen_random_uuid() from generate_series(1, $2)`,
      [organizationId, count],
    );

  it('is given to organizations in turn, and to each within its share', async () => {
    await insert('large', 20);
    await insert('small', 1);
    const organizations = async (all: number): Promise<string[]> =>
      (await fenced.leaseFairly(db, slots(all))).map(({ organizationId }) => organizationId).sort();
    expect(await organizations(8)).toEqual(['large', 'large', 'small']);
    await insert('small', 1);
    expect(await organizations(1)).toEqual(['large']);
    expect(await organizations(1)).toEqual(['small']);
  });

  it('keeps its fence when it is renewed, and refuses a renewal of a job that no longer counts', async () => {
    await insert('one', 1);
    const held = only(await fenced.leaseFairly(db, slots(1)));
    expect(held.before).toBe('0');
    expect(await fenced.renew(db, held, 'wanted = 1')).toEqual(held.lease);
    expect(await fenced.renew(db, held, 'wanted = 2')).toBeUndefined();
  });

  it('passes to another worker when it expires, and its late holder can no longer renew or end it', async () => {
    await insert('one', 1);
    const late = only(await fenced.leaseFairly(db, slots(1)));
    expect(await fenced.leaseFairly(db, slots(1))).toEqual([]);
    await expire();
    const next = only(await fenced.leaseFairly(db, slots(1)));
    expect(next.before).toBe('1');
    expect(await fenced.renew(db, late)).toBeUndefined();
    expect(await fenced.release(db, late)).toBe(false);
    expect(await fenced.release(db, next)).toBe(true);
    expect(await fenced.leaseFairly(db, slots(1))).toHaveLength(1);
  });
});

describe('a worker', () => {
  it('backs off from a poison job, does the others, and comes to them first the next time', async () => {
    await add('poison', 'good-1', 'good-2');
    const done: string[] = [];
    const perform = async (job: Plain): Promise<void> => {
      if (job.id === 'poison') throw new Error('poison');
      done.push(job.id);
      await db.query('delete from plain where id = $1', [job.id]);
    };
    const work = { db, queue: plain, logger, atOnce: 1, perform };
    expect(await runDue(work)).toEqual({ leased: 3, succeeded: 2 });
    expect(done).toEqual(['good-1', 'good-2']);
    const first = await secondsUntilDue('poison');
    expect(first).toBeGreaterThan(9);
    expect(first).toBeLessThan(12.6);
    await expire();
    await runDue(work);
    expect(await secondsUntilDue('poison')).toBeGreaterThan(19);
  });

  it('releases the leased jobs that it has not begun when it drains, without counting an attempt', async () => {
    await add('begun', 'waiting');
    let begin = (): void => undefined;
    let finish = (): void => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const part = startJobs({
      name: 'test jobs',
      everyMs: 60_000,
      db,
      queue: plain,
      logger,
      atOnce: 2,
      abreast: 1,
      perform: async (job) => {
        begin();
        await finished;
        await plain.remove(db, job);
      },
    });
    await begun;
    const stopped = part.stop();
    finish();
    await stopped;
    const { rows } = await db.query('select id, tries from plain where due_at <= now()');
    expect(rows).toEqual([{ id: 'waiting', tries: 0 }]);
  });

  it('does the due jobs again and again until it is stopped', async () => {
    const done: string[] = [];
    const part = startJobs({
      name: 'test jobs',
      everyMs: 10,
      db,
      queue: plain,
      logger,
      atOnce: 2,
      perform: async (job) => {
        done.push(job.id);
        await plain.remove(db, job);
      },
    });
    await add('first');
    await eventually(async () => expect(done).toEqual(['first']));
    await add('second');
    await eventually(async () => expect(done).toEqual(['first', 'second']));
    await part.stop();
  });
});

describe('the lag of a queue', () => {
  it('is the age of the oldest due job, and leaves out leased ones', async () => {
    expect(await plain.lagSeconds(db)).toBe(0);
    await db.query(
      `insert into plain values ('old', now() - interval '90 seconds'), ('young', now() - interval '5 seconds')`,
    );
    const lag = await plain.lagSeconds(db);
    expect(Math.floor(lag / 10)).toBe(9);
    await plain.lease(db, 1);
    expect(await plain.lagSeconds(db)).toBeLessThan(60);
  });
});
