import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { createS3Faults, type RunningS3, startS3 } from '@parlance/fake-s3';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { connectObjectStorage, type ObjectStorage } from '@parlance/object-storage';
import { createLogger } from '@parlance/observability';
import { createDatabase, type Database, migrate } from '@parlance/postgres';
import { type Erasure, type ErasureLog, Erasures, openErasureLog } from './index.js';

const directory = mkdtempSync(join(tmpdir(), 'parlance-erasure-'));
const logger = createLogger({ service: 'test', level: 'silent' });
const account = { accessKeyId: 'key', secretAccessKey: 'secret' };
let engines: TestEngines;
let s3: RunningS3;
let storage: ObjectStorage;
let db: Database;

const storageAt = (url: string): ObjectStorage => {
  const connected = connectObjectStorage({
    OBJECT_STORAGE_URL: url,
    OBJECT_STORAGE_REGION: 'us-east-1',
    OBJECT_STORAGE_BUCKET: 'files',
    OBJECT_STORAGE_ACCESS_KEY_ID: account.accessKeyId,
    OBJECT_STORAGE_SECRET_ACCESS_KEY: new Secret(account.secretAccessKey),
  });
  if (connected === undefined) throw new Error('no storage');
  return connected;
};

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
  const { url } = await engines.databaseFor('erasing');
  db = createDatabase({ url, applicationName: 'test', max: 2 });
  const migrations = mkdtempSync(join(directory, 'migrations-'));
  await migrate(db, { directory: pathToFileURL(`${migrations}/`), framework: true });
  s3 = await startS3({
    dataDir: mkdtempSync(join(directory, 's3-')),
    buckets: ['files'],
    faults: createS3Faults(),
    ...account,
  });
  storage = storageAt(s3.url);
});
afterEach(async () => {
  await db.query('delete from erasures_applied; delete from erasure_log_state');
});
afterAll(async () => {
  storage?.close();
  await s3?.stop();
  await db?.end();
  await engines?.stop();
  rmSync(directory, { recursive: true, force: true });
});

let made = 0;
const erasure = (id: string): Erasure => ({
  organizationId: 'o1',
  kind: 'call',
  id,
  at: '2026-11-28T00:00:00.000Z',
});
const inFolder = (folder = mkdtempSync(join(directory, 'log-'))): ErasureLog =>
  openErasureLog({ service: 'calls-logs', storage: undefined, directory: folder });
const inStorage = (): ErasureLog => {
  made += 1;
  return openErasureLog({ service: `service-${made}`, storage });
};
const erasing = (log: ErasureLog): Erasures => new Erasures({ log, db, logger, patienceMs: 0 });

/** The database as it was when the backup was made. */
const restored = async (work: () => Promise<void>): Promise<void> => {
  const applied = (await db.query('select * from erasures_applied')).rows;
  const state = (await db.query('select * from erasure_log_state')).rows;
  await work();
  await db.query('delete from erasures_applied; delete from erasure_log_state');
  for (const [table, rows] of Object.entries({ erasures_applied: applied, erasure_log_state: state }))
    await db.query(`insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`, [
      JSON.stringify(rows),
    ]);
};
/** Applies what is missing. */
const missing = async (erasures: Erasures): Promise<readonly string[]> => {
  const ids: string[] = [];
  await erasures.applyMissing(async (list) => void ids.push(...list.map(({ id }) => id)));
  return ids;
};

describe.each([
  ['in the object storage', inStorage],
  ['in a folder', inFolder],
])('a log %s', (_, openLog) => {
  it('names after a restore what was erased after the backup, once', async () => {
    const erasures = erasing(openLog());
    await erasures.record([erasure('before')]);
    await restored(() => erasures.record([erasure('later-1'), erasure('later-2')]));
    expect(await missing(erasures)).toEqual(['later-1', 'later-2']);
    expect(await missing(erasures)).toEqual([]);
  });

  it('is applied whole to a backup of before its first entry', async () => {
    const erasures = erasing(openLog());
    await missing(erasures);
    await restored(async () => {
      for (const id of ['a', 'b', 'c']) await erasures.record([erasure(id)]);
    });
    expect(await missing(erasures)).toEqual(['a', 'b', 'c']);
  });

  it('is applied again on demand, from a time on', async () => {
    const erasures = erasing(openLog());
    await erasures.record([erasure('a')]);
    const ids: string[] = [];
    const apply = async (list: readonly Erasure[]): Promise<void> =>
      void ids.push(...list.map(({ id }) => id));
    expect(await erasures.applyAll(apply, new Date(0))).toEqual({ erasures: 1, files: 1, damaged: [] });
    expect(await erasures.applyAll(apply, new Date(Date.now() + 60_000))).toMatchObject({ erasures: 0 });
    expect(ids).toEqual(['a']);
  });

  it('stays unapplied where applying fails', async () => {
    const erasures = erasing(openLog());
    await restored(() => erasures.record([erasure('a')]));
    await expect(erasures.applyMissing(() => Promise.reject(new Error('the store is away')))).rejects.toThrow(
      'the store is away',
    );
    expect(await missing(erasures)).toEqual(['a']);
  });

  it('takes more entries at once than a file has', async () => {
    const erasures = erasing(openLog());
    const ids = Array.from({ length: 2_001 }, (_, index) => `call-${index}`);
    await erasures.record(ids.map(erasure));
    const read: string[] = [];
    for await (const { id } of erasures.entries()) read.push(id);
    expect(new Set(read)).toEqual(new Set(ids));
    expect(await missing(erasures)).toEqual([]);
  });
});

describe('a log that cannot be read', () => {
  const away = (): ErasureLog =>
    openErasureLog({ service: 'calls-logs', storage: storageAt('http://127.0.0.1:9') });

  it('lets no service start on a database that may have been restored', async () => {
    await expect(missing(erasing(away()))).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
    await db.query(
      `insert into erasure_log_state (complete_until, seen_at) values (now(), now() - interval '16 minutes')`,
    );
    await expect(missing(erasing(away()))).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  });

  it('lets a service restart on a database that it used a moment ago', async () => {
    await missing(erasing(inFolder()));
    expect(await missing(erasing(away()))).toEqual([]);
  });

  it('takes no entry', async () => {
    await expect(erasing(away()).record([erasure('a')])).rejects.toMatchObject({
      code: 'STORAGE_UNAVAILABLE',
    });
  });
});

describe('a damaged file', () => {
  const line = (id: string): string => `${JSON.stringify(erasure(id))}\n`;
  /** A file that was written some days ago. */
  const damage = (folder: string, content: string, daysAgo = 0): string => {
    const name = `${new Date(Date.now() - daysAgo * 86_400_000).toISOString()}-x.jsonl`;
    writeFileSync(join(folder, 'calls-logs', name), content);
    return name;
  };

  it.each([
    ['of a kind of a newer release', `${line('good')}{"kind":"unheard"}\n`, ['good']],
    ['that was cut off', `${line('good')}${line('cut').slice(0, 30)}`, ['good']],
    ['that is empty', '', []],
    ['that is none', '\u0000\u0001', []],
  ])('%s is applied as far as it can be read, holds up no other, and is named', async (_, content, ids) => {
    const folder = mkdtempSync(join(directory, 'log-'));
    const erasures = erasing(inFolder(folder));
    await restored(() => erasures.record([erasure('a')]));
    const name = damage(folder, content);
    const applied: string[] = [];
    const result = await erasures.applyMissing(
      async (list) => void applied.push(...list.map(({ id }) => id)),
    );
    expect(applied.sort()).toEqual(['a', ...ids].sort());
    expect(result).toEqual({ erasures: applied.length, files: 2, damaged: [name] });
    expect((await db.query(`select 1 from erasures_applied where name like '%-x.jsonl'`)).rowCount).toBe(0);
  });

  it('stays within reach until it is repaired, also days later', async () => {
    const folder = mkdtempSync(join(directory, 'log-'));
    const erasures = erasing(inFolder(folder));
    await erasures.record([erasure('a')]);
    const name = damage(folder, 'damaged', 5);
    for (let time = 0; time < 2; time += 1) expect(await missing(erasures)).toEqual([]);
    writeFileSync(join(folder, 'calls-logs', name), line('repaired'));
    expect(await missing(erasures)).toEqual(['repaired']);
    expect(await missing(erasures)).toEqual([]);
  });
});

it('without a storage and a folder nothing is logged, and nothing is missing', async () => {
  const erasures = erasing(openErasureLog({ service: 'calls-logs', storage: undefined }));
  await erasures.record([erasure('a')]);
  expect(await missing(erasures)).toEqual([]);
});
