// Calls that are deleted, found by a person's number, too old, or of a removed organization: nothing of them is left in any store
// of the service.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Caller, callContext, events, serviceRequests } from '@parlance/contracts';
import { streamOf } from '@parlance/event-sourcing';
import { eventually, tellRemoval } from '@parlance/fixtures';
import type { Database } from '@parlance/postgres';
import { callCategory, callsIn } from '../call/call-repository.js';
import { deleteOldCalls } from '../retention/delete-old-calls.js';
import { inboundRoom } from '../testing/dialled.js';
import { callWith, dayMs, ErasureWorld, marked, patient } from '../testing/erasure-world.js';
import { Receiver } from '../testing/webhook-world.js';
import { userOf, type World } from '../testing/world.js';

let erasing: ErasureWorld;
let world: World;
let db: Database;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.start();
  erasing = await ErasureWorld.start();
  ({ world, db } = erasing);
});
afterAll(async () => {
  await erasing?.stop();
  await receiver?.stop();
});
beforeEach(() => {
  world.postCallWebhook = null;
  receiver.answer = (response) => response.end();
});

const gateway = (org: string): Caller => ({
  ...userOf(org),
  actor: { type: 'platform', id: 'gateway' },
});

describe('a call that is deleted', () => {
  it('leaves nothing that identifies a person in any store, and is in the log of erasures', async () => {
    const [org, mark, number] = [randomUUID(), marked(), '+14155559917'];
    const call = callWith(org, mark, { fromNumber: number });
    const { callId } = call;
    const context = callContext({ ...call, configVersion: null, channel: 'widget', direction: 'inbound' });
    await world.announce(events.sessionStarted, org, { callId, context });
    const contexts = async () =>
      (await db.query('select from browser_calls where call_id = $1', [callId])).rowCount;
    await eventually(async () => expect(await contexts()).toBe(1), patient);
    const { storageKey } = await erasing.recorded(call);
    await erasing.listed(org, call);
    // Read models are sealed also while the call is in the log.
    expect(await erasing.remainsOf(mark)).toEqual([]);
    expect((await world.list(org, { search: mark })).map(({ id }) => id)).toEqual([call.callId]);
    await erasing.remove(org, call.callId);
    await erasing.isErased(call.callId);
    expect(await contexts()).toBe(0);
    for (const word of [mark, number, number.slice(1)]) expect(await erasing.remainsOf(word)).toEqual([]);
    await erasing.isUnreadable(call.callId);
    await eventually(async () => expect(await erasing.logged('call', call.callId)).toBe(1), patient);
    const { rows } = await db.query(
      'select delete_at <= now() as due from recordings where storage_key = $1',
      [storageKey],
    );
    expect(rows).toEqual([{ due: true }]);
    await expect(erasing.remove(org, call.callId)).rejects.toMatchObject({ code: 'CALL_NOT_FOUND' });
    expect(await world.list(org, { search: mark })).toEqual([]);
  });

  it('keeps its counts out of the dashboard and those of other calls in it', async () => {
    const org = randomUUID();
    const [gone, kept] = [callWith(org, marked()), callWith(org, marked())];
    await world.ingest(gone);
    await world.ingest(kept);
    await erasing.listed(org, gone, kept);
    await erasing.remove(org, gone.callId);
    await erasing.isErased(gone.callId);
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
    await erasing.remove(org, call.callId);
    await erasing.isErased(call.callId);
    expect(await row()).toEqual({ status: 'dead', target: null, last: 'call_deleted' });
  });
});

describe('a person', () => {
  const ask = (org: string, phoneNumber: string, erasureId = randomUUID()) => ({
    count: async () =>
      await world.ask(serviceRequests.callsCountPerson, { body: { phoneNumber } }, gateway(org)),
    erase: async () =>
      (
        await world.request(
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
    expect(await erasing.remainsOf(mark)).toEqual([]);
    for (const { callId } of calls) {
      await erasing.isUnreadable(callId);
      expect(await erasing.logged('call', callId)).toBeGreaterThan(0);
    }
    // What is reported of the running call later cannot be read, either.
    expect(await world.roomEvent('room_finished', room)).toBe(true);
    await erasing.isUnreadable(running);
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
      logger: erasing.logger,
      calls: callsIn(erasing.eventStore),
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
    await erasing.listed(chosen, call);
    await erasing.listed(byDefault, other);
    await db.query(
      `insert into organization_settings (organization_id, version, timezone, call_retention_days)
       values ($1, 1, 'UTC', 30)`,
      [chosen],
    );
    await deleteAsOf(29);
    await erasing.listed(chosen, call);
    await deletesAsOf(31, 365, chosen);
    await erasing.listed(byDefault, other);
    await erasing.isErased(call.callId);
    await erasing.isUnreadable(call.callId);
    // The retention passes after a restore, too.
    expect(await erasing.logged('call', call.callId)).toBe(0);
    await deletesAsOf(366, 365, byDefault);
  });

  it('leaves the calls of before the upgrade for a month', async () => {
    const org = randomUUID();
    const call = callWith(org, marked());
    await world.ingest(call);
    await erasing.listed(org, call);
    await deleteAsOf(29, 1);
    await erasing.listed(org, call);
    await deletesAsOf(31, 1, org);
  });
});

describe('a removed organization', () => {
  it('leaves no row, document, file or key, and its calls do not come back', async () => {
    const [org, mark] = [randomUUID(), marked()];
    const [call, deleted] = [callWith(org, mark), callWith(org, mark)];
    await erasing.recorded(call);
    await world.ingest(deleted);
    await erasing.listed(org, call, deleted);
    await erasing.remove(org, deleted.callId);
    await erasing.isErased(deleted.callId);
    const { callId: unrecorded, room } = inboundRoom(org);
    const sealed = await erasing.personalData.seal(streamOf(callCategory, unrecorded), room);
    await db.query(
      `insert into room_reports (call_id, organization_id, room, reports, due_at)
       values ($1, $2, $3, '[]', now() + interval '1 hour')`,
      [unrecorded, org, sealed],
    );
    const context = callContext({
      ...call,
      callId: unrecorded,
      configVersion: null,
      channel: 'widget',
      direction: 'inbound',
    });
    await world.announce(events.sessionStarted, org, { callId: unrecorded, context });
    await eventually(async () => {
      const { rowCount } = await db.query('select from browser_calls where call_id = $1', [unrecorded]);
      expect(rowCount).toBe(1);
    });
    await tellRemoval(world.nats, org);
    await eventually(async () => {
      const { rows } = await db.query<{ next_clearing_at: Date | null }>(
        'select next_clearing_at from organization_closures where organization_id = $1',
        [org],
      );
      expect(rows).toEqual([{ next_clearing_at: null }]);
    }, patient);
    expect(await erasing.logged('organization', org)).toBe(1);
    const kept = /^(organization_closures|inbox|outbox|recordings|personal_keys|object erasures\/) ?/;
    const remains = (await erasing.remainsOf(org)).filter(
      (text) => !kept.test(text) && !text.startsWith('{"data"'),
    );
    expect(remains).toEqual([]);
    for (const { callId } of [call, deleted]) await erasing.isUnreadable(callId);
    const { rows } = await db.query(
      'select 1 from personal_keys where subject = any($1) and wrapped_key is null',
      [[`search-${org}`, streamOf(callCategory, unrecorded)]],
    );
    expect(rows).toHaveLength(2);
    // A report that comes later stops nothing, and brings nothing back.
    const calls = callsIn(erasing.eventStore);
    const storageKey = `org/${org}/recordings/${call.callId}/recording.wav`;
    const now = new Date().toISOString();
    const { position } = await calls.handle(
      call.callId,
      { type: 'RecordRecordingDeleted', now, organizationId: org, storageKey },
      { commandId: randomUUID(), organizationId: org, actor: 'test', requestId: 'test', occurredAt: now },
    );
    expect(position).toBeDefined();
    await world.request(
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
