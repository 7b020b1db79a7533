// Calls from the reports of dialer and media server, live in between, and ended by an operator or a report. The test
// asks a whole service over NATS.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CallEndFacts, type CallLog, contract, events, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { eventually } from '@parlance/fixtures';
import { createDatabase } from '@parlance/postgres';
import { agent, callee, dialled } from '../testing/dialled.js';
import { finishedCall, userOf, World } from '../testing/world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(async () => {
  await world?.stop();
});
beforeEach(() => {
  world.attemptFacts = [];
});

const newOrganization = (): string => randomUUID();
const ids = (calls: readonly CallLog[]): string[] => calls.map(({ id }) => id);

describe('an outbound call', () => {
  it('goes from the dialer through the room to the hand-over, and is live in between', async () => {
    const org = newOrganization();
    const call = dialled(org);
    await world.announce(events.attemptStarted, org, call.started);
    const live = () => world.request(contract.callsLive, {}, userOf(org)).then(({ data }) => data);
    await eventually(async () =>
      expect(await live()).toMatchObject([{ callId: call.callId, status: 'ringing' }]),
    );
    await world.roomEvent('room_started', call.room);
    await world.roomEvent('participant_joined', call.room, agent);
    await world.roomEvent('participant_joined', call.room, callee);
    const answeredAt = new Date().toISOString();
    await world.announce(events.attemptAnswered, org, { ...call.about, providerCallId: 'SCL_1', answeredAt });
    await eventually(async () =>
      expect(await live()).toMatchObject([
        { status: 'in_progress', participants: 2, agentName: 'Dialler', toNumber: '+14155550101' },
      ]),
    );
    const count = await world.request(
      serviceRequests.callsLiveCountOfAgent,
      { body: { agentId: call.agentId } },
      userOf(org),
    );
    expect(count.data).toEqual({ live: 1 });
    const standing = async () =>
      (await world.ask(serviceRequests.callsStanding, { body: { callId: call.callId } }, userOf('')))
        .standing;
    expect(await standing()).toEqual({ organizationId: org, agentId: call.agentId, isOver: false });
    const openOf = async (who: string) =>
      (await world.ask(serviceRequests.callsOpenCount, { body: {} }, userOf(who))).open;
    expect([await openOf(org), await openOf(newOrganization())]).toEqual([1, 0]);
    await world.roomEvent('room_finished', call.room);
    // The call waits for its hand-over.
    expect(await openOf(org)).toBe(1);
    await eventually(async () => expect(await live()).toEqual([]));
    const endedAt = new Date().toISOString();
    const { agentId, callId, outboundCallId, roomName } = call;
    const times = { startedAt: call.started.startedAt, answeredAt, endedAt, durationSeconds: 0 };
    await world.ingest(
      finishedCall(org, { agentId, callId, outboundCallId, roomName, direction: 'outbound', ...times }),
    );
    // At once, because the stream decides and not the index.
    expect(await openOf(org)).toBe(0);
    expect(await standing()).toMatchObject({ organizationId: org, isOver: true });
    expect(await world.get(org, callId)).toMatchObject({
      status: 'completed',
      agentName: 'Dialler',
      configVersion: 4,
      providerCallId: 'SCL_1',
      outboundCallId,
      answeredAt,
    });
    const facts = () =>
      world.request(serviceRequests.callsFacts, { body: { callIds: [callId, randomUUID()] } }, userOf(org));
    await eventually(async () =>
      expect((await facts()).data).toMatchObject([{ callId, status: 'completed', outcome: 'answered' }]),
    );
  });

  it('that the dialer settles is ended, even when that overtakes its start', async () => {
    const org = newOrganization();
    const call = dialled(org);
    const settled = {
      ...call.about,
      status: 'busy' as const,
      endedReason: 'busy' as const,
      error: { reason: 'busy' as const, sipStatus: 486 },
      endedAt: new Date().toISOString(),
    };
    await world.announce(events.attemptSettled, org, settled);
    await world.announce(events.attemptStarted, org, call.started);
    await eventually(
      async () =>
        expect(await world.get(org, call.callId)).toMatchObject({
          status: 'busy',
          outcome: 'busy',
          error: { reason: 'busy', sipStatus: 486 },
          answeredAt: null,
          durationSeconds: null,
        }),
      { timeoutMs: 60_000 },
    );
    await eventually(() =>
      expect(world.ends.filter(({ data }) => data.callId === call.callId)).toMatchObject([
        { name: 'calls-logs.call.ended', data: { status: 'busy', outboundCallId: call.outboundCallId } },
      ]),
    );
  });

  it('whose agent never came fails as agent_unavailable', async () => {
    const org = newOrganization();
    const call = dialled(org);
    await world.announce(events.attemptStarted, org, call.started);
    const answeredAt = new Date().toISOString();
    await eventually(() => world.get(org, call.callId));
    await world.announce(events.attemptAnswered, org, { ...call.about, providerCallId: null, answeredAt });
    await world.roomEvent('participant_joined', call.room, callee);
    await eventually(async () => expect((await world.get(org, call.callId)).answeredAt).toBe(answeredAt));
    await world.roomEvent('room_finished', call.room);
    await eventually(
      async () =>
        expect(await world.get(org, call.callId)).toMatchObject({
          status: 'failed',
          endedReason: 'agent_unavailable',
        }),
      { timeoutMs: 60_000 },
    );
  });
});

describe('when messages were lost', () => {
  it('a call whose room is gone stops being live, and one that the dialer settled is ended', async () => {
    const org = newOrganization();
    const long = new Date(Date.now() - 120_000).toISOString();
    const [held, lost, settled] = [dialled(org), dialled(org), dialled(org)];
    await world.rooms.createRoom({
      name: held.roomName,
      metadata: held.room.metadata,
      emptyTimeoutSeconds: 60,
    });
    world.attemptFacts = [
      {
        callId: settled.callId,
        status: 'no_answer',
        endedReason: 'no_answer',
        answeredAt: null,
        endedAt: long,
      },
    ];
    for (const call of [held, lost, settled])
      await world.announce(events.attemptStarted, org, { ...call.started, startedAt: long });
    const live = () => world.request(contract.callsLive, {}, userOf(org)).then(({ data }) => data);
    const patient = { timeoutMs: 60_000, intervalMs: 200 };
    await eventually(async () => {
      expect((await live()).map(({ callId }) => callId)).toEqual([held.callId]);
      expect(await world.get(org, settled.callId)).toMatchObject({
        status: 'no_answer',
        outcome: 'no_answer',
      });
    }, patient);
    await world.rooms.deleteRoom(held.roomName);
  });
});

describe('ending a live call', () => {
  /** @param composed of the gateway; one of 0.2.0 sends none */
  const end = async (who: string, roomName: string, composed?: CallEndFacts) =>
    await world.ask(contract.callsEndLive, { body: { roomName }, composed }, userOf(who));
  const inRoom = async (who: string, roomName: string) =>
    (await world.ask(serviceRequests.callsInRoom, { body: { roomName } }, userOf(who))).call;
  const held = async (org: string) => {
    const call = dialled(org);
    const { roomName, room } = call;
    await world.rooms.createRoom({ name: roomName, metadata: room.metadata, emptyTimeoutSeconds: 60 });
    await world.announce(events.attemptStarted, org, call.started);
    // The log and the live list are two read models; either may be the first to show the call.
    await eventually(async () => {
      expect(ids(await world.list(org))).toEqual([call.callId]);
      expect((await world.live(org)).map(({ callId }) => callId)).toEqual([call.callId]);
    });
    return call;
  };

  it('removes the room, once, and says the same ever after', async () => {
    const org = newOrganization();
    const { callId, roomName, agentId, outboundCallId, started } = await held(org);
    const together = await Promise.all([1, 2, 3, 4, 5].map(() => end(org, roomName)));
    const [first] = together;
    expect(first).toMatchObject({ callId, roomName, ended: true, alreadyEnded: false });
    for (const answer of together) expect({ ...answer, alreadyEnded: false }).toEqual(first);
    expect(await world.rooms.rooms([roomName])).toEqual([]);
    expect(await end(org, roomName)).toEqual({ ...first, alreadyEnded: true });
    const later = new Date(Date.now() + 60_000).toISOString();
    const times = { startedAt: started.startedAt, answeredAt: null, endedAt: later, durationSeconds: null };
    const direction = 'outbound';
    await world.ingest(
      finishedCall(org, {
        agentId,
        callId,
        outboundCallId,
        roomName,
        direction,
        ...times,
        status: 'cancelled',
      }),
    );
    expect(await world.get(org, callId)).toMatchObject({ status: 'cancelled', endedAt: later });
    expect(await end(org, roomName)).toEqual({ ...first, alreadyEnded: true });
  });

  it('ends a call by its room that the list shows and the index does not know yet', async () => {
    const org = newOrganization();
    const { callId, roomName } = await held(org);
    const db = createDatabase({ url: world.env.POSTGRES_URL, applicationName: 'test' });
    await db.query('update call_index set room_name = null where call_id = $1', [callId]);
    await db.end();
    expect(await end(org, roomName)).toMatchObject({ callId, ended: true, alreadyEnded: false });
  });

  it('tells the dialer before the room of a ringing call is gone, and is cancelled from then on', async () => {
    const org = newOrganization();
    const { callId, roomName, about } = await held(org);
    const cancelledAt = new Date().toISOString();
    const seen: unknown[] = [];
    world.endAttempt = async () => {
      seen.push(...(await world.rooms.rooms([roomName])).map(({ name }) => name));
      return cancelledAt;
    };
    expect(await end(org, roomName)).toMatchObject({ callId, ended: true, endedAt: cancelledAt });
    expect(seen).toEqual([roomName]);
    expect(await world.rooms.rooms([roomName])).toEqual([]);
    // The dial fails without its room; that is told late, and changes nothing.
    const late = {
      status: 'no_answer',
      endedReason: 'no_answer',
      error: null,
      endedAt: cancelledAt,
    } as const;
    await world.announce(events.attemptSettled, org, { ...about, ...late });
    expect(await world.get(org, callId)).toMatchObject({
      ...{ status: 'cancelled', outcome: 'cancelled', endedReason: 'operator_ended' },
    });
    expect(await end(org, roomName)).toMatchObject({ alreadyEnded: true, endedAt: cancelledAt });
    world.endAttempt = async () => null;
  });

  it('leaves a ringing call alone while the dialer does not answer, so that nothing untrue is recorded of it', async () => {
    const org = newOrganization();
    const { callId, roomName } = await held(org);
    world.endAttempt = undefined;
    await expect(end(org, roomName)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await world.rooms.rooms([roomName])).toHaveLength(1);
    expect(await world.get(org, callId)).toMatchObject({ status: 'ringing', endedReason: null });
    world.endAttempt = async () => null;
    expect(await end(org, roomName)).toMatchObject({ ended: true, alreadyEnded: false });
  });

  it('takes the word of the gateway that the dial has ended, and requests nothing of the dialer', async () => {
    const org = newOrganization();
    const { callId, roomName, about } = await held(org);
    world.endAttempt = undefined;
    const call = await inRoom(org, roomName);
    expect(call).toEqual({ callId, inText: false, dialOf: about.outboundCallId });
    const dialCancelledAt = new Date().toISOString();
    const facts = { ended: { callId, inText: false, dialOf: about.outboundCallId, dialCancelledAt } };
    expect(await end(org, roomName, facts)).toMatchObject({ alreadyEnded: false, endedAt: dialCancelledAt });
    expect(await world.rooms.rooms([roomName])).toEqual([]);
    expect(await world.get(org, callId)).toMatchObject({
      status: 'cancelled',
      endedReason: 'operator_ended',
    });
    expect(await inRoom(org, roomName)).toBeNull();
    world.endAttempt = async () => null;
  });

  it('says that it ended the call also when the dialer has reported the end of the dial first', async () => {
    const org = newOrganization();
    const { callId, roomName, about } = await held(org);
    const endedAt = new Date().toISOString();
    const settled = { status: 'cancelled', endedReason: 'operator_ended', error: null, endedAt } as const;
    await world.announce(events.attemptSettled, org, { ...about, ...settled });
    await eventually(async () => expect(await inRoom(org, roomName)).toBeNull());
    const facts = {
      ended: { callId, inText: false, dialOf: about.outboundCallId, dialCancelledAt: endedAt },
    };
    expect(await end(org, roomName, facts)).toMatchObject({ alreadyEnded: false, endedAt });
    expect(await world.rooms.rooms([roomName])).toEqual([]);
  });

  it('refuses an end whose dial was not known to the gateway, so that the call rings on', async () => {
    const org = newOrganization();
    const { callId, roomName } = await held(org);
    const notDialled = { callId, inText: false, dialOf: null, dialCancelledAt: null };
    for (const facts of [{ ended: null }, { ended: notDialled }])
      await expect(end(org, roomName, facts)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await world.get(org, callId)).toMatchObject({ status: 'ringing' });
    await world.rooms.deleteRoom(roomName);
  });

  it("shows the gateway no call of another organization's room", async () => {
    const org = newOrganization();
    const { callId, roomName, about } = await held(org);
    expect(await inRoom(newOrganization(), roomName)).toBeNull();
    const outboundCall = (who: string) =>
      world.ask(serviceRequests.callsOutboundCall, { body: { callId } }, userOf(who));
    expect(await outboundCall(org)).toEqual({ outboundCallId: about.outboundCallId });
    expect(await outboundCall(newOrganization())).toEqual({ outboundCallId: null });
    await world.rooms.deleteRoom(roomName);
  });

  it("answers for another organization's room as for one that never was, and leaves it alone", async () => {
    const org = newOrganization();
    const { callId, roomName } = await held(org);
    const refusal = async (who: string, name: string): Promise<unknown> => {
      const error: unknown = await end(who, name).catch((reason: unknown) => reason);
      return error instanceof AppError ? error.toWire() : error;
    };
    const unknown = await refusal(newOrganization(), `ob_${randomUUID()}`);
    expect(unknown).toMatchObject({ code: 'LIVE_CALL_NOT_FOUND' });
    expect(await refusal(newOrganization(), roomName)).toEqual(unknown);
    expect(await refusal(org, `ob_${randomUUID()}`)).toEqual(unknown);
    expect(await refusal(org, `${roomName}/../${roomName}`)).toEqual(unknown);
    expect(await world.rooms.rooms([roomName])).toHaveLength(1);
    expect((await world.live(org)).map((call) => call.callId)).toEqual([callId]);
    await world.rooms.deleteRoom(roomName);
  });
});

describe('a room event', () => {
  it('of a room that is not ours is passed over', async () => {
    expect(await world.roomEvent('room_started', { name: 'other', metadata: {} })).toBe(false);
    expect(await world.roomEvent('track_published', dialled(newOrganization()).room)).toBe(false);
  });

  it('makes a browser call known, with the name of its agent, and answers it when both are there', async () => {
    const org = newOrganization();
    const { callId, room } = dialled(org);
    const preview = {
      name: `pv_${callId}`,
      metadata: { ...room.metadata, channel: 'preview', direction: 'inbound', outboundCallId: null },
    };
    await world.roomEvent('room_started', preview);
    await world.roomEvent('participant_joined', preview, { ...callee, kind: 'standard' });
    await eventually(async () =>
      expect(await world.get(org, callId)).toMatchObject({
        agentName: 'Front desk',
        status: 'ringing',
        channel: 'preview',
      }),
    );
    await world.roomEvent('participant_joined', preview, agent);
    await eventually(async () =>
      expect(await world.get(org, callId)).toMatchObject({ status: 'in_progress' }),
    );
  });
});
