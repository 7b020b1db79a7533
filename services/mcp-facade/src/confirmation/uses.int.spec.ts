import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { createDatabase, type Database, migrate } from '@parlance/postgres';
import { claimUse, deleteExpired } from './uses.js';

let engines: TestEngines;
let db: Database;

beforeAll(async () => {
  engines = await testEngines({ postgres: true });
  const { url } = await engines.databaseFor('mcp-facade');
  db = createDatabase({ url, applicationName: 'test', max: 10 });
  await migrate(db, { directory: new URL('../../migrations/', import.meta.url) });
});

afterAll(async () => {
  await db?.end();
  await engines?.stop();
});

const useOf = (organizationId: string, confirmationId: string, expiresAt = new Date()) => ({
  ...{ organizationId, confirmationId, expiresAt },
});

describe('the use of a confirmation', () => {
  it('is granted to one of many that come at once', async () => {
    const use = useOf('ours', randomUUID());
    const granted = await Promise.all(Array.from({ length: 50 }, () => claimUse(db, use)));
    expect(granted.filter(Boolean)).toHaveLength(1);
  });

  it('of one organization takes nothing from another', async () => {
    const id = randomUUID();
    expect(await claimUse(db, useOf('ours', id))).toBe(true);
    expect(await claimUse(db, useOf('theirs', id))).toBe(true);
  });

  it('is forgotten only when its confirmation has expired for everybody', async () => {
    const now = new Date('2026-11-23T10:00:00Z');
    const [long, lately] = [randomUUID(), randomUUID()];
    await claimUse(db, useOf('swept', long, new Date('2026-11-23T09:49:59Z')));
    await claimUse(db, useOf('swept', lately, new Date('2026-11-23T09:51:00Z')));
    await deleteExpired(db, now);
    const { rows } = await db.query(
      'select confirmation_id from confirmation_uses where organization_id = $1',
      ['swept'],
    );
    expect(rows).toEqual([{ confirmation_id: lately }]);
  });
});
