// For tests of erasures: the service with its stores, and a search for what is left of a call in all of them.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { type Caller, contract } from '@parlance/contracts';
import { createPersonalData, Keyring, type PersonalData, pgSubjectKeys } from '@parlance/crypto';
import { Erasures, openErasureLog } from '@parlance/erasure';
import {
  allEvents,
  connectEventStore,
  type EventStoreConnection,
  rawStream,
  streamOf,
} from '@parlance/event-sourcing';
import { startS3 } from '@parlance/fake-s3';
import { eventually } from '@parlance/fixtures';
import { connectObjectStorage, type ObjectStorage } from '@parlance/object-storage';
import { createLogger, type Logger } from '@parlance/observability';
import { createDatabase, type Database } from '@parlance/postgres';
import { connectMongo, type Mongo } from '@parlance/postgres/mongo';
import { callCategory } from '../call/call-repository.js';
import { finishedCall, userOf, World } from './world.js';

export type Finished = ReturnType<typeof finishedCall>;

export const patient = { timeoutMs: 30_000 };
export const dayMs = 24 * 60 * 60_000;
const account = { accessKeyId: 'key', secretAccessKey: 'secret' };

/** A word without digits, which a search takes for a name. */
export const marked = (): string =>
  [...randomBytes(16)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');

export const callWith = (org: string, mark: string, change: object = {}): Finished =>
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

/** A mark as it may be stored: in the clear, in base64 at any offset, and with JSON escapes. */
const spellingsOf = (mark: string): readonly string[] => {
  const base64 = [0, 1, 2].map((offset) =>
    Buffer.concat([Buffer.alloc(offset), Buffer.from(mark)])
      .toString('base64')
      .slice(offset === 0 ? 0 : 4, -4),
  );
  const escaped = [...mark].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  return [mark, ...base64, escaped];
};

interface Stores {
  readonly world: World;
  readonly storage: ObjectStorage;
  readonly db: Database;
  readonly mongo: Mongo;
  readonly eventStore: EventStoreConnection;
  readonly personalData: PersonalData;
  readonly stop: () => Promise<void>;
}

export class ErasureWorld {
  readonly world: World;
  readonly storage: ObjectStorage;
  readonly db: Database;
  readonly mongo: Mongo;
  readonly eventStore: EventStoreConnection;
  readonly personalData: PersonalData;
  readonly logger: Logger = createLogger({ service: 'test', level: 'silent' });
  readonly stop: () => Promise<void>;

  private constructor({ world, storage, db, mongo, eventStore, personalData, stop }: Stores) {
    this.world = world;
    this.storage = storage;
    this.db = db;
    this.mongo = mongo;
    this.eventStore = eventStore;
    this.personalData = personalData;
    this.stop = stop;
  }

  static async start(): Promise<ErasureWorld> {
    const directory = mkdtempSync(join(tmpdir(), 'parlance-erasure-'));
    const s3 = await startS3({ dataDir: directory, buckets: ['parlance'], ...account });
    const world = await World.start({
      variables: {
        OBJECT_STORAGE_URL: s3.url,
        OBJECT_STORAGE_ACCESS_KEY_ID: account.accessKeyId,
        OBJECT_STORAGE_SECRET_ACCESS_KEY: account.secretAccessKey,
      },
    });
    const { env } = world;
    const storage = connectObjectStorage(env);
    if (storage === undefined) throw new Error('no storage');
    const db = createDatabase({ url: env.POSTGRES_URL, applicationName: 'test', max: 4 });
    const keyring = new Keyring({ id: env.KEK_ID, key: env.KEK });
    const personalData = createPersonalData({ keyring, store: pgSubjectKeys(db) });
    const eventStore = connectEventStore({ url: env.EVENTSTORE_URL, name: 'test', personalData });
    const mongo = connectMongo({ url: env.MONGODB_URL, appName: 'test', database: env.MONGODB_DATABASE });
    const stop = async (): Promise<void> => {
      await Promise.all([eventStore.close(), mongo.close(), db.end()]);
      storage.close();
      await world.stop();
      await s3.stop();
      rmSync(directory, { recursive: true, force: true });
    };
    return new ErasureWorld({ world, storage, db, mongo, eventStore, personalData, stop });
  }

  /** Everything that every store of the service holds, as text. */
  async #everything(): Promise<string[]> {
    const { db, mongo, storage, eventStore } = this;
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
  }

  /** What the stores hold of a mark. */
  async remainsOf(mark: string): Promise<string[]> {
    const spellings = spellingsOf(mark);
    return (await this.#everything()).filter((text) => spellings.some((spelling) => text.includes(spelling)));
  }

  /** A call with a recording, in the log. */
  async recorded(call: Finished): Promise<{ readonly storageKey: string }> {
    const bytes = 64;
    const { data: upload } = await this.world.request(
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
    await this.world.ingest({ ...call, recording } as Finished);
    return { storageKey: upload.storageKey };
  }

  /** Waits until the log of the organization has these calls and no others. */
  listed(org: string, ...calls: readonly Finished[]): Promise<void> {
    return eventually(async () => {
      const shown = (await this.world.list(org)).map(({ id }) => id);
      expect(shown.sort()).toEqual(calls.map(({ callId }) => callId).sort());
    }, patient);
  }

  isErased(callId: string): Promise<void> {
    return eventually(async () => {
      const { rows } = await this.db.query(
        'select 1 from call_erasures where call_id = $1 and erased_at is not null',
        [callId],
      );
      expect(rows).toHaveLength(1);
    }, patient);
  }

  async remove(org: string, callId: string): Promise<void> {
    await this.world.request(contract.callsDelete, { params: { callId } }, userOf(org));
  }

  /** How often the log of erasures has this entry. */
  async logged(kind: string, id: string): Promise<number> {
    const { db, logger, storage } = this;
    const log = openErasureLog({ service: 'calls-logs', storage });
    let found = 0;
    for await (const entry of new Erasures({ log, db, logger }).entries())
      if (entry.kind === kind && entry.id === id) found += 1;
    return found;
  }

  async isUnreadable(callId: string): Promise<void> {
    // Without the keys that this process has in memory.
    const { env } = this.world;
    const keyring = new Keyring({ id: env.KEK_ID, key: env.KEK });
    const keys = createPersonalData({ keyring, store: pgSubjectKeys(this.db) });
    const stream = streamOf(callCategory, callId);
    let sealed = 0;
    for await (const { data } of rawStream(this.eventStore, stream)) {
      const { personal } = data as { personal?: string };
      if (personal === undefined) continue;
      sealed += 1;
      expect(await keys.open(stream, personal)).toBeNull();
    }
    expect(sealed).toBeGreaterThan(0);
  }
}
