// Stored reports of rooms on real engines: by the time a report is stored it is on its way into the stream, wherever processes die.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Secret } from '@parlance/config';
import type { RoomEvent } from '@parlance/contracts';
import { createPersonalData, Keyring, type PersonalData, pgSubjectKeys } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import { connectEventStore, type EventStoreConnection, streamOf } from '@parlance/event-sourcing';
import { eventually, type TestEngines, testEngines } from '@parlance/fixtures';
import { createLogger, systemClock, systemIds } from '@parlance/observability';
import { createDatabase, type Database, migrate } from '@parlance/postgres';
import { platformCaller, type RpcClient } from '@parlance/rpc';
import { AgentNames } from '../agent-names.js';
import { callEvents } from '../call/call-events.js';
import { callCategory, callsIn } from '../call/call-repository.js';
import { inboundRoom } from '../testing/dialled.js';
import { heldInARoom } from '../testing/webhooks.js';
import { recordRoomReports } from './record-room-reports.js';
import { type RoomReports, reportOf } from './room-report.js';
import { RoomReportsQueue, roomReportsJobs, untilReportsRecorded } from './room-reports-queue.js';
import { type RoomReportsWorker, startRoomReports } from './room-reports-worker.js';

const organizationId = randomUUID();
const logger = createLogger({ service: 'test', level: 'silent' });
const patient = { timeoutMs: 30_000 };

let engines: TestEngines;
let db: Database;
let eventStore: EventStoreConnection;
let personalData: PersonalData;
/** Stores as a process does that dies before it records anything. */
let queue: RoomReportsQueue;
let worker: RoomReportsWorker | undefined;
let isAgentsConfigAway: boolean;
let appends: jest.SpiedFunction<EventStoreConnection['append']>;

beforeAll(async () => {
  engines = await testEngines({ postgres: true, eventStore: true });
  const { url } = await engines.databaseFor('calls-logs');
  db = createDatabase({ url, applicationName: 'room-reports-test' });
  await migrate(db, { directory: new URL('../../migrations/', import.meta.url), framework: true });
  const keyring = new Keyring({ id: 'k1', key: new Secret(randomBytes(32).toString('base64')) });
  personalData = createPersonalData({ keyring, store: pgSubjectKeys(db) });
  const store = new Secret(engines.eventStoreUrl);
  eventStore = connectEventStore({ url: store, name: 'test', personalData, deadlineMs: 30_000 });
  appends = jest.spyOn(eventStore, 'append');
});
afterAll(async () => {
  await eventStore?.close();
  await db?.end();
  await engines?.stop();
});
beforeEach(async () => {
  isAgentsConfigAway = false;
  queue = new RoomReportsQueue({ db, personalData });
  await db.query('delete from room_reports');
});
afterEach(async () => {
  await worker?.stop();
  worker = undefined;
});

const rpc: Pick<RpcClient, 'call'> = {
  call: async () => {
    if (isAgentsConfigAway) throw new AppError('SERVICE_UNAVAILABLE');
    return { data: { name: 'Front desk', isOrganizationKnown: true, context: null } } as never; // the answers to both requests
  },
};
const partsOfReplica = () => {
  const callerFor = (organization: string) => platformCaller('calls-logs', organization);
  return {
    agentNames: new AgentNames({ rpc, callerFor, nameBefore: async () => undefined }),
    browserCalls: { contextOf: async () => undefined },
    ...{ calls: callsIn(eventStore), clock: systemClock, ids: systemIds, rpc: rpc as RpcClient, callerFor },
  };
};
const startReplica = (): RoomReportsWorker => {
  worker = startRoomReports({ db, personalData, parts: partsOfReplica(), logger, sweepEveryMs: 25 });
  return worker;
};

const reportIn = (event: RoomEvent): RoomReports => {
  const report = reportOf(event);
  if (report === undefined) throw new Error('an event of a room');
  return report;
};
const held = (callId: string): readonly RoomReports[] =>
  heldInARoom(organizationId, callId, Date.now() - 60_000).webhooks.map(reportIn);
const stream = async (callId: string) =>
  (await eventStore.read(streamOf(callCategory, callId), callEvents)).events;
const typesIn = async (callId: string): Promise<string[]> =>
  (await stream(callId)).map(({ event }) => event.type);
const appendsTo = (callId: string): number =>
  appends.mock.calls.filter(([name]) => name === streamOf(callCategory, callId)).length;
const waiting = async (): Promise<number> => (await db.query('select from room_reports')).rowCount;
const recorded = () => eventually(async () => expect(await waiting()).toBe(0), patient);
const dueNow = () => db.query(`update room_reports set due_at = now() - interval '1 second'`);
const leased = async () => {
  await dueNow();
  const [job] = await roomReportsJobs.lease(db, 10);
  if (job === undefined) throw new Error('nothing is due');
  return job;
};
const wholeCall = [
  ...['CallDescribed', 'ParticipantMoved', 'ParticipantMoved', 'CallAnswered'],
  ...['ParticipantMoved', 'ParticipantMoved', 'RoomClosed'],
];

describe('reports of a room', () => {
  it('that wait together are recorded in one append, and one after the other in six', async () => {
    const [together, apart] = [randomUUID(), randomUUID()];
    await Promise.all(held(together).map((report) => queue.store(report)));
    startReplica();
    await recorded();
    expect(new Set(await typesIn(together))).toEqual(new Set(wholeCall));
    expect(appendsTo(together)).toBe(1);
    const parts = partsOfReplica();
    for (const report of held(apart))
      await recordRoomReports(parts, report, { reporter: 'media-server', requestId: 'r' });
    expect(await typesIn(apart)).toEqual(wholeCall);
    expect(appendsTo(apart)).toBe(6);
  });

  it('are recorded by another replica when the one that stored them died', async () => {
    const callId = randomUUID();
    for (const report of held(callId)) await queue.store(report);
    expect(await typesIn(callId)).toEqual([]);
    startReplica();
    await recorded();
    expect(await typesIn(callId)).toEqual(wholeCall);
  });

  it('are in the stream once when a replica died between its append and the end of its job', async () => {
    const callId = randomUUID();
    for (const report of held(callId)) await queue.store(report);
    const job = await leased();
    await recordRoomReports(partsOfReplica(), await queue.open(job), {
      reporter: 'media-server',
      requestId: 'r',
    });
    await dueNow();
    startReplica();
    await recorded();
    expect(await typesIn(callId)).toEqual(wholeCall);
  });

  it('that the media server sends again change nothing, before and after they are recorded', async () => {
    const callId = randomUUID();
    const reports = held(callId);
    for (const report of [...reports, ...reports]) await queue.store(report);
    startReplica();
    await recorded();
    for (const report of reports) await queue.store(report);
    await recorded();
    expect(await typesIn(callId)).toEqual(wholeCall);
  });

  it('that arrive while others are recorded stay for the next append', async () => {
    const callId = randomUUID();
    const [first, ...later] = held(callId);
    if (first === undefined) throw new Error('no webhook');
    await queue.store(first);
    const job = await leased();
    for (const report of later) await queue.store(report);
    await recordRoomReports(partsOfReplica(), await queue.open(job), {
      reporter: 'media-server',
      requestId: 'r',
    });
    expect(await roomReportsJobs.lease(db, 10)).toEqual([]);
    expect(await queue.settle(job)).toBe(true);
    const [rest] = await roomReportsJobs.lease(db, 10);
    expect(rest?.reports).toHaveLength(later.length);
    await dueNow();
    startReplica();
    await recorded();
    expect(await typesIn(callId)).toEqual(wholeCall);
  });

  it('are recorded by the process that stores them soon after, and before it stops', async () => {
    const [soon, last] = [randomUUID(), randomUUID()];
    const replica = startReplica();
    for (const report of held(soon)) await replica.store(report);
    await recorded();
    expect(await typesIn(soon)).toEqual(wholeCall);
    for (const report of held(last)) await replica.store(report);
    worker = undefined;
    await replica.stop();
    expect(await waiting()).toBe(0);
    expect(await typesIn(last)).toEqual(wholeCall);
  });

  it('wait while agents-config is away, and hold up no other room', async () => {
    const [callId, knownId] = [randomUUID(), randomUUID()];
    const parts = partsOfReplica();
    const [first, ...others] = held(knownId);
    if (first === undefined) throw new Error('no webhook');
    await recordRoomReports(parts, first, { reporter: 'media-server', requestId: 'r' });
    worker = startRoomReports({ db, personalData, parts, logger, sweepEveryMs: 25 });
    isAgentsConfigAway = true;
    const browser = reportIn({
      ...{ id: 'EV_1', type: 'room_started', at: new Date().toISOString() },
      room: { name: `pv_${callId}`, sid: 'RM_1', metadata: JSON.stringify({ callId }) },
    });
    await queue.store(browser);
    for (const report of others) await queue.store(report);
    await eventually(async () => expect(await typesIn(knownId)).toHaveLength(wholeCall.length), patient);
    await eventually(async () => expect(await waiting()).toBe(1), patient);
    isAgentsConfigAway = false;
    // No service knows the call.
    await recorded();
    expect(await typesIn(callId)).toEqual([]);
  });

  it('that cannot be recorded for a day are dropped', async () => {
    isAgentsConfigAway = true;
    await queue.store(
      reportIn({
        ...{ id: 'EV_1', type: 'room_started', at: new Date().toISOString() },
        room: { name: 'pv_1', sid: 'RM_1', metadata: JSON.stringify({ callId: randomUUID() }) },
      }),
    );
    startReplica();
    await eventually(async () => {
      const { rows } = await db.query<{ tries: number }>('select tries from room_reports');
      expect(rows[0]?.tries).toBeGreaterThan(0);
    }, patient);
    await db.query(`update room_reports set stored_at = now() - interval '25 hours', due_at = now()`);
    await recorded();
  });

  it('tell nothing of a person while they are stored, and nothing at all once the call is erased', async () => {
    const { callId, room } = inboundRoom(organizationId);
    const metadata = JSON.stringify({ ...room.metadata, fromNumber: '+14155559917' });
    const caller = {
      identity: 'sip_+14155559917',
      kind: 'sip',
      attributes: { n: '+14155559917' },
      disconnectReason: null,
    } as const;
    const at = new Date().toISOString();
    await queue.store(
      reportIn({
        id: 'EV_1',
        type: 'participant_joined',
        at,
        room: { ...room, sid: 'RM_1', metadata },
        participant: caller,
      }),
    );
    const { rows } = await db.query<{ row: string }>('select r::text as row from room_reports r');
    expect(rows[0]?.row).not.toContain('4155559917');
    await personalData.forget(streamOf(callCategory, callId));
    expect(await queue.open(await leased())).toMatchObject({
      room: { name: '', metadata: JSON.stringify({ callId }) },
    });
    await dueNow();
    startReplica();
    await recorded();
    expect(await typesIn(callId)).toEqual([]);
  });

  it('are waited for by those who act on all calls of their organization', async () => {
    const other = randomUUID();
    for (const report of held(randomUUID())) await queue.store(report);
    await untilReportsRecorded(db, other);
    await expect(untilReportsRecorded(db, organizationId, { timeoutMs: 100 })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    startReplica();
    await untilReportsRecorded(db, organizationId, patient);
  });
});
