// Thousands of events of every type: the rebuilt read models equal the live ones, and a reader never sees less than the
// whole log meanwhile.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { createPersonalData, Keyring, type PersonalData, pgSubjectKeys } from '@parlance/crypto';
import {
  CurrentCollections,
  connectEventStore,
  type EventStoreConnection,
  fold,
  type Projector,
  type ReadModelEngines,
  rebuildReadModel,
  startReadModel,
  streamOf,
} from '@parlance/event-sourcing';
import { type TestEngines, testEngines } from '@parlance/fixtures';
import { contentHash } from '@parlance/fixtures/deciders';
import { type Subscriptions, watchSubscriptions } from '@parlance/fixtures/subscriptions';
import { createLogger } from '@parlance/observability';
import { createDatabase, type Database, migrate } from '@parlance/postgres';
import { connectMongo, type Mongo } from '@parlance/postgres/mongo';
import type { Document } from 'mongodb';
import { callDecider } from '../call/call.js';
import type { CallCommand } from '../call/call-commands.js';
import { type CallEvent, callEvents } from '../call/call-events.js';
import { callCategory, reportedBy } from '../call/call-repository.js';
import { callDocuments, callIndex, callSearch } from '../projections.js';
import {
  agentId,
  analysis,
  busyCall,
  heldCall,
  inboundCall,
  initiation,
  now,
  organizationId,
  pendingCall,
  recordedCall,
  recordingDeleted,
  toolRun,
  turn,
} from '../testing/facts.js';
import { CallDocuments } from './call-documents.js';
import { listCalls } from './call-index.js';

/** In each of two rounds; 7,000 make about 100,000 events. */
const callsPerRound = Number(process.env.PARLANCE_TEST_CALLS ?? 200);
/** More events than a subscription, its connection and the store hold together. */
const callsWhileStopped = 400;
const limitMs = 120_000 + callsPerRound * 100;
const by = 'user:u1';
const deleted: CallCommand = { type: 'DeleteCall', now, organizationId, by };
const endRequested: CallCommand = { type: 'RequestEnd', now, organizationId, by, dialCancelledAt: null };

const histories: readonly (readonly CallCommand[])[] = [
  heldCall,
  busyCall,
  inboundCall,
  [...heldCall.slice(0, 4), endRequested, ...heldCall.slice(4)],
  [...heldCall.slice(0, 4), initiation, toolRun(1), ...heldCall.slice(4), toolRun(2), deleted],
  heldCall.map((command) =>
    command.type === 'IngestCall'
      ? {
          ...command,
          parts: [
            { part: 0, turns: Array.from({ length: 20 }, (_, seq) => turn(seq)) },
            { part: 1, turns: [turn(20), turn(21)] },
          ],
        }
      : command,
  ),
  heldCall.slice(0, 4),
  [...recordedCall, recordingDeleted],
  [...pendingCall, analysis],
];

/** Every call at a time of its own, by one of a few agents. */
const moved = (command: CallCommand, index: number): CallCommand => {
  const movedAgentId = `${agentId.slice(0, -1)}${index % 5}`;
  if (command.type === 'RecordToolRun' || command.type === 'RecordInitiation')
    return { ...command, agentId: movedAgentId };
  if (!('description' in command)) return command;
  const startedAt = new Date(Date.parse('2026-02-01T00:00:00.000Z') + index * 613_000).toISOString();
  const description = { ...command.description, startedAt, agentId: movedAgentId };
  return { ...command, description };
};

const eventsOf = (index: number): readonly CallEvent[] => {
  const events: CallEvent[] = [];
  for (const command of histories[index % histories.length] ?? []) {
    const state = fold(callDecider, events);
    events.push(...callDecider.decide(moved(command, index), state));
  }
  return events;
};

describe('read models of calls', () => {
  let engines: TestEngines;
  let db: Database;
  let eventStore: EventStoreConnection;
  let mongo: Mongo;
  let url: Secret;
  const projectors: Projector[] = [];
  const types = new Set<string>();
  let written = 0;
  let last = -1n;
  let subscriptions: Subscriptions;
  let personalData: PersonalData;

  const parts = (): ReadModelEngines => ({
    db,
    eventStore,
    mongo: mongo.db,
    logger: createLogger({ service: 'test', level: 'silent' }),
  });
  const options = () => ({ database: { url, applicationName: 'rebuild' }, graceMs: 1_500 });

  const writeCall = async (index: number): Promise<void> => {
    const events = eventsOf(index);
    for (const { type } of events) types.add(type);
    const fact = { factId: `call-${index}`, organizationId, occurredAt: now };
    const meta = reportedBy('test', fact);
    const stream = streamOf(callCategory, randomUUID());
    const { position } = await eventStore.append(stream, events, 'none', meta, callEvents);
    if (position !== undefined && position > last) last = position;
    written += events.length;
  };
  /** @param atOnce so many calls are written together */
  const write = async (from: number, calls = callsPerRound, atOnce = 1): Promise<void> => {
    for (let index = from; index < from + calls; index += atOnce)
      await Promise.all(Array.from({ length: atOnce }, (_, next) => writeCall(index + next)));
  };
  const caughtUp = async (): Promise<void> => {
    for (const projector of projectors) await projector.whenProcessed(last, { timeoutMs: limitMs });
  };
  const rowsHash = async (): Promise<string> => {
    const rows: unknown[] = [];
    for (const table of [...callIndex.tables, ...callSearch.tables]) {
      const found = await db.query<{ row: unknown }>(`select to_jsonb(t) as row from ${table} t`);
      rows.push(...found.rows.map(({ row }) => ({ table, row })));
    }
    return contentHash(rows);
  };
  const current = () => new CurrentCollections(mongo.db, callDocuments.id).get();
  /** Sealing is random, so the contents are compared. */
  const openedDocument = async (document: Document): Promise<object> => {
    const stream = streamOf(callCategory, String(document.callId ?? document._id));
    const opened = ['personal', 'turns', 'numbers'].map(async (name) => {
      const sealed: unknown = document[name];
      return [name, typeof sealed === 'string' ? await personalData.open(stream, sealed) : null];
    });
    return { ...document, ...Object.fromEntries(await Promise.all(opened)) };
  };
  const documentsHash = async (): Promise<string> => {
    const copy = await current();
    const found: unknown[] = [];
    for (const name of callDocuments.collections)
      for await (const document of copy.collection(name).find({}))
        found.push({ name, document: await openedDocument(document) });
    return contentHash(found);
  };
  const shownDocuments = () => {
    const unsealed = { find: async () => [], turns: async () => [], erase: async () => {} };
    return new CallDocuments({
      current: new CurrentCollections(mongo.db, callDocuments.id),
      keys: personalData,
      unsealed,
    });
  };

  beforeAll(async () => {
    engines = await testEngines({ postgres: true, eventStore: true, mongo: true });
    url = (await engines.databaseFor('calls-logs')).url;
    db = createDatabase({ url, applicationName: 'test' });
    await migrate(db, { directory: new URL('../../migrations/', import.meta.url), framework: true });
    const key = new Secret(randomBytes(32).toString('base64'));
    personalData = createPersonalData({
      keyring: new Keyring({ id: 'k1', key }),
      store: pgSubjectKeys(db),
    });
    const store = new Secret(engines.eventStoreUrl);
    eventStore = connectEventStore({ url: store, name: 'test', personalData, deadlineMs: 30_000 });
    mongo = connectMongo({ url: new Secret(engines.mongoUrl), appName: 'test', database: 'test' });
    subscriptions = watchSubscriptions(eventStore);
    for (const model of [callIndex, callSearch, callDocuments])
      projectors.push(startReadModel(model, parts()));
    await write(0);
    await caughtUp();
  }, limitMs);
  afterAll(async () => {
    await Promise.all(projectors.map((projector) => projector.stop()));
    await Promise.all([eventStore.close(), mongo.close()]);
    await db.end();
    await engines.stop();
  });

  it('are written by every type of event there is', () => {
    expect([...types].sort()).toEqual(Object.keys(callEvents.definitions).sort());
  });

  it(
    'are whole for whoever reads while they are made anew, calls go on and the store cuts them off, and are the same again',
    async () => {
      const shown = async () => {
        const calls = await listCalls(db, organizationId, {}, { after: undefined, limit: 1_000 });
        const documents = shownDocuments();
        const ids = calls.slice(-50).map(({ callId }) => callId);
        return { calls: calls.length, documents: (await documents.find(organizationId, ids)).length };
      };
      const { calls: before } = await shown();
      const isOver = new AbortController();
      const seen: Awaited<ReturnType<typeof shown>>[] = [];
      const polling = (async () => {
        while (!isOver.signal.aborted) seen.push(await shown());
      })();
      const writing = write(callsPerRound);
      await rebuildReadModel(callIndex, parts(), options());
      await rebuildReadModel(callDocuments, parts(), options());
      await writing;
      isOver.abort();
      await polling;
      expect(seen.length).toBeGreaterThan(20);
      for (const { calls, documents } of seen) {
        expect(calls).toBeGreaterThanOrEqual(before);
        expect(documents).toBe(50);
      }
      await caughtUp();
      expect(written).toBeGreaterThan(2_000);

      // Neither can move on, while more comes than the store keeps for a reader. On a slow machine a reader may give up by
      // itself before so much has come, and begin anew: then it is stopped once more.
      for (let round = 0; round < 5 && subscriptions.tooSlow() === 0; round += 1) {
        await db.transaction(async (tx) => {
          await tx.query('lock table projection_checkpoints in exclusive mode');
          await write(2 * callsPerRound + round * callsWhileStopped, callsWhileStopped, 20);
        });
        await caughtUp();
      }
      expect(subscriptions.tooSlow()).toBeGreaterThan(0);

      const live = { rows: await rowsHash(), documents: await documentsHash() };
      const index = await rebuildReadModel(callIndex, parts(), options());
      const documents = await rebuildReadModel(callDocuments, parts(), options());
      await rebuildReadModel(callSearch, parts(), options());
      expect([index.events, documents.events]).toEqual([written, written]);
      expect({ rows: await rowsHash(), documents: await documentsHash() }).toEqual(live);
      for (const projector of projectors) expect(await projector.parked()).toBe(0);
    },
    limitMs,
  );

  it(
    'are the same again once the keys of deleted calls are destroyed, and have nothing of a person in the clear',
    async () => {
      const { rows } = await db.query<{ call_id: string }>(
        'select call_id from call_index where deleted_at is not null',
      );
      expect(rows.length).toBeGreaterThan(20);
      await personalData.forget(...rows.map(({ call_id }) => streamOf(callCategory, call_id)));
      const live = { rows: await rowsHash(), documents: await documentsHash() };
      for (const model of [callIndex, callSearch, callDocuments])
        await rebuildReadModel(model, parts(), options());
      expect({ rows: await rowsHash(), documents: await documentsHash() }).toEqual(live);

      const copy = await current();
      const clear: string[] = [];
      for (const name of callDocuments.collections)
        for await (const document of copy.collection(name).find({})) clear.push(JSON.stringify(document));
      for (const table of [...callIndex.tables, ...callSearch.tables])
        for (const { row } of (await db.query<{ row: string }>(`select t::text as row from ${table} t`)).rows)
          clear.push(row);
      expect(clear.length).toBeGreaterThan(1_000);
      expect(clear.filter((text) => /Ada\\*"|14155550|They talked|turn \d/.test(text))).toEqual([]);
    },
    limitMs,
  );
});
