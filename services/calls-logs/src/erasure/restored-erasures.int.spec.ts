// The log of erasures after a restore: what came back is erased again, by the service and by the command of operators.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PersonalData } from '@parlance/crypto';
import { type EventStoreConnection, streamOf } from '@parlance/event-sourcing';
import { environmentOf, eventually, programOf } from '@parlance/fixtures';
import type { ObjectStorage } from '@parlance/object-storage';
import type { Database } from '@parlance/postgres';
import type { Mongo } from '@parlance/postgres/mongo';
import type { Document, Filter } from 'mongodb';
import { callCategory } from '../call/call-repository.js';
import { callWith, dayMs, ErasureWorld, marked, patient } from '../testing/erasure-world.js';
import type { World } from '../testing/world.js';
import { applyErasures } from './apply-erasures.js';

let erasing: ErasureWorld;
let world: World;
let storage: ObjectStorage;
let db: Database;
let mongo: Mongo;
let eventStore: EventStoreConnection;
let personalData: PersonalData;

beforeAll(async () => {
  erasing = await ErasureWorld.start();
  ({ world, storage, db, mongo, eventStore, personalData } = erasing);
});
afterAll(() => erasing?.stop());

describe('the log of erasures, after a restore', () => {
  it('erases again what came back, and calls that are not back yet', async () => {
    const [org, mark] = [randomUUID(), marked()];
    const call = callWith(org, mark);
    const { storageKey } = await erasing.recorded(call);
    await erasing.listed(org, call);
    const absent = randomUUID();
    const at = new Date().toISOString();
    const list = [call.callId, absent].map((id) => ({ organizationId: org, kind: 'call' as const, id, at }));
    const engines = { db, eventStore, logger: erasing.logger, mongo: mongo.db, personalData, storage };
    await applyErasures(engines, list);
    await applyErasures(engines, list);
    await erasing.isUnreadable(call.callId);
    expect(await storage.head(storageKey)).toBeUndefined();
    await expect(world.get(org, call.callId)).rejects.toMatchObject({ code: 'CALL_NOT_FOUND' });
    await eventually(async () => expect(await erasing.remainsOf(mark)).toEqual([]), patient);
    const sealed = await personalData.seal(streamOf(callCategory, absent), { name: 'Ada' });
    await expect(personalData.open(streamOf(callCategory, absent), sealed)).resolves.toBeNull();
  });

  it('removes an organization again that came back', async () => {
    const org = randomUUID();
    const call = callWith(org, marked());
    await world.ingest(call);
    await erasing.listed(org, call);
    const engines = { db, eventStore, logger: erasing.logger, mongo: mongo.db, personalData, storage };
    const at = new Date().toISOString();
    await applyErasures(engines, [{ organizationId: org, kind: 'organization', id: org, at }]);
    await eventually(async () => {
      const { rows } = await db.query('select 1 from call_index where organization_id = $1', [org]);
      expect(rows).toEqual([]);
    }, patient);
    await erasing.isUnreadable(call.callId);
  });
});

describe('the command `erasures apply`, after a restore', () => {
  const run = promisify(execFile);
  /** In the service's own container. */
  const apply = async (
    args: readonly string[] = [],
    variables: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly status: number; readonly output: string; readonly errors: string }> => {
    const env = environmentOf({ ...world.variables, ...variables });
    const command = [programOf('calls-logs'), 'erasures', 'apply', ...args];
    return run(process.execPath, command, { env }).then(
      ({ stdout: output, stderr: errors }) => ({ status: 0, output, errors }),
      ({ code: status, stdout: output, stderr: errors }) => ({ status, output, errors }),
    );
  };
  const tables = [
    ...['personal_keys', 'call_index', 'call_number_terms', 'call_name_terms', 'call_erasures'],
    ...['erasures_applied', 'erasure_log_state'],
  ];
  const backUp = async (): Promise<void> => {
    for (const table of tables) await db.query(`create table backup_${table} as table ${table}`);
  };
  const restore = async (): Promise<void> => {
    for (const table of tables)
      await db.query(
        `delete from ${table}; insert into ${table} table backup_${table}; drop table backup_${table}`,
      );
  };
  const documentsOf = async (callId: string): Promise<{ name: string; documents: Document[] }[]> => {
    const found: { name: string; documents: Document[] }[] = [];
    for (const { name } of await mongo.db.listCollections({}, { nameOnly: true }).toArray()) {
      const documents = await mongo.db
        .collection(name)
        .find({ $or: [{ _id: callId }, { callId }] } as Filter<Document>)
        .toArray();
      if (documents.length > 0) found.push({ name, documents });
    }
    return found;
  };
  const keyOf = async (callId: string): Promise<unknown> =>
    (
      await db.query('select wrapped_key as key from personal_keys where subject = $1', [
        streamOf(callCategory, callId),
      ])
    ).rows[0];
  const nothingLeft = async (callId: string, mark: string): Promise<void> => {
    expect(await keyOf(callId)).toEqual({ key: null });
    await erasing.isUnreadable(callId);
    expect(await erasing.remainsOf(mark)).toEqual([]);
  };

  it('erases what came back where half of the stores was restored, whichever half, and says what it could not', async () => {
    const [org, mark] = [randomUUID(), marked()];
    const call = callWith(org, mark);
    const { callId } = call;
    await world.ingest(call);
    await erasing.listed(org, call);
    const documents = await eventually(async () => {
      const found = await documentsOf(callId);
      expect(found).not.toEqual([]);
      return found;
    }, patient);
    await backUp();
    await erasing.remove(org, callId);
    await erasing.isErased(callId);
    await eventually(async () => expect(await erasing.logged('call', callId)).toBe(1), patient);
    const before = new Date(Date.now() - dayMs).toISOString();

    await world.restart(async () => {
      // Postgres of before the deletion; MongoDB and the streams of after it.
      await restore();
      expect(await keyOf(callId)).not.toEqual({ key: null });
      expect(await apply([], { MONGODB_URL: 'mongodb://127.0.0.1:9/calls' })).toMatchObject({
        status: 1,
        output: expect.stringMatching(/calls-logs +- +- +failed/),
        errors: expect.stringContaining('Start or restore that engine, and run the command again'),
      });
      expect(await apply()).toMatchObject({
        status: 0,
        output: expect.stringMatching(/service +files +erasures +result\ncalls-logs +\d+ +\d+ +applied\n/),
        errors: '',
      });
      await nothingLeft(callId, mark);

      // MongoDB of before it; Postgres believes that the erasure is done.
      for (const { name, documents: found } of documents)
        for (const document of found)
          await mongo.db.collection(name).replaceOne({ _id: document._id }, document, { upsert: true });
      const sealed = async () =>
        (await documentsOf(callId)).flatMap(({ documents: found }) =>
          found.filter(({ personal, turns }) => personal !== undefined || turns !== undefined),
        );
      expect(await sealed()).not.toEqual([]);
      expect(await apply()).toMatchObject({ status: 0, output: expect.stringMatching(/ 0 +0 +applied/) });
      expect(await sealed()).not.toEqual([]);

      // A file of the log was cut off in the middle of its second line.
      const damaged = `erasures/calls-logs/${new Date().toISOString()}-${randomUUID()}.jsonl`;
      const cut = { organizationId: org, kind: 'call', id: callId, at: before };
      await storage.put(damaged, `${JSON.stringify(cut)}\n{"organizationId":"${org}","ki`);
      expect(await apply(['--since', before])).toMatchObject({
        status: 1,
        output: expect.stringMatching(/calls-logs +\d+ +\d+ +applied, but for 1 damaged/),
        errors: expect.stringContaining(`${damaged} is damaged`),
      });
      await nothingLeft(callId, mark);
      expect(await sealed()).toEqual([]);
      await storage.delete(damaged);

      // The database is not back yet.
      const { url } = await world.engines.databaseFor('calls-logs-empty');
      expect(await apply([], { POSTGRES_URL: url.reveal() })).toMatchObject({
        status: 1,
        errors: expect.stringContaining('Restore its backup, or start the service'),
      });
    });
    await expect(world.get(org, callId)).rejects.toMatchObject({ code: 'CALL_NOT_FOUND' });
  }, 120_000);

  it('applies a log that is older than the backup again, which changes nothing', async () => {
    const org = randomUUID();
    const [gone, kept] = [callWith(org, marked()), callWith(org, marked())];
    await world.ingest(gone);
    await world.ingest(kept);
    await erasing.listed(org, gone, kept);
    await erasing.remove(org, gone.callId);
    await erasing.isErased(gone.callId);
    await eventually(async () => expect(await erasing.logged('call', gone.callId)).toBe(1), patient);
    await backUp();
    await world.restart(async () => {
      await restore();
      expect(await apply()).toMatchObject({ status: 0, output: expect.stringMatching(/ 0 +0 +applied/) });
      expect(await apply(['--since', new Date(0).toISOString()])).toMatchObject({ status: 0, errors: '' });
    });
    await erasing.listed(org, kept);
    expect((await world.get(org, kept.callId)).summary).toContain('They talked');
  });
});
