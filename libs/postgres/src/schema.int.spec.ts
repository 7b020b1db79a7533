import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { createPersonalData, Keyring, pgSubjectKeys } from '@parlance/crypto';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { countParked, createDatabase, type Database, migrate, provisionService } from './index.js';

let engines: TestEngines;
const open: Database[] = [];

const folders: string[] = [];

const newFolder = async (): Promise<string> => {
  const path = await mkdtemp(join(tmpdir(), 'parlance-migrations-'));
  folders.push(path);
  return path;
};

const connect = (url: Secret): Database => {
  const db = createDatabase({ url, applicationName: 'test', max: 2 });
  open.push(db);
  return db;
};
const newService = async (name: string): Promise<Database> => connect((await engines.databaseFor(name)).url);

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
});
afterAll(async () => {
  await Promise.all(open.map((db) => db.end()));
  await Promise.all(folders.map((path) => rm(path, { recursive: true, force: true })));
  await engines.stop();
});

const frameworkFiles = [
  'framework/0001_framework.sql',
  'framework/0002_projection_generations.sql',
  'framework/0003_organization_closures.sql',
  'framework/0004_outbox_in_pieces.sql',
  'framework/0005_key_fingerprints.sql',
  'framework/0006_messages_left.sql',
  'framework/0007_erasures.sql',
  'framework/0008_stored_files.sql',
  'framework/0009_fair_turns.sql',
  'framework/0010_event_publishers.sql',
];

describe('migrate', () => {
  let path: string;
  let directory: URL;
  const file = (name: string, sql: string) => writeFile(join(path, name), sql);

  beforeEach(async () => {
    path = await newFolder();
    directory = pathToFileURL(`${path}/`);
    await file('0001_agents.sql', 'create table agents (id int primary key); insert into agents values (1);');
  });

  it('applies each file once, in order, with the tables of the framework first', async () => {
    const db = await newService('a');
    await file('0002_more.sql', 'insert into agents values (2);');
    const applied = await migrate(db, { directory, framework: true });
    expect(applied).toEqual([...frameworkFiles, '0001_agents.sql', '0002_more.sql']);
    await expect(migrate(db, { directory, framework: true })).resolves.toEqual([]);
    await file('0003_later.sql', 'insert into agents values (3);');
    await expect(migrate(db, { directory, framework: true })).resolves.toEqual(['0003_later.sql']);
    await expect(db.query('select id from agents order by id')).resolves.toMatchObject({
      rows: [{ id: 1 }, { id: 2 }, { id: 3 }],
    });
    await expect(countParked(db)).resolves.toBe(0);
  });

  it('applies each file once when copies of a service start together', async () => {
    const { url } = await engines.databaseFor('b');
    const copies = [1, 2, 3, 4].map(() => connect(url));
    const applied = await Promise.all(copies.map((copy) => migrate(copy, { directory, framework: true })));
    expect(applied.flat().sort()).toEqual(['0001_agents.sql', ...frameworkFiles]);
  });

  it('refuses a file that was changed after it was applied, and one with a bad name', async () => {
    const db = await newService('c');
    await migrate(db, { directory });
    await file('0001_agents.sql', 'create table agents (id int primary key);');
    await expect(migrate(db, { directory })).rejects.toThrow('0001_agents.sql was changed');
    await file('0001_agents.sql', 'create table agents (id int primary key); insert into agents values (1);');
    await file('2_x.sql', '');
    await expect(migrate(db, { directory })).rejects.toThrow('2_x.sql is not named');
  });

  it('leaves nothing of a file that fails half-way, and goes on with it when it is mended', async () => {
    const db = await newService('d');
    await file('0002_broken.sql', 'create table half (id int); select no_such_function();');
    await expect(migrate(db, { directory })).rejects.toThrow('no_such_function');
    await expect(db.query('select * from half')).rejects.toThrow('does not exist');
    await file('0002_broken.sql', 'create table half (id int);');
    await expect(migrate(db, { directory })).resolves.toEqual(['0002_broken.sql']);
  });

  it('leaves alone what a newer version has applied', async () => {
    const db = await newService('e');
    await migrate(db, { directory });
    await db.query(`insert into schema_migrations (name, checksum) values ('0009_future.sql', 'x')`);
    await expect(migrate(db, { directory })).resolves.toEqual([]);
  });
});

describe('a service on Postgres', () => {
  it('reaches its own schema and nothing else', async () => {
    const [mine, theirs] = [await newService('mine'), await newService('theirs')];
    await theirs.query('create table private_rows (id int)');
    const { rows } = await theirs.query<{ schema: string }>('select current_schema() as schema');
    const denied = [
      `select * from ${rows[0]?.schema}.private_rows`,
      'create table public.x (id int)',
      'create schema another',
      'create temporary table t (id int)',
      'create database another',
      'create role another',
      `alter role ${rows[0]?.schema} with password 'x'`,
      `copy (select 1) to program 'true'`,
      `select pg_read_file('/etc/hostname')`,
    ];
    for (const statement of denied)
      await expect(mine.query(statement)).rejects.toMatchObject({ code: '42501' });
    await mine.query('create table private_rows (id int)');
    await expect(theirs.query('select * from private_rows')).resolves.toMatchObject({ rowCount: 0 });
  });

  it('is set up as often as one likes, also with a new password, which Postgres never sees', async () => {
    const { adminUrl } = await engines.databaseFor('first');
    const admin = connect(adminUrl);
    const account = { role: 'repeat', schema: 'repeat', password: 'password-number-1' };
    await Promise.all([provisionService(admin, account), provisionService(admin, account)]);
    await provisionService(admin, { ...account, password: 'p@ss/word number 2' });
    const url = new URL(adminUrl.reveal());
    url.username = 'repeat';
    url.password = encodeURIComponent('p@ss/word number 2');
    const repeat = connect(new Secret(url.href));
    await expect(repeat.query('select current_schema() as schema')).resolves.toMatchObject({
      rows: [{ schema: 'repeat' }],
    });
    url.password = 'password-number-1';
    await expect(connect(new Secret(url.href)).ping()).rejects.toMatchObject({ cause: { code: '28P01' } });
    await expect(provisionService(admin, { ...account, password: 'short' })).rejects.toThrow('8 or more');
    const { rows } = await admin.query<{ verifier: string }>(
      `select rolpassword as verifier from pg_authid where rolname = 'repeat'`,
    );
    expect(rows[0]?.verifier).toMatch(/^SCRAM-SHA-256\$4096:/);
  });
});

describe('subject keys on Postgres', () => {
  it('are made once, shared by processes, and gone for good when destroyed', async () => {
    const db = await newService('calls-logs');
    const empty = pathToFileURL(`${await newFolder()}/`);
    await migrate(db, { directory: empty, framework: true });
    const key = { id: 'k1', key: new Secret(Buffer.alloc(32, 'key').toString('base64')) };
    const processes = [1, 2, 3].map(() =>
      createPersonalData({ keyring: new Keyring(key), store: pgSubjectKeys(db) }),
    );
    const sealed = await Promise.all(processes.map((personal, index) => personal.seal('call-1', { index })));
    for (const personal of processes) {
      const opened = await Promise.all(sealed.map((text) => personal.open('call-1', text)));
      expect(opened).toEqual([{ index: 0 }, { index: 1 }, { index: 2 }]);
    }
    await processes[0]?.forget('call-1');
    await processes[0]?.forget('call-1');
    const fresh = createPersonalData({ keyring: new Keyring(key), store: pgSubjectKeys(db) });
    await expect(fresh.open('call-1', sealed[1] ?? '')).resolves.toBeNull();
    await expect(fresh.open('call-1', await fresh.seal('call-1', 'late'))).resolves.toBeNull();
    const { rows } = await db.query(
      'select wrapped_key, destroyed_at is not null as destroyed from personal_keys',
    );
    expect(rows).toEqual([{ wrapped_key: null, destroyed: true }]);
  });
});
