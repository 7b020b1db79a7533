import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Secret } from '@parlance/config';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { createDatabase, type Database, StoredForm } from './index.js';
import { releaseLock } from './migration-locks.js';

let engines: TestEngines;
let url: Secret;
let schemas = 0;
const open: Database[] = [];

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
});
afterAll(() => engines.stop());
beforeEach(async () => {
  schemas += 1;
  ({ url } = await engines.databaseFor(`stored-form-${schemas}`));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((db) => db.end()));
});

/** A process that has started: `migrate` takes the lock of its release. */
const processOf = async (place: number, database = url): Promise<Database> => {
  const db = createDatabase({ url: database, applicationName: 'test', max: 2 });
  open.push(db);
  await db.hold(releaseLock(place));
  return db;
};
const reading = async (cachedMs = 0, name = 'sealed-lamps') => {
  const db = await processOf(1);
  const form = await StoredForm.read(db, { name, cachedMs });
  return { db, isReadByAll: () => form.isReadByAll(db) };
};

describe('a new form of stored values', () => {
  it('is read by all once the last process that cannot read it has ended', async () => {
    const older = await processOf(0);
    const sameRelease = await processOf(1);
    const [first, second] = [await reading(), await reading()];
    expect(await first.isReadByAll()).toBe(false);
    await older.end();
    expect(await first.isReadByAll()).toBe(false);
    await sameRelease.end();
    expect([await first.isReadByAll(), await second.isReadByAll()]).toEqual([true, true]);
  });

  it('is not read by all any more when a process starts that cannot read it', async () => {
    const { isReadByAll } = await reading();
    expect(await isReadByAll()).toBe(true);
    await processOf(0);
    expect(await isReadByAll()).toBe(false);
  });

  it('is not read by a process that reads another form', async () => {
    const { isReadByAll } = await reading();
    await reading(0, 'sealed-colours');
    expect(await isReadByAll()).toBe(false);
  });

  it('is not held up by a process on the schema of another service', async () => {
    const { isReadByAll } = await reading();
    await processOf(0, (await engines.databaseFor('stored-form-of-another')).url);
    expect(await isReadByAll()).toBe(true);
  });

  it('asks Postgres once for all questions within the time that an answer holds', async () => {
    const { db } = await reading();
    const form = await StoredForm.read(db, { name: 'sealed-lamps', cachedMs: 60_000 });
    let queries = 0;
    const counted: Pick<Database, 'query'> = {
      query: (...all: Parameters<Database['query']>) => {
        queries += 1;
        return db.query(...all);
      },
    } as Pick<Database, 'query'>;
    await form.isReadByAll(counted);
    await form.isReadByAll(counted);
    expect(queries).toBe(1);
  });
});
