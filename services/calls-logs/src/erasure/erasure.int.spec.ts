// Calls that are deleted, found by a person's number, too old, or of a removed organization: nothing of them is left in any store
// of the service.
import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Caller, contract, serviceRequests } from '@parlance/contracts';
import { createPersonalData, Keyring, type PersonalData, pgSubjectKeys } from '@parlance/crypto';
import { Erasures, openErasureLog } from '@parlance/erasure';
import {
  allEvents,
  connectEventStore,
  type EventStoreConnection,
  rawStream,
  streamOf,
} from '@parlance/event-sourcing';
import { type RunningS3, startS3 } from '@parlance/fake-s3';
import { environmentOf, eventually, programOf, tellRemoval } from '@parlance/fixtures';
import { connectObjectStorage, type ObjectStorage } from '@parlance/object-storage';
import { createLogger } from '@parlance/observability';
import { connectMongo, createDatabase, type Database, type Mongo } from '@parlance/postgres';
import type { Document, Filter } from 'mongodb';
import { callCategory, callsIn } from '../call/call-repository.js';
import { deleteOldCalls } from '../retention/delete-old-calls.js';
import { inboundRoom } from '../testing/dialled.js';
import { Receiver } from '../testing/webhook-world.js';
import { finishedCall, userOf, World } from '../testing/world.js';
import { applyErasures } from './apply-erasures.js';

const patient = { timeoutMs: 30_000 };
const dayMs = 24 * 60 * 60_000;
const directory = mkdtempSync(join(tmpdir(), 'parlance-erasure-'));
const account = { accessKeyId: 'key', secretAccessKey: 'secret' };
const logger = createLogger({ service: 'test', level: 'silent' });

let s3: RunningS3;
let world: World;
let storage: ObjectStorage;
let db: Database;
let mongo: Mongo;
let eventStore: EventStoreConnection;
let personalData: PersonalData;
let receiver: Receiver;

beforeAll(async () => {
  s3 = await startS3({ dataDir: directory, buckets: ['parlance'], ...account });
  receiver = await Receiver.start();
  world = await World.start({
    variables: {
      OBJECT_STORAGE_URL: s3.url,
      OBJECT_STORAGE_ACCESS_KEY_ID: account.accessKeyId,
      OBJECT_STORAGE_SECRET_ACCESS_KEY: account.secretAccessKey,
    },
  });
  const { env } = world;
  const connected = connectObjectStorage(env);
  if (connected === undefined) throw new Error('no storage');
  storage = connected;
  db = createDatabase({ url: env.POSTGRES_URL, applicationName: 'test', max: 4 });
  const keyring = new Keyring({ id: env.KEK_ID, key: env.KEK });
  personalData = createPersonalData({ keyring, store: pgSubjectKeys(db) });
  eventStore = connectEventStore({ url: env.EVENTSTORE_URL, name: 'test', personalData });
  mongo = connectMongo({ url: env.MONGODB_URL, appName: 'test', database: env.MONGODB_DATABASE });
});
afterAll(async () => {
  await Promise.all([eventStore?.close(), mongo?.close(), db?.end()]);
  storage?.close();
  await world?.stop();
  await receiver?.stop();
  await s3?.stop();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => {
  world.postCallWebhook = null;
  receiver.answer = (response) => response.end();
});

/** Everything that every store of the service holds, as text. */
const everything = async (): Promise<string[]> => {
  const texts: string[] = [];
  const tables = await db.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = current_schema()`,
  );
  for (const { name } of tables.rows)
    for (const { row } of (await db.query<{ row: string }>(`select t::text as row from "${name}" t`)).rows)
      texts.push(`${name} ${row}`);
  for (const { name } of await mongo.db.listCollections({}, { nameOnly: true }).toArray())
    for await (const document of mongo.db.collection(name).find({}))
      texts.push(`${name} ${JSON.stringify(document)}`);
  for await (const { key } of storage.list('')) texts.push(`object ${key}`);
  for await (const event of allEvents(eventStore)) texts.push(JSON.stringify(event.data));
  return texts;
};

/** What the stores hold of a mark: in the clear, in base64 at any offset, and with JSON escapes. */
const remainsOf = async (mark: string): Promise<string[]> => {
  const base64 = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), Buffer.from(mark)])
      .toString('base64')
      .slice(offset === 0 ? 0 : 4, -4),
  );
  const escaped = [...mark].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  const spellings = [mark, ...base64, escaped];
  return (await everything()).filter((text) => spellings.some((spelling) => text.includes(spelling)));
};

/** A word without digits, which a search takes for a name. */
const marked = (): string =>
  [...randomBytes(16)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');

type Finished = ReturnType<typeof finishedCall>;

const callWith = (org: string, mark: string, change: object = {}): Finished =>
  finishedCall(org, {
    dynamicVariables: { name: mark, note: `note ${mark}` },
    metadata: { crm: { [mark]: mark } },
    summary: `They talked about ${mark}.`,
    transcript: [{ seq: 0, role: 'user', text: `I am ${mark}.`, startMs: 0 }],
    ...change,
  });

const runtimeOf = ({ organizationId, callId, agentId }: Finished): Caller => ({
  organizationId,
  role: 'call',
  permissions: [],
  actor: { type: 'call', id: callId, agentId },
});

/** A call with a recording, in the log. */
const recorded = async (call: Finished): Promise<{ readonly storageKey: string }> => {
  const bytes = 64;
  const { data: upload } = await world.ask(
    contract.callsRecordingUpload,
    { params: { callId: call.callId }, body: { contentType: 'audio/wav', bytes } },
    runtimeOf(call),
  );
  const headers = { 'content-type': upload.contentType };
  const body = new Uint8Array(randomBytes(bytes));
  expect((await fetch(upload.uploadUrl, { method: 'PUT', body, headers })).status).toBe(200);
  const recording = {
    storageKey: upload.storageKey,
    durationSeconds: 60,
    channels: 2 as const,
    sha256: 'a'.repeat(64),
  };
  await world.ingest({ ...call, recording } as Finished);
  return { storageKey: upload.storageKey };
};

const listed = (org: string, ...calls: readonly Finished[]) =>
  eventually(async () => {
    const shown = (await world.list(org)).map(({ id }) => id);
    expect(shown.sort()).toEqual(calls.map(({ callId }) => callId).sort());
  }, patient);

const isErased = (callId: string) =>
  eventually(async () => {
    const { rows } = await db.query(
      'select 1 from call_erasures where call_id = $1 and erased_at is not null',
      [callId],
    );
    expect(rows).toHaveLength(1);
  }, patient);

const remove = (org: string, callId: string) =>
  world.ask(contract.callsDelete, { params: { callId } }, userOf(org));

const gateway = (org: string): Caller => ({
  ...userOf(org),
  actor: { type: 'platform', id: 'gateway' },
});

const logged = async (kind: string, id: string): Promise<number> => {
  const log = openErasureLog({ service: 'calls-logs', storage });
  let found = 0;
  for await (const entry of new Erasures({ log, db, logger }).entries())
    if (entry.kind === kind && entry.id === id) found += 1;
  return found;
};

const isUnreadable = async (callId: string): Promise<void> => {
  // Without the keys that this process has in memory.
  const keyring = new Keyring({ id: world.env.KEK_ID, key: world.env.KEK });
  const keys = createPersonalData({ keyring, store: pgSubjectKeys(db) });
  const stream = streamOf(callCategory, callId);
  let sealed = 0;
  for await (const { data } of rawStream(eventStore, stream)) {
    const { personal } = data as { personal?: string };
    if (personal === undefined) continue;
    sealed += 1;
    expect(await keys.open(stream, personal)).toBeNull();
  }
  expect(sealed).toBeGreaterThan(0);
};

describe('a call that is deleted', () => {
  it('leaves nothing that identifies a person in any store, and is in the log of erasures', async () => {
    const [org, mark, number] = [randomUUID(), marked(), '+14155559917'];
    const call = callWith(org, mark, { fromNumber: number });
    const { storageKey } = await recorded(call);
    await listed(org, call);
    // Read models are sealed also while the call is in the log.
    expect(await remainsOf(mark)).toEqual([]);
    expect((await world.list(org, { search: mark })).map(({ id }) => id)).toEqual([call.callId]);
    await remove(org, call.callId);
    await isErased(call.callId);
    for (const word of [mark, number, number.slice(1)]) expect(await remainsOf(word)).toEqual([]);
    await isUnreadable(call.callId);
    await eventually(async () => expect(await logged('call', call.callId)).toBe(1), patient);
    const { rows } = await db.query(
      'select delete_at <= now() as due from recordings where storage_key = $1',
      [storageKey],
    );
    expect(rows).toEqual([{ due: true }]);
    await expect(remove(org, call.callId)).rejects.toMatchObject({ code: 'CALL_NOT_FOUND' });
    expect(await world.list(org, { search: mark })).toEqual([]);
  });

  it('keeps its counts out of the dashboard and those of other calls in it', async () => {
    const org = randomUUID();
    const [gone, kept] = [callWith(org, marked()), callWith(org, marked())];
    await world.ingest(gone);
    await world.ingest(kept);
    await listed(org, gone, kept);
    await remove(org, gone.callId);
    await isErased(gone.callId);
    const { rows } = await db.query<{ calls: number }>(
      'select calls from call_rollups where organization_id = $1 and grain = 1440',
      [org],
    );
    expect(rows).toEqual([{ calls: 1 }]);
    expect((await world.get(org, kept.callId)).summary).toContain('They talked');
  });

  it('while its message is retried is told of no more', async () => {
    world.postCallWebhook = {
      url: `${receiver.url}/calls`,
      method: 'POST',
      headers: {},
      timeoutMs: 10_000,
      enabled: true,
      events: ['call.ended'],
    };
    receiver.answer = (response) => {
      response.statusCode = 503;
      response.end();
    };
    const org = randomUUID();
    const call = callWith(org, marked());
    await world.ingest(call);
    const row = async () =>
      (
        await db.query<{ status: string; target: string | null; last: string }>(
          `select status, target, attempts -> -1 ->> 'error' as last from webhook_deliveries where call_id = $1`,
          [call.callId],
        )
      ).rows[0];
    await eventually(async () => expect(await row()).toMatchObject({ status: 'retrying' }), patient);
    await remove(org, call.callId);
    await isErased(call.callId);
    expect(await row()).toEqual({ status: 'dead', target: null, last: 'call_deleted' });
  });
});

describe('a person', () => {
  const ask = (org: string, phoneNumber: string, erasureId = randomUUID()) => ({
    count: async () =>
      (await world.ask(serviceRequests.callsCountPerson, { body: { phoneNumber } }, gateway(org))).data,
    erase: async () =>
      (
        await world.ask(
          serviceRequests.callsErasePerson,
          { body: { phoneNumber, erasureId, requestedBy: 'user:u1' } },
          gateway(org),
        )
      ).data,
  });

  it('is found by exactly this number, also in a call in progress, and erased from one organization', async () => {
    const [org, other, mark, number] = [randomUUID(), randomUUID(), marked(), '+14155559923'];
    const calls = [
      callWith(org, mark, { fromNumber: number }),
      callWith(org, mark, { direction: 'outbound', toNumber: number }),
    ];
    // Its number ends like the one that is searched for.
    const longer = callWith(org, marked(), { fromNumber: '+914155559923' });
    const theirs = callWith(other, marked(), { fromNumber: number });
    for (const call of [...calls, longer, theirs]) await world.ingest(call);
    const { callId: running, room: begun } = inboundRoom(org);
    const room = { ...begun, metadata: { ...begun.metadata, fromNumber: number } };
    expect(await world.roomEvent('room_started', room)).toBe(true);
    const person = ask(org, number);
    expect(await person.count()).toEqual({ calls: 3, recordings: 0 });
    expect(await person.erase()).toEqual({ erased: 3, more: false });
    expect(await person.count()).toEqual({ calls: 0, recordings: 0 });
    expect(await person.erase()).toEqual({ erased: 0, more: false });
    expect(await remainsOf(mark)).toEqual([]);
    for (const { callId } of calls) {
      await isUnreadable(callId);
      expect(await logged('call', callId)).toBeGreaterThan(0);
    }
    // What is reported of the running call later cannot be read, either.
    expect(await world.roomEvent('room_finished', room)).toBe(true);
    await isUnreadable(running);
    expect((await world.live(org)).flatMap(({ fromNumber }) => fromNumber ?? [])).toEqual([]);
    expect((await world.get(org, longer.callId)).fromNumber).toBe('+914155559923');
    expect((await world.get(other, theirs.callId)).fromNumber).toBe(number);
  });

  it('with many calls is erased in pieces', async () => {
    const [org, number] = [randomUUID(), '+14155559931'];
    await Promise.all(
      Array.from({ length: 23 }, () => world.ingest(callWith(org, marked(), { fromNumber: number }))),
    );
    const person = ask(org, number);
    expect(await person.erase()).toEqual({ erased: 20, more: true });
    expect(await person.erase()).toEqual({ erased: 3, more: false });
  });
});

describe('the retention of calls', () => {
  const deleteAsOf = (inDays: number, defaultDays = 365) =>
    deleteOldCalls({
      db,
      logger,
      calls: callsIn(eventStore),
      defaultDays,
      clock: { now: () => new Date(Date.now() + inDays * dayMs) },
    });

  /** Repeats the round, as the service does: the index may list a call a moment before it has its end. */
  const deletesAsOf = (inDays: number, defaultDays: number, org: string) =>
    eventually(async () => {
      await deleteAsOf(inDays, defaultDays);
      expect(await world.list(org)).toEqual([]);
    }, patient);

  const endedNow = () => {
    const now = new Date().toISOString();
    return { startedAt: now, answeredAt: now, endedAt: now };
  };

  it('deletes and erases what ended before it, by the days of the organization or of the operator', async () => {
    const [chosen, byDefault] = [randomUUID(), randomUUID()];
    const [call, other] = [callWith(chosen, marked(), endedNow()), callWith(byDefault, marked(), endedNow())];
    await world.ingest(call);
    await world.ingest(other);
    await listed(chosen, call);
    await listed(byDefault, other);
    await db.query(
      `insert into organization_settings (organization_id, version, timezone, call_retention_days)
       values ($1, 1, 'UTC', 30)`,
      [chosen],
    );
    await deleteAsOf(29);
    await listed(chosen, call);
    await deletesAsOf(31, 365, chosen);
    await listed(byDefault, other);
    await isErased(call.callId);
    await isUnreadable(call.callId);
    // The retention passes after a restore, too.
    expect(await logged('call', call.callId)).toBe(0);
    await deletesAsOf(366, 365, byDefault);
  });

  it('leaves the calls of before the upgrade for a month', async () => {
    const org = randomUUID();
    const call = callWith(org, marked());
    await world.ingest(call);
    await listed(org, call);
    await deleteAsOf(29, 1);
    await listed(org, call);
    await deletesAsOf(31, 1, org);
  });
});

describe('a removed organization', () => {
  it('leaves no row, document, file or key, and its calls do not come back', async () => {
    const [org, mark] = [randomUUID(), marked()];
    const [call, deleted] = [callWith(org, mark), callWith(org, mark)];
    await recorded(call);
    await world.ingest(deleted);
    await listed(org, call, deleted);
    await remove(org, deleted.callId);
    await isErased(deleted.callId);
    await tellRemoval(world.nats, org);
    await eventually(async () => {
      const { rows } = await db.query<{ next_clearing_at: Date | null }>(
        'select next_clearing_at from organization_closures where organization_id = $1',
        [org],
      );
      expect(rows).toEqual([{ next_clearing_at: null }]);
    }, patient);
    expect(await logged('organization', org)).toBe(1);
    const kept = /^(organization_closures|inbox|outbox|recordings|personal_keys|object erasures\/) ?/;
    const remains = (await remainsOf(org)).filter((text) => !kept.test(text) && !text.startsWith('{"data"'));
    expect(remains).toEqual([]);
    for (const { callId } of [call, deleted]) await isUnreadable(callId);
    const { rows } = await db.query(
      'select 1 from personal_keys where subject = $1 and wrapped_key is null',
      [`search-${org}`],
    );
    expect(rows).toHaveLength(1);
    // A report that comes later stops nothing, and brings nothing back.
    const calls = callsIn(eventStore);
    const storageKey = `org/${org}/recordings/${call.callId}/recording.wav`;
    const now = new Date().toISOString();
    const { position } = await calls.handle(
      call.callId,
      { type: 'RecordRecordingDeleted', now, organizationId: org, storageKey },
      { commandId: randomUUID(), organizationId: org, actor: 'test', requestId: 'test', occurredAt: now },
    );
    expect(position).toBeDefined();
    await world.ask(
      serviceRequests.callsCountPerson,
      { body: { phoneNumber: '+14155550177' } },
      gateway(org),
    );
    const parked = await db.query('select 1 from projection_dead_letters');
    expect(parked.rows).toEqual([]);
    const index = await db.query('select 1 from call_index where organization_id = $1', [org]);
    expect(index.rows).toEqual([]);
  });
});

describe('the log of erasures, after a restore', () => {
  it('erases again what came back, and calls that are not back yet', async () => {
    const [org, mark] = [randomUUID(), marked()];
    const call = callWith(org, mark);
    const { storageKey } = await recorded(call);
    await listed(org, call);
    const absent = randomUUID();
    const at = new Date().toISOString();
    const list = [call.callId, absent].map((id) => ({ organizationId: org, kind: 'call' as const, id, at }));
    const engines = { db, eventStore, logger, mongo: mongo.db, personalData, storage };
    await applyErasures(engines, list);
    await applyErasures(engines, list);
    await isUnreadable(call.callId);
    expect(await storage.head(storageKey)).toBeUndefined();
    await expect(world.get(org, call.callId)).rejects.toMatchObject({ code: 'CALL_NOT_FOUND' });
    await eventually(async () => expect(await remainsOf(mark)).toEqual([]), patient);
    const sealed = await personalData.seal(streamOf(callCategory, absent), { name: 'Ada' });
    await expect(personalData.open(streamOf(callCategory, absent), sealed)).resolves.toBeNull();
  });

  it('removes an organization again that came back', async () => {
    const org = randomUUID();
    const call = callWith(org, marked());
    await world.ingest(call);
    await listed(org, call);
    const engines = { db, eventStore, logger, mongo: mongo.db, personalData, storage };
    const at = new Date().toISOString();
    await applyErasures(engines, [{ organizationId: org, kind: 'organization', id: org, at }]);
    await eventually(async () => {
      const { rows } = await db.query('select 1 from call_index where organization_id = $1', [org]);
      expect(rows).toEqual([]);
    }, patient);
    await isUnreadable(call.callId);
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
    await isUnreadable(callId);
    expect(await remainsOf(mark)).toEqual([]);
  };

  it('erases what came back where half of the stores was restored, whichever half, and says what it could not', async () => {
    const [org, mark] = [randomUUID(), marked()];
    const call = callWith(org, mark);
    const { callId } = call;
    await world.ingest(call);
    await listed(org, call);
    const documents = await eventually(async () => {
      const found = await documentsOf(callId);
      expect(found).not.toEqual([]);
      return found;
    }, patient);
    await backUp();
    await remove(org, callId);
    await isErased(callId);
    await eventually(async () => expect(await logged('call', callId)).toBe(1), patient);
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
    await listed(org, gone, kept);
    await remove(org, gone.callId);
    await isErased(gone.callId);
    await eventually(async () => expect(await logged('call', gone.callId)).toBe(1), patient);
    await backUp();
    await world.restart(async () => {
      await restore();
      expect(await apply()).toMatchObject({ status: 0, output: expect.stringMatching(/ 0 +0 +applied/) });
      expect(await apply(['--since', new Date(0).toISOString()])).toMatchObject({ status: 0, errors: '' });
    });
    await listed(org, kept);
    expect((await world.get(org, kept.callId)).summary).toContain('They talked');
  }, 60_000);
});
