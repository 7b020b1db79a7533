// Lost webhooks: the log and the live list when some of them never come, by a clock that the test sets.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { events } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { type ClockedReconciler, startClockedReconciler } from '../testing/clocked-reconciler.js';
import { dialled, inboundRoom } from '../testing/dialled.js';
import { World } from '../testing/world.js';

let world: World;
let reconciler: ClockedReconciler;
beforeAll(async () => {
  world = await World.start({ webhooks: true });
});
afterAll(() => world?.stop());
beforeEach(() => {
  reconciler = startClockedReconciler(world);
  world.liveKit.faults.clear();
  world.attemptFacts = [];
});
afterEach(() => reconciler?.stop());

interface Roomed {
  readonly room: { readonly name: string; readonly metadata: object };
}

const open = ({ room: { name, metadata } }: Roomed): Promise<void> =>
  world.rooms.createRoom({ name, metadata, emptyTimeoutSeconds: 600 });
const loseWebhooks = (): void => world.liveKit.faults.set({ target: 'webhooks', mode: 'drop' });
const liveIds = async (organizationId: string): Promise<string[]> =>
  (await world.live(organizationId)).map(({ callId }) => callId).sort();
const patiently = { timeoutMs: 60_000 };

/** The age of a call from which the reconciler misses its room. */
const settledMs = 15_000;
const graceMs = 5_000;

describe('the live list', () => {
  it('follows the rooms soon when webhooks arrive, without waiting for the reconciler', async () => {
    const organizationId = randomUUID();
    const took: number[] = [];
    const until = async (ids: readonly string[]): Promise<void> => {
      const since = performance.now();
      await eventually(async () => expect(await liveIds(organizationId)).toEqual(ids), patiently);
      took.push(performance.now() - since);
    };
    for (let n = 0; n < 5; n += 1) {
      const call = inboundRoom(organizationId);
      await open(call);
      await until([call.callId]);
      await world.rooms.deleteRoom(call.room.name);
      await until([]);
    }
    // The median, because a machine that is busy for a moment does not make the list a slow one.
    expect(took.sort((a, b) => a - b)[took.length / 2]).toBeLessThan(10_000);
  });
});

describe('when every room_finished is lost', () => {
  it('no call stays live for longer than the limit, and each one is ended soon after', async () => {
    const organizationId = randomUUID();
    const calls = Array.from({ length: 60 }, () => inboundRoom(organizationId));
    // Sixty at once: on a slow machine the media server is given up for some, and asked again.
    await Promise.all(calls.map((call) => eventually(() => open(call), patiently)));
    const ids = calls.map(({ callId }) => callId).sort();
    await eventually(async () => expect(await liveIds(organizationId)).toEqual(ids), patiently);
    loseWebhooks();
    await Promise.all(calls.map(({ room }) => world.rooms.deleteRoom(room.name)));
    const goneAt = Date.now();
    reconciler.aheadMs = settledMs;
    await eventually(async () => expect(await liveIds(organizationId)).toEqual([]), patiently);
    reconciler.aheadMs += graceMs;
    await eventually(async () => {
      for (const { callId } of calls) {
        const log = await world.get(organizationId, callId);
        expect(log).toMatchObject({ status: 'failed', endedReason: 'agent_unavailable' });
        expect(Date.parse(log.endedAt ?? '') - goneAt).toBeLessThan(60_000);
      }
    }, patiently);
    const ends = world.ends.filter(({ organizationId: whose }) => whose === organizationId);
    expect(new Set(ends.map(({ id }) => id)).size).toBe(calls.length);
  });

  it('a call whose room is still there stays live', async () => {
    const organizationId = randomUUID();
    const [held, gone] = [inboundRoom(organizationId), inboundRoom(organizationId)];
    await open(held);
    await open(gone);
    await eventually(async () => expect(await liveIds(organizationId)).toHaveLength(2), patiently);
    loseWebhooks();
    await world.rooms.deleteRoom(gone.room.name);
    reconciler.aheadMs = 100_000;
    await eventually(async () => expect(await liveIds(organizationId)).toEqual([held.callId]), patiently);
    await eventually(
      async () => expect((await world.get(organizationId, gone.callId)).endedAt).not.toBeNull(),
      patiently,
    );
    expect(await liveIds(organizationId)).toEqual([held.callId]);
    await world.rooms.deleteRoom(held.room.name);
  });
});

describe('when every webhook of a room is lost', () => {
  beforeEach(loseWebhooks);

  it('its call is found, answered when both are in it, and ended when the room is gone', async () => {
    const organizationId = randomUUID();
    const call = inboundRoom(organizationId);
    await open(call);
    await eventually(
      async () =>
        expect(await world.live(organizationId)).toMatchObject([
          { callId: call.callId, status: 'ringing', agentName: 'Front desk', direction: 'inbound' },
        ]),
      patiently,
    );
    const participant = { attributes: {}, sipCallStatus: undefined, sipCallId: undefined };
    reconciler.participants.set(call.room.name, [
      { ...participant, identity: 'agent_1', kind: 'agent' },
      { ...participant, identity: 'pstn_1', kind: 'sip' },
    ]);
    reconciler.aheadMs = settledMs;
    await eventually(
      async () =>
        expect(await world.live(organizationId)).toMatchObject([
          { callId: call.callId, status: 'in_progress', participants: 2 },
        ]),
      patiently,
    );
    const { updatedAt } = await world.get(organizationId, call.callId);
    await world.rooms.deleteRoom(call.room.name);
    await eventually(async () => expect(await liveIds(organizationId)).toEqual([]), patiently);
    reconciler.aheadMs += 30_000;
    const ended = await eventually(async () => {
      const log = await world.get(organizationId, call.callId);
      expect(log).toMatchObject({ status: 'completed', endedReason: 'unknown' });
      return log;
    }, patiently);
    expect(Date.parse(ended.endedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(updatedAt));
  });

  it('a call that the dialer announced is not made twice, nor answered by the looks of its room', async () => {
    const organizationId = randomUUID();
    const call = dialled(organizationId);
    await open(call);
    await eventually(async () => expect(await liveIds(organizationId)).toEqual([call.callId]), patiently);
    await world.announce(events.attemptStarted, organizationId, call.started);
    await eventually(
      async () =>
        expect(await world.live(organizationId)).toMatchObject([{ agentName: 'Dialler', status: 'ringing' }]),
      patiently,
    );
    expect((await world.list(organizationId)).map(({ id }) => id)).toEqual([call.callId]);
    await world.rooms.deleteRoom(call.roomName);
  });

  it('a room that is not ours is passed over', async () => {
    const organizationId = randomUUID();
    const foreign = { room: { name: 'somebody-elses', metadata: { callId: '../../x', organizationId } } };
    const ours = inboundRoom(organizationId);
    await open(foreign);
    await open(ours);
    await eventually(async () => expect(await liveIds(organizationId)).toEqual([ours.callId]), patiently);
    await world.rooms.deleteRoom(foreign.room.name);
    await world.rooms.deleteRoom(ours.room.name);
  });
});

describe('an outbound call without a room', () => {
  it('gets the end that the dialer tells, however late, and no other before', async () => {
    const organizationId = randomUUID();
    const call = dialled(organizationId);
    const dialling = { callId: call.callId, endedReason: null, answeredAt: null, endedAt: null };
    world.attemptFacts = [{ ...dialling, status: 'ringing' }];
    await world.announce(events.attemptStarted, organizationId, call.started);
    await eventually(() => world.get(organizationId, call.callId), patiently);
    await world.roomEvent('room_finished', call.room);
    reconciler.aheadMs = 45_000;
    // Once it has waited long enough for others, a report is requested before anything is inferred.
    await eventually(() => expect(world.dialerAskedAbout).toContain(call.callId), patiently);
    expect((await world.get(organizationId, call.callId)).endedAt).toBeNull();
    const endedAt = new Date().toISOString();
    world.attemptFacts = [{ ...dialling, status: 'busy', endedReason: 'busy', endedAt }];
    await eventually(
      async () =>
        expect(await world.get(organizationId, call.callId)).toMatchObject({
          status: 'busy',
          endedReason: 'busy',
          endedAt,
        }),
      patiently,
    );
  });

  it('waits while the dialer reports nothing, and is ended once it reports that it knows no attempt', async () => {
    const organizationId = randomUUID();
    const call = dialled(organizationId);
    world.attemptFacts = undefined;
    await world.announce(events.attemptStarted, organizationId, call.started);
    await eventually(() => world.get(organizationId, call.callId), patiently);
    await world.roomEvent('room_finished', call.room);
    reconciler.aheadMs = 45_000;
    await eventually(() => expect(world.dialerAskedAbout).toContain(call.callId), patiently);
    world.dialerAskedAbout.delete(call.callId);
    await eventually(() => expect(world.dialerAskedAbout).toContain(call.callId), patiently);
    expect((await world.get(organizationId, call.callId)).endedAt).toBeNull();
    world.attemptFacts = [];
    await eventually(
      async () => expect((await world.get(organizationId, call.callId)).endedAt).not.toBeNull(),
      patiently,
    );
  });
});
