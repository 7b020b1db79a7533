// The upgrade from a release whose read models lay in the clear.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { createPersonalData, Keyring, pgSubjectKeys } from '@parlance/crypto';
import {
  CurrentCollections,
  connectEventStore,
  type EventStoreConnection,
  fold,
  startReadModel,
  streamOf,
} from '@parlance/event-sourcing';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { createLogger } from '@parlance/observability';
import { createDatabase, type Database, migrate } from '@parlance/postgres';
import { connectMongo, type Mongo } from '@parlance/postgres/mongo';
import { callDecider } from '../call/call.js';
import { type CallEvent, callEvents } from '../call/call-events.js';
import { callCategory, reportedBy } from '../call/call-repository.js';
import { callDocuments, callSearch } from '../projections.js';
import { heldCall, ingest, now, organizationId, turn } from '../testing/facts.js';
import { CallDocuments } from './call-documents.js';
import { dropUnsealed, hasUnsealed } from './drop-unsealed.js';
import { UnsealedDocuments, unsealedDocumentsId } from './unsealed-documents.js';

const dayMs = 24 * 60 * 60_000;
let engines: TestEngines;
let db: Database;
let mongo: Mongo;
let eventStore: EventStoreConnection;
let documents: CallDocuments;
const callId = randomUUID();
let events: readonly CallEvent[] = [];

beforeAll(async () => {
  engines = await testEngines({ postgres: true, eventStore: true, mongo: true });
  const { url } = await engines.databaseFor('calls-logs');
  db = createDatabase({ url, applicationName: 'test' });
  await migrate(db, { directory: new URL('../../migrations/', import.meta.url), framework: true });
  const key = new Secret(randomBytes(32).toString('base64'));
  const personalData = createPersonalData({
    keyring: new Keyring({ id: 'k1', key }),
    store: pgSubjectKeys(db),
  });
  const store = new Secret(engines.eventStoreUrl);
  eventStore = connectEventStore({ url: store, name: 'test', personalData, deadlineMs: 30_000 });
  mongo = connectMongo({ url: new Secret(engines.mongoUrl), appName: 'test', database: 'test' });
  let isThere = true;
  const unsealed = new UnsealedDocuments(
    new CurrentCollections(mongo.db, unsealedDocumentsId),
    () => isThere,
  );
  const current = new CurrentCollections(mongo.db, callDocuments.id);
  documents = new CallDocuments({ current, keys: personalData, unsealed });
  const decided: CallEvent[] = [];
  for (const command of heldCall) decided.push(...callDecider.decide(command, fold(callDecider, decided)));
  events = decided;
  await eventStore.append(
    streamOf(callCategory, callId),
    events,
    'none',
    reportedBy('test', { factId: 'fact', organizationId, occurredAt: now }),
    callEvents,
  );
  // As release 0.2.0 left them.
  const state = JSON.stringify(fold(callDecider, events));
  const id = (text: string) => text as never;
  await mongo.db
    .collection('calls')
    .insertOne({ _id: id(callId), organizationId, revision: events.length - 1, state });
  await mongo.db.collection('transcript_turns').insertOne({
    _id: id(`${callId}.${ingest.ingestId}.0`),
    callId,
    ingestId: ingest.ingestId,
    lastSeq: 1,
    turns: JSON.stringify([turn(0), turn(1)]),
  });
  for (const model of [unsealedDocumentsId, 'call-search'])
    await db.query(`insert into projection_checkpoints (id, position) values ($1, '5')`, [model]);
  await db.query(
    `insert into call_numbers (call_id, organization_id, digits, started_at) values ($1, $2, '14155550101', now())`,
    [callId, organizationId],
  );
  isThere = await hasUnsealed(db);
});
afterAll(async () => {
  await Promise.all([eventStore?.close(), mongo?.close(), db?.end()]);
  await engines?.stop();
});

const drop = (inMs: number) =>
  dropUnsealed({
    db,
    mongo: mongo.db,
    eventStore,
    clock: { now: () => new Date(Date.now() + inMs) },
  });

const read = async () => {
  const [found] = await documents.find(organizationId, [callId]);
  const turns = await documents.turns(callId, ingest.ingestId, { after: -1, limit: 10 });
  return { call: found?.call, revision: found?.revision, texts: turns.map(({ text }) => text) };
};

const shown = {
  call: expect.objectContaining({ people: expect.objectContaining({ toNumber: '+14155550101' }) }),
  revision: expect.any(Number),
  texts: ['turn 0', 'turn 1'],
};

describe('documents of the release before', () => {
  it('are read until the sealed ones are made, and dropped when no older replica can run', async () => {
    expect(await read()).toEqual(shown);
    const logger = createLogger({ service: 'test', level: 'silent' });
    const parts = { db, eventStore, logger, mongo: mongo.db };
    const models = [startReadModel(callDocuments, parts), startReadModel(callSearch, parts)];
    try {
      expect(await drop(dayMs / 2)).toBe(false);
      expect(await read()).toEqual(shown);
      expect(await drop(dayMs + 60_000)).toBe(true);
      expect(await read()).toEqual(shown);
    } finally {
      for (const model of models) await model.stop();
    }
    const names = (await mongo.db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['sealed_calls', 'sealed_turns']));
    expect(names).not.toContain('calls');
    expect(names).not.toContain('transcript_turns');
    expect((await db.query('select 1 from call_numbers')).rows).toEqual([]);
    expect(await hasUnsealed(db)).toBe(false);
    expect(await drop(0)).toBe(true);
  });

  it('lose what identifies a person when their call is erased before', async () => {
    const other = randomUUID();
    const state = JSON.stringify(fold(callDecider, events));
    await mongo.db.collection('calls').insertOne({ _id: other as never, organizationId, revision: 1, state });
    const current = new CurrentCollections(mongo.db, unsealedDocumentsId);
    await new UnsealedDocuments(current, () => true).erase([other]);
    const [document] = await mongo.db.collection('calls').find({}).toArray();
    expect(document).toMatchObject({ revision: 1 });
    expect(JSON.stringify(document)).not.toContain('4155550101');
  });
});
