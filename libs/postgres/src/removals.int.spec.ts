// Organizations that may begin nothing any more. A closure and a transaction that begins something at the same time see
// each other. A service clears all remains of a removed organization away.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, type TestEngines, tellRemoval, testEngines } from '@parlance/fixtures';
import { createLogger } from '@parlance/observability';
import { connectNats } from '@parlance/rpc';
import type { NatsConnection } from 'nats';
import {
  closeOrganization,
  createDatabase,
  type Database,
  ensureEventStream,
  isRemoved,
  migrate,
  noteRemoval,
  refuseClosed,
  reopenOrganization,
  startRemovals,
} from './index.js';

const directory = mkdtempSync(join(tmpdir(), 'parlance-test-'));
const logger = createLogger({ service: 'test', level: 'silent' });
let engines: TestEngines;
let nats: NatsConnection;
let db: Database;

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  const { url } = await engines.databaseFor('tenant');
  db = createDatabase({ url, applicationName: 'test', max: 8 });
  await migrate(db, { directory: pathToFileURL(`${directory}/`), framework: true });
  await db.query('create table things (organization_id text not null)');
  nats = await connectNats({ url: engines.natsUrl, name: 'test' });
  await ensureEventStream(nats);
});
afterAll(async () => {
  await db?.end();
  await nats?.close();
  await engines?.stop();
  rmSync(directory, { recursive: true, force: true });
});

const conflict = expect.objectContaining({ code: 'CONFLICT' });
const closure = (organizationId: string = randomUUID()) => ({ organizationId, removalId: randomUUID() });
/** Something that costs an organization money. */
const begin = (organizationId: string): Promise<void> =>
  db.transaction(async (tx) => {
    await refuseClosed(tx, organizationId);
    await tx.query('insert into things (organization_id) values ($1)', [organizationId]);
  });
const close = (one: ReturnType<typeof closure>): Promise<void> =>
  db.transaction((tx) => closeOrganization(tx, one));
const begun = async (organizationId: string): Promise<number> =>
  (await db.query('select 1 from things where organization_id = $1', [organizationId])).rowCount;

describe('a closure', () => {
  it('and what begins at the same time: either the closure counts it, or it is refused', async () => {
    for (let round = 0; round < 20; round += 1) {
      const one = closure();
      const wishes = Array.from({ length: 6 }, () => begin(one.organizationId).then(() => 1));
      const counted = close(one).then(() => begun(one.organizationId));
      const outcomes = await Promise.allSettled(wishes);
      const granted = outcomes.filter(({ status }) => status === 'fulfilled').length;
      expect(await counted).toBe(granted);
      expect(await begun(one.organizationId)).toBe(granted);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toEqual(conflict);
    }
  });

  it('is for one organization, and ends when it is taken back', async () => {
    const one = closure();
    await close(one);
    await expect(begin(one.organizationId)).rejects.toEqual(conflict);
    await begin(randomUUID());
    await reopenOrganization(db, one);
    await begin(one.organizationId);
    expect(await begun(one.organizationId)).toBe(1);
  });

  it('that arrives after it was taken back closes nothing, and a later one does', async () => {
    const late = closure();
    await reopenOrganization(db, late);
    await expect(close(late)).rejects.toEqual(conflict);
    await begin(late.organizationId);
    await close(closure(late.organizationId));
    await expect(begin(late.organizationId)).rejects.toEqual(conflict);
  });

  it('stays for good once the organization is removed, also when a caller takes it back afterwards', async () => {
    const one = closure();
    await close(one);
    expect(await db.transaction((tx) => isRemoved(tx, one.organizationId))).toBe(false);
    await db.transaction((tx) => noteRemoval(tx, one));
    await reopenOrganization(db, one);
    await expect(begin(one.organizationId)).rejects.toEqual(conflict);
    expect(await db.transaction((tx) => isRemoved(tx, one.organizationId))).toBe(true);
  });

  it('waits for a transaction that has looked, and that gets the same answer to the end', async () => {
    const one = closure();
    let removal: Promise<void> | undefined;
    await db.transaction(async (tx) => {
      expect(await isRemoved(tx, one.organizationId)).toBe(false);
      removal = db.transaction((own) => noteRemoval(own, one));
      expect(await isRemoved(tx, one.organizationId)).toBe(false);
      const { rowCount } = await db.query('select 1 from organization_closures where organization_id = $1', [
        one.organizationId,
      ]);
      expect(rowCount).toBe(0);
    });
    await removal;
    expect(await db.transaction((tx) => isRemoved(tx, one.organizationId))).toBe(true);
  });
});

describe('a service that hears of a removal', () => {
  it('clears away part by part, again after a failure, and not any more when nothing is left', async () => {
    const organizationId = randomUUID();
    const answers = ['fails', 'more', 'done'];
    let calls = 0;
    const start = () =>
      startRemovals({
        ...{ db, nats, logger, durable: 'tenant' },
        clear: async (id) => {
          if (id !== organizationId) return true;
          const answer = answers[calls];
          calls += 1;
          if (answer === 'fails') throw new Error('the event store is away');
          return answer !== 'more';
        },
      });
    // Told while the service was down.
    await tellRemoval(nats, organizationId);
    const part = start();
    try {
      await eventually(() => expect(calls).toBe(3), { timeoutMs: 30_000 });
      const left = () => db.query('select 1 from organization_closures where next_clearing_at is not null');
      await eventually(async () => expect((await left()).rowCount).toBe(0));
      expect(await db.transaction((tx) => isRemoved(tx, organizationId))).toBe(true);
    } finally {
      await part.stop();
    }
    const again = start();
    // A round of its own, for another organization, shows that the first one is not in line any more.
    const other = randomUUID();
    await tellRemoval(nats, other);
    await eventually(async () => expect(await db.transaction((tx) => isRemoved(tx, other))).toBe(true));
    await again.stop();
    expect(calls).toBe(3);
  });
});
