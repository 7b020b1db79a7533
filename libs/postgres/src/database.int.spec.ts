import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Secret } from '@parlance/config';
import { AppError } from '@parlance/errors';
import { eventually, gate, type TestEngines, testEngines } from '@parlance/fixtures';
import { runWithContext } from '@parlance/observability';
import {
  createDatabase,
  type Database,
  deleteInPieces,
  deleteOfOrganization,
  isUniqueViolation,
  queryAtCommit,
  type Tx,
  updateInPieces,
} from './index.js';
import { cutConnections } from './testing/cut-connections.js';

let engines: TestEngines;
let db: Database;
let other: Database;
let admin: Database;
let url: Secret;

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
  const { adminUrl, ...own } = await engines.databaseFor('agents-config');
  ({ url } = own);
  db = createDatabase({ url, applicationName: 'one', max: 3 });
  other = createDatabase({ url, applicationName: 'two', max: 2 });
  admin = createDatabase({ url: adminUrl, applicationName: 'admin', max: 1 });
  await db.query('create table notes (id int primary key, text text not null, at timestamptz default now())');
});
afterAll(async () => {
  await Promise.all([db.end(), other.end(), admin.end()]);
  await engines.stop();
});

const count = async (): Promise<number> => {
  const { rows } = await db.query<{ n: number }>('select count(*)::int as n from notes');
  return rows[0]?.n ?? -1;
};
const addNote = (tx: Tx, id: number) => tx.query('insert into notes (id, text) values ($1, $2)', [id, 'x']);
/** Work of a request waits for a connection alone, and for no turn. */
const inRequest = <T>(work: () => Promise<T>) => runWithContext({ requestId: 'req-1' }, work);
/** Fake timers leave these to Postgres' driver and to the test; `setInterval` and `performance` remain. */
const timersOfDrivers = [
  'Date',
  'nextTick',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setTimeout',
  'clearTimeout',
  'hrtime',
] as const;
/** Ids of the connections of a process, in their order. */
const backendsOf = async (name: string): Promise<number[]> => {
  const { rows } = await admin.query<{ pid: number }>(
    'select pid from pg_stat_activity where application_name = $1 order by pid',
    [name],
  );
  return rows.map(({ pid }) => pid);
};
const backendOf = async (tx: Tx): Promise<number> => {
  const { rows } = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
};
const kill = (name: string) =>
  admin.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [name]);

describe('old rows', () => {
  it('go in pieces, and one that somebody else holds waits for the next round', async () => {
    await db.query('create table old_notes (id int primary key, text text)');
    await db.query(`insert into old_notes select id, 'x' from generate_series(1, 25) as id`);
    const old = { table: 'old_notes', where: 'id <= $1 and text is not null', values: [23] };
    await other.transaction(async (tx) => {
      await tx.query('select 1 from old_notes where id = 7 for update');
      expect(await updateInPieces(db, { ...old, set: 'text = null' }, 10)).toBe(22);
      expect(await deleteInPieces(db, { ...old, where: 'id <= $1' }, 10)).toBe(22);
    });
    const { rows } = await db.query<{ id: number }>('select id from old_notes order by id');
    expect(rows.map(({ id }) => id)).toEqual([7, 24, 25]);
    expect(await deleteInPieces(db, { ...old, where: 'id <= $1' }, 10)).toBe(1);
  });
});

describe('rows of a removed organization', () => {
  it('go in pieces, and count as left while another transaction holds one', async () => {
    await db.query('create table own_notes (id int primary key, organization_id text)');
    await db.query(
      `insert into own_notes select id, case when id = 25 then 'o2' else 'o1' end from generate_series(1, 25) as id`,
    );
    await other.transaction(async (tx) => {
      await tx.query('select 1 from own_notes where id = 7 for update');
      expect(await deleteOfOrganization(db, 'o1', ['own_notes'], 10)).toBe(false);
    });
    expect(await deleteOfOrganization(db, 'o1', ['own_notes'], 10)).toBe(true);
    const { rows } = await db.query<{ id: number }>('select id from own_notes');
    expect(rows).toEqual([{ id: 25 }]);
  });
});

describe('transactions', () => {
  it('commit everything or nothing', async () => {
    const before = await count();
    await expect(db.transaction((tx) => addNote(tx, 1).then(() => 'result'))).resolves.toBe('result');
    const failing = db.transaction(async (tx) => {
      await addNote(tx, 2);
      throw new AppError('NAME_TAKEN');
    });
    await expect(failing).rejects.toMatchObject({ code: 'NAME_TAKEN' });
    await expect(count()).resolves.toBe(before + 1);
  });

  it('fail when somebody swallows an error in them, instead of committing nothing without a word', async () => {
    const swallowing = db.transaction(async (tx) => {
      await addNote(tx, 3);
      await tx.query('select * from no_such_table').catch(() => undefined);
    });
    await expect(swallowing).rejects.toThrow('rolled back');
    await expect(db.query('select 1 from notes where id = 3')).resolves.toMatchObject({ rowCount: 0 });
  });

  it('refuse queries that were not awaited until after the end', async () => {
    let leaked: Tx | undefined;
    await db.transaction(async (tx) => {
      leaked = tx;
    });
    await expect(leaked?.query('select 1')).rejects.toThrow('over');
  });

  it('tell a unique violation, and keep the connection for the next query', async () => {
    const before = await backendOf(other);
    await addNote(other, 4);
    const error = await addNote(other, 4).catch((failure: unknown) => failure);
    expect(isUniqueViolation(error, 'notes_pkey')).toBe(true);
    await expect(backendOf(other)).resolves.toBe(before);
  });

  it('wake listeners of a signal after the commit, and not after a rollback', async () => {
    const seen: number[] = [];
    const stop = db.onSignal('notes', () => void count().then((n) => seen.push(n)));
    const before = await count();
    await db.transaction(async (tx) => {
      await addNote(tx, 5);
      tx.signal?.('notes');
      expect(seen).toEqual([]);
    });
    await eventually(() => expect(seen).toEqual([before + 1]));
    await db
      .transaction(async (tx) => {
        tx.signal?.('notes');
        throw new Error('no');
      })
      .catch(() => undefined);
    stop();
    db.signal('notes');
    expect(seen).toHaveLength(1);
  });
});

describe('the activity of a process', () => {
  const isNoted = async (work: () => Promise<unknown>): Promise<boolean> => {
    const note = jest.spyOn(db.activity, 'note');
    try {
      await work();
      return note.mock.calls.length > 0;
    } finally {
      note.mockRestore();
    }
  };

  it('is what it writes, alone or in a transaction, also inside of a query', async () => {
    expect(await isNoted(() => addNote(db, 90))).toBe(true);
    expect(await isNoted(() => db.transaction((tx) => addNote(tx, 91)))).toBe(true);
    const last = { text: `update notes set text = 'y' where id = 91` };
    expect(await isNoted(() => db.transaction((tx) => queryAtCommit(tx, last)))).toBe(true);
    const inside =
      'with gone as (delete from notes where id in (90, 91) returning id) select count(*) from gone';
    expect(await isNoted(() => db.query(inside))).toBe(true);
  });

  it('is no read, no change of nothing, no rolled back change, and no housekeeping', async () => {
    await db.query(`insert into notes (id, text) values (92, 'x') on conflict do nothing`);
    const change = `update notes set text = 'z' where id = $1`;
    expect(await isNoted(() => db.query('select * from notes for update skip locked'))).toBe(false);
    expect(await isNoted(() => db.query(change, [-1]))).toBe(false);
    const failed = db.transaction.bind(db, async (tx: Tx) => {
      await tx.query(change, [92]);
      throw new Error('no');
    });
    expect(await isNoted(() => failed().catch(() => undefined))).toBe(false);
    expect(await isNoted(() => db.atOnce.query(change, [92]))).toBe(false);
  });

  it('includes notifications of other processes and lost connections', async () => {
    const unlisten = await db.listen('activity', () => undefined);
    const note = jest.spyOn(db.activity, 'note');
    await other.query(`select pg_notify('activity', '')`);
    await eventually(() => expect(note).toHaveBeenCalledTimes(1));
    await unlisten();
    await kill('one');
    await eventually(() => expect(note.mock.calls.length).toBeGreaterThan(1));
    note.mockRestore();
  });
});

describe('statements that go with the commit', () => {
  const texts = async (): Promise<unknown[]> =>
    (await db.query<{ text: string }>('select text from notes where id >= 20 order by id')).rows.map(
      ({ text }) => text,
    );
  const rename = (id: number, text: string) => ({
    text: 'update notes set text = $2 where id = $1',
    values: [id, text],
  });
  beforeEach(async () => {
    await db.query('delete from notes where id >= 20');
    await db.query(`insert into notes (id, text) values (20, 'first'), (21, 'second')`);
  });

  it('run in their order after all others, and lock nothing before', async () => {
    await db.transaction(async (tx) => {
      await queryAtCommit(tx, rename(20, 'changed'));
      await queryAtCommit(tx, { text: `update notes set text = text || ' twice' where id = 20` });
      const free = await other.query('select id from notes where id = 20 for update skip locked');
      expect(free.rowCount).toBe(1);
      await tx.query(`update notes set text = 'before' where id = 20`);
    });
    expect(await texts()).toEqual(['changed twice', 'second']);
  });

  it('do nothing when the work fails', async () => {
    const failing = db.transaction(async (tx) => {
      await queryAtCommit(tx, rename(20, 'changed'));
      throw new AppError('NAME_TAKEN');
    });
    await expect(failing).rejects.toMatchObject({ code: 'NAME_TAKEN' });
    expect(await texts()).toEqual(['first', 'second']);
  });

  it('fail the transaction with their own error when one fails, and the connection goes on', async () => {
    const alone = createDatabase({ url, applicationName: 'alone', max: 1 });
    const before = await backendOf(alone);
    const failing = alone.transaction(async (tx) => {
      await tx.query(`update notes set text = 'changed' where id = 20`);
      await queryAtCommit(tx, rename(21, 'changed'));
      await queryAtCommit(tx, { text: `insert into notes (id, text) values (21, 'again')` });
    });
    expect(isUniqueViolation(await failing.catch((error: unknown) => error), 'notes_pkey')).toBe(true);
    expect(await backendOf(alone)).toBe(before);
    await alone.end();
    expect(await texts()).toEqual(['first', 'second']);
  });

  it('run at once where there is no transaction', async () => {
    await queryAtCommit(db, rename(21, 'changed'));
    expect(await texts()).toEqual(['first', 'changed']);
  });
});

describe('a statement that reads under a setting', () => {
  const setting = "work_mem = '123kB'";
  const shown = { text: `select current_setting('work_mem') as value` };

  it('has the setting, which ends with it', async () => {
    const alone = createDatabase({ url, applicationName: 'alone', max: 1 });
    await expect(alone.readWith(setting, shown)).resolves.toMatchObject({ rows: [{ value: '123kB' }] });
    const { rows } = await alone.query(shown);
    expect(rows).not.toEqual([{ value: '123kB' }]);
    await alone.end();
  });

  it('cannot write', async () => {
    const before = await count();
    const writing = { text: `insert into notes (id, text) values (90, 'x') returning id` };
    await expect(db.readWith(setting, writing)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await count()).toBe(before);
  });

  it('fails with its own error, also when the setting is at fault, and the connection goes on', async () => {
    const alone = createDatabase({ url, applicationName: 'alone', max: 1 });
    const before = await backendOf(alone);
    await expect(alone.readWith(setting, { text: 'select * from no_such_table' })).rejects.toMatchObject({
      code: '42P01',
    });
    await expect(alone.readWith('no_such_setting = 1', shown)).rejects.toThrow('no_such_setting');
    await expect(alone.query('select 1 as one')).resolves.toMatchObject({ rows: [{ one: 1 }] });
    expect(await backendOf(alone)).toBe(before);
    await alone.end();
  });
});

describe('queries', () => {
  it('are prepared once per connection when they have a name', async () => {
    const statement = { name: 'note-by-id', text: 'select id from notes where id = $1', values: [1] };
    await db.transaction(async (tx) => {
      for (let i = 0; i < 3; i += 1) await tx.query(statement);
      const { rows } = await tx.query(`select name from pg_prepared_statements where name = 'note-by-id'`);
      expect(rows).toHaveLength(1);
    });
  });

  it('end after their time limit with a code of their own', async () => {
    const slow = db.transaction((tx) => tx.query('select pg_sleep(5)'), { timeoutMs: 100 });
    await expect(slow).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT', status: 504 });
    await expect(db.query('show statement_timeout')).resolves.toMatchObject({
      rows: [{ statement_timeout: '5s' }],
    });
  });

  it('answer 503 on a read-only server', async () => {
    const readOnly = db.transaction(async (tx) => {
      await tx.query('set transaction read only');
      await addNote(tx, 6);
    });
    await expect(readOnly).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
  });

  it('answer 503 soon when no connection becomes free', async () => {
    const startedAt = Date.now();
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const busy = [1, 2].map(() => inRequest(() => other.transaction(() => gate)));
    await expect(inRequest(() => other.query('select 1'))).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfterSeconds: 1,
    });
    expect(Date.now() - startedAt).toBeLessThan(20_000);
    release();
    await Promise.all(busy);
    await expect(other.ping()).resolves.toBeUndefined();
  });

  it('answer 503 when the connection is killed under them, and work on a new one', async () => {
    const killed = db.transaction(async (tx) => {
      await tx.query('select 1');
      await kill('one');
      await tx.query('select 1');
    });
    await expect(killed).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
    await eventually(() => expect(db.ping()).resolves.toBeUndefined());
  });
});

/** Work that begins at once and goes on until `end`. */
const holding = (database: Database) => {
  let end: () => void = () => undefined;
  let hasBegun: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const begun = new Promise<void>((resolve) => (hasBegun = resolve));
  const held = database.transaction(async (tx) => {
    hasBegun();
    await ended;
    return tx.query('select 1');
  });
  return { begun, held, end: () => end() };
};

describe('a read after its deadline', () => {
  it('is refused, and leaves its connection to the next one', async () => {
    const single = createDatabase({ url, applicationName: 'three', max: 1 });
    const late = { requestId: 'req-1', changesNothing: true, deadline: Date.now() - 1 };
    const read = () => runWithContext(late, () => single.query('select 1'));
    await expect(read()).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    await expect(read()).rejects.toMatchObject({ code: 'UPSTREAM_TIMEOUT' });
    await expect(single.query('select 1')).resolves.toMatchObject({ rowCount: 1 });
    await single.end();
  });
});

describe('background work that has all turns', () => {
  // Two connections give one turn.
  it('holds up no look at the health, and no statement that has to begin at once', async () => {
    const { held, end } = holding(other);
    await expect(other.ping()).resolves.toBeUndefined();
    await expect(other.atOnce.query('select 1')).resolves.toMatchObject({ rowCount: 1 });
    end();
    await held;
  });

  it('holds up no work of a process that leaves', async () => {
    const leaving = createDatabase({ url, applicationName: 'four', max: 2 });
    const { held, end } = holding(leaving);
    const waiting = leaving.query('select 1');
    leaving.leave();
    await expect(waiting).resolves.toMatchObject({ rowCount: 1 });
    end();
    await held;
    await leaving.end();
  });

  it('is finished when the database is ended, and the work that waits for a turn is refused', async () => {
    const ending = createDatabase({ url, applicationName: 'five', max: 2 });
    const { begun, held, end } = holding(ending);
    const waiting = ending.query('select 1');
    await begun;
    const closed = ending.end();
    await expect(waiting).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    end();
    await expect(held).resolves.toMatchObject({ rowCount: 1 });
    await closed;
  });
});

describe('a connection', () => {
  it.each([
    ['tcp_keepalives_idle', '10'],
    ['tcp_keepalives_interval', '5'],
    ['tcp_keepalives_count', '3'],
    ['tcp_user_timeout', '30000'],
  ])('lets the server notice a dead machine: %s is %s', async (name, value) => {
    const { rows } = await db.query(`show ${name}`);
    expect(rows).toEqual([{ [name]: value }]);
  });
});

describe('connections that were opened ahead', () => {
  it('stay open without work, and those that a burst adds do not', async () => {
    const idle = createDatabase({ url, applicationName: 'idle', max: 4, idleTimeoutMs: 20 });
    await idle.query('select 1'); // an idle one, which counts
    await idle.open();
    const opened = await backendsOf('idle');
    expect(opened).toHaveLength(2);
    const { opened: allAtWork, open } = gate();
    const used: number[] = [];
    const work = async (tx: Tx): Promise<void> => {
      used.push(await backendOf(tx));
      if (used.length === 4) open();
      await allAtWork;
    };
    await Promise.all([1, 2, 3, 4].map(() => inRequest(() => idle.transaction(work))));
    expect(used).toEqual(expect.arrayContaining(opened));
    expect(new Set(used).size).toBe(4);
    await eventually(async () => expect(await backendsOf('idle')).toHaveLength(2));
    expect(used).toContain(await backendOf(idle));
    await idle.end();
  });
});

describe('the pool of a quiet process', () => {
  const quietMs = 70_000;
  const resizeMs = 10_000;
  let pool: Database;
  const backends = () => backendsOf('quiet');

  beforeEach(async () => {
    // The minute without writes passes at once; Postgres and its driver keep their own time.
    jest.useFakeTimers({ doNotFake: [...timersOfDrivers] });
    const limits = { max: 8, connectTimeoutMs: 30_000, idleTimeoutMs: 20 };
    pool = createDatabase({ url, applicationName: 'quiet', ...limits });
    await pool.open();
    await eventually(async () => expect(await backends()).toHaveLength(4));
  });
  afterEach(async () => {
    jest.useRealTimers();
    await pool.end();
  });

  it('keeps two connections, and has half of its size again after the next write', async () => {
    jest.advanceTimersByTime(quietMs);
    await eventually(async () => expect(await backends()).toHaveLength(2));
    await addNote(pool, 200);
    jest.advanceTimersByTime(resizeMs);
    await eventually(async () => expect(await backends()).toHaveLength(4));
  });

  it('loses no statement while it shrinks', async () => {
    const { begun, held, end } = holding(pool);
    await begun;
    const values = Array.from({ length: 100 }, (_, index) => index);
    // Of three idle connections, two are about to be closed when the reads begin.
    jest.advanceTimersByTime(quietMs);
    const results = await Promise.all(
      values.map((value) => inRequest(() => pool.query('select $1::int as value', [value]))),
    );
    expect(results.map(({ rows }) => rows)).toEqual(values.map((value) => [{ value }]));
    end();
    await expect(held).resolves.toMatchObject({ rowCount: 1 });
    await eventually(async () => expect(await backends()).toHaveLength(2));
  });
});

describe('work that finds all connections at work', () => {
  /** Holds the only connection, and resolves with the one of other work once that is free. */
  const secondWorkOn = async (crowded: Database, before: () => unknown): Promise<number> => {
    const { opened, open } = gate();
    const first = inRequest(() => crowded.transaction(() => opened));
    await eventually(async () => expect(await backendsOf('crowded')).toHaveLength(1));
    await before();
    const second = inRequest(() => backendOf(crowded));
    open();
    await first;
    return second;
  };

  it('takes the one that comes free, while another one is still being made', async () => {
    const { hostname, port } = new URL(url.reveal());
    const way = await cutConnections({ host: hostname, port: Number(port) });
    const through = new URL(url.reveal());
    through.port = String(way.port);
    const crowded = createDatabase({ url: new Secret(through.href), applicationName: 'crowded', max: 2 });
    const pid = await secondWorkOn(crowded, () => way.ignoreNew());
    expect(await backendsOf('crowded')).toEqual([pid]);
    await Promise.all([crowded.end(), way.close()]);
  });

  it('takes the one that comes free, although the server gives no other', async () => {
    const { url: own } = await engines.databaseFor('crowded');
    const crowded = createDatabase({ url: own, applicationName: 'crowded', max: 2 });
    const role = decodeURIComponent(new URL(own.reveal()).username);
    const pid = await secondWorkOn(crowded, () => admin.query(`alter role "${role}" connection limit 1`));
    expect(await backendsOf('crowded')).toEqual([pid]);
    await crowded.end();
  });
});

describe('locks', () => {
  it('are held by one process only, and free again after release', async () => {
    const lock = await db.tryLock('projector');
    expect(lock).toBeDefined();
    await expect(db.tryLock('projector')).resolves.toBeUndefined();
    await expect(other.tryLock('projector')).resolves.toBeUndefined();
    const another = await other.tryLock('another');
    expect(another).toBeDefined();
    await lock?.release();
    const next = await other.tryLock('projector');
    expect(next).toBeDefined();
    await Promise.all([next?.release(), another?.release()]);
  });

  it('say so when they are lost with their connection', async () => {
    const lock = await db.tryLock('projector');
    await eventually(async () => {
      await kill('one');
      expect(lock?.lost.aborted).toBe(true);
    });
    await lock?.release();
    const taken = await eventually(async () => {
      const again = await db.tryLock('projector');
      expect(again).toBeDefined();
      return again;
    });
    await taken?.release();
  });
});

describe('a connection whose server went silent', () => {
  it('is given up in time, with the locks that it held, and a new one takes its place', async () => {
    const { url } = await engines.databaseFor('silent');
    const silent = createDatabase({ url, applicationName: 'silent', max: 1, statementTimeoutMs: 1_000 });
    const held = await silent.tryLock('held');
    const { rows } = await admin.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'silent'`,
    );
    const pid = rows[0]?.pid ?? 0;
    process.kill(pid, 'SIGSTOP');
    try {
      await expect(silent.tryLock('other')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      await eventually(() => expect(held?.lost.aborted).toBe(true));
      await eventually(async () => expect(await silent.tryLock('other')).toBeDefined());
    } finally {
      process.kill(pid, 'SIGCONT');
      await silent.end();
    }
  });
});

describe('notifications', () => {
  it('arrive, also after the connection was lost, and a gap is made known', async () => {
    const seen: string[] = [];
    const unlisten = await db.listen('news', (payload) => seen.push(payload));
    await other.query(`select pg_notify('news', 'first')`);
    await eventually(() => expect(seen).toEqual(['first']));
    await kill('one');
    await eventually(() => expect(seen).toEqual(['first', '']), { timeoutMs: 60_000 });
    await other.query(`select pg_notify('news', 'second')`);
    await eventually(() => expect(seen).toEqual(['first', '', 'second']));
    await unlisten();
    await other.query(`select pg_notify('news', 'third')`);
    await db.ping();
    expect(seen).not.toContain('third');
  });
});
