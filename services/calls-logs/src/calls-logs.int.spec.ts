// The service as it runs: booted whole, asked over NATS, on real engines.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { type CallLog, contract, events, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { connectEventStore } from '@parlance/event-sourcing';
import { eventually } from '@parlance/testing';
import { agent, callee, dialled } from './testing/dialled.js';
import { finishedCall, userOf, World } from './testing/world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(async () => {
  await world?.stop();
});
beforeEach(() => {
  world.agentName = 'Front desk';
  world.attemptFacts = [];
});

const code = (expected: string) => expect.objectContaining({ code: expected });
const newOrganization = (): string => randomUUID();
const ids = (calls: readonly CallLog[]): string[] => calls.map(({ id }) => id);

describe('a call that is handed over', () => {
  it('is there at once, and in the list and its transcript within a moment', async () => {
    const org = newOrganization();
    const body = finishedCall(org);
    const first = await world.ingest(body);
    expect(first).toMatchObject({ data: { callId: body.callId } });
    expect(first.repeated ?? false).toBe(false);
    const log = await world.get(org, body.callId);
    expect(log).toMatchObject({
      id: body.callId,
      agentName: 'Front desk',
      status: 'completed',
      outcome: 'answered',
      endedReason: 'user_hangup',
      durationSeconds: 60,
      ringSeconds: 5,
      messageCount: 3,
      cost: { totalMicros: 8_500, currency: 'USD' },
      summary: 'They talked.',
      recording: { available: false, url: null },
    });
    await eventually(async () => expect(await world.list(org)).toEqual([log]));
    const transcript = await eventually(async () => {
      const request = { params: { callId: body.callId }, query: { limit: '2' } };
      const page = await world.ask(contract.callsTranscripts, request, userOf(org));
      expect(page.data).toHaveLength(2);
      return page;
    });
    expect(transcript.data.map(({ text }) => text)).toEqual(['line 0', 'line 1']);
    const rest = await world.ask(
      contract.callsTranscripts,
      { params: { callId: body.callId }, query: { limit: '2', cursor: transcript.nextCursor } },
      userOf(org),
    );
    expect(rest.data.map(({ seq }) => seq)).toEqual([2]);
    expect(rest.nextCursor).toBeUndefined();
  });

  it('is told to the others once', async () => {
    const org = newOrganization();
    const body = finishedCall(org);
    await Promise.all([1, 2, 3].map(() => world.ingest(body)));
    const told = await eventually(() => {
      const ends = world.published.filter(({ data }) => data.callId === body.callId);
      expect(ends).toHaveLength(1);
      return ends[0];
    });
    expect(told).toMatchObject({
      name: events.callEnded.name,
      organizationId: org,
      data: { status: 'completed', outcome: 'answered', durationSeconds: 60, costMicros: 8_500 },
    });
  });

  it('is the same call however often it comes, by event id, by call id, and at the same time', async () => {
    const org = newOrganization();
    const body = finishedCall(org);
    await Promise.all(Array.from({ length: 5 }, () => world.ingest(body)));
    expect(await world.ingest(body)).toMatchObject({ data: { callId: body.callId }, repeated: true });
    expect(await world.ingest({ ...body, eventId: randomUUID() })).toMatchObject({ repeated: true });
    const sameEvent = await world.ingest(finishedCall(org, { eventId: body.eventId }));
    expect(sameEvent).toMatchObject({ data: { callId: body.callId }, repeated: true });
    await eventually(async () => expect(ids(await world.list(org))).toEqual([body.callId]));
  });

  it('is refused when it says something else than before', async () => {
    const org = newOrganization();
    const body = finishedCall(org);
    await world.ingest(body);
    const other = { ...body, eventId: randomUUID(), endedAt: '2026-03-01T10:02:05.000Z' };
    await expect(world.ingest(other)).rejects.toEqual(code('INGEST_CONFLICT'));
    await expect(
      world.ingest({ ...body, eventId: randomUUID(), organizationId: newOrganization() }),
    ).rejects.toEqual(code('INGEST_CONFLICT'));
    expect(await world.get(org, body.callId)).toMatchObject({ endedAt: body.endedAt });
  });

  it('keeps a long transcript whole, and is refused above the documented number of turns', async () => {
    const org = newOrganization();
    const turns = (count: number, text: string) =>
      Array.from({ length: count }, (_, seq) => ({ seq, role: 'user' as const, text, startMs: seq }));
    const body = finishedCall(org, { transcript: turns(700, 'x'.repeat(2_000)) });
    await world.ingest(body);
    expect(await world.ingest(body)).toMatchObject({ repeated: true });
    expect(await world.get(org, body.callId)).toMatchObject({ messageCount: 700 });
    const request = { params: { callId: body.callId }, query: { limit: '100' } };
    let seen = 0;
    let cursor: string | undefined;
    await eventually(async () => {
      const { data } = await world.ask(contract.callsTranscripts, request, userOf(org));
      expect(data).toHaveLength(100);
    });
    do {
      const query = { limit: '100', ...(cursor === undefined ? {} : { cursor }) };
      const page = await world.ask(contract.callsTranscripts, { ...request, query }, userOf(org));
      expect(page.data.map(({ seq }) => seq)).toEqual(page.data.map((_, index) => seen + index));
      seen += page.data.length;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toBe(700);
    await expect(world.ingest(finishedCall(org, { transcript: turns(10_001, 'x') }))).rejects.toEqual(
      code('PAYLOAD_TOO_LARGE'),
    );
  });

  it('is refused when a turn number comes twice or a usage is in a unit of something else', async () => {
    const org = newOrganization();
    const [turn] = finishedCall(org).transcript;
    await expect(world.ingest(finishedCall(org, { transcript: [turn, turn] }))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: 'body.transcript.1.seq' }] },
    });
    const usage = [{ kind: 'llm', quantity: 1, unit: 'second', provider: 'p' }];
    await expect(world.ingest(finishedCall(org, { usage }))).rejects.toMatchObject({
      details: { issues: [{ path: 'body.usage.0.unit' }] },
    });
  });

  it('is kept without its agent, but not while nobody can tell the agent', async () => {
    const org = newOrganization();
    world.agentName = undefined;
    const body = finishedCall(org);
    await expect(world.ingest(body)).rejects.toEqual(code('SERVICE_UNAVAILABLE'));
    world.agentName = 'unknown';
    expect((await world.ingest(body)).repeated ?? false).toBe(false);
    expect(await world.get(org, body.callId)).toMatchObject({ agentName: 'Deleted agent' });
  });

  it('leaves nothing that identifies a person readable in its stream', async () => {
    const org = newOrganization();
    const canary = `canary-${randomUUID()}`;
    const body = finishedCall(org, {
      summary: canary,
      fromNumber: '+14155559876',
      transcript: [{ seq: 0, role: 'user', text: canary, startMs: 0 }],
      metadata: { note: canary },
    });
    await world.ingest(body);
    const store = connectEventStore({ url: new Secret(world.engines.eventStoreUrl), name: 'test' });
    const raw: unknown[] = [];
    for await (const { event } of store.client.readStream(`call-${body.callId}`))
      raw.push(event?.data, event?.metadata);
    await store.close();
    expect(raw.length).toBeGreaterThan(4);
    expect(JSON.stringify(raw)).not.toContain(canary);
    expect(JSON.stringify(raw)).not.toContain('4155559876');
  });
});

describe('the call log', () => {
  it('is newest first, filtered, paged, and only the own one', async () => {
    const [org, foreign] = [newOrganization(), newOrganization()];
    const at = (minute: number) => `2026-03-01T10:0${minute}:00.000Z`;
    const calls = [1, 2, 3, 4].map((minute) =>
      finishedCall(org, {
        startedAt: at(minute),
        answeredAt: null,
        endedAt: at(minute),
        durationSeconds: null,
        status: minute === 2 ? 'failed' : 'completed',
        direction: minute === 3 ? 'outbound' : 'inbound',
      }),
    );
    for (const call of [...calls, finishedCall(foreign)]) await world.ingest(call);
    const expected = calls.map(({ callId }) => callId).reverse();
    await eventually(async () => expect(ids(await world.list(org))).toEqual(expected));
    expect(ids(await world.list(org, { status: 'failed' }))).toEqual([calls[1]?.callId]);
    expect(ids(await world.list(org, { direction: 'outbound' }))).toEqual([calls[2]?.callId]);
    expect(ids(await world.list(org, { agentId: calls[0]?.agentId }))).toEqual([calls[0]?.callId]);
    expect(ids(await world.list(org, { from: at(2), to: at(3) }))).toEqual([
      calls[2]?.callId,
      calls[1]?.callId,
    ]);
    const first = await world.ask(contract.callsList, { query: { limit: '3' } }, userOf(org));
    const second = await world.ask(
      contract.callsList,
      { query: { limit: '3', cursor: first.nextCursor } },
      userOf(org),
    );
    expect(ids([...first.data, ...second.data])).toEqual(expected);
    expect(second.nextCursor).toBeUndefined();
    const cursor = first.nextCursor ?? '';
    const misused = [
      [{ cursor }, foreign],
      [{ cursor, status: 'failed' as const }, org],
      [{ cursor: `A${cursor.slice(1)}` }, org],
    ] as const;
    for (const [query, who] of misused)
      await expect(world.ask(contract.callsList, { query }, userOf(who))).rejects.toEqual(
        code('INVALID_CURSOR'),
      );
  });

  it('is asked for any moment that can be written, also one that the database cannot hold', async () => {
    const org = newOrganization();
    const { callId } = finishedCall(org);
    await world.ingest(finishedCall(org, { callId }));
    await eventually(async () => expect(await world.list(org)).toHaveLength(1));
    const [first, beforeThat, last] = [
      '0000-01-01T00:00:00Z',
      '0000-01-01T00:00:00+12:00',
      '9999-12-31T23:59:59-12:00',
    ];
    expect(ids(await world.list(org, { from: first, to: last }))).toEqual([callId]);
    expect(ids(await world.list(org, { from: beforeThat }))).toEqual([callId]);
    expect(await world.list(org, { to: beforeThat })).toEqual([]);
    expect(await world.list(org, { from: last })).toEqual([]);
  });

  it('answers for a foreign call as for one that never was', async () => {
    const org = newOrganization();
    const { callId } = finishedCall(org);
    await world.ingest(finishedCall(org, { callId }));
    const stranger = newOrganization();
    for (const [who, id] of [
      [stranger, callId],
      [org, randomUUID()],
    ] as const) {
      await expect(world.get(who, id)).rejects.toEqual(code('CALL_NOT_FOUND'));
      const params = { callId: id };
      await expect(world.ask(contract.callsDelete, { params }, userOf(who))).rejects.toEqual(
        code('CALL_NOT_FOUND'),
      );
      await expect(world.ask(contract.callsTranscripts, { params, query: {} }, userOf(who))).rejects.toEqual(
        code('CALL_NOT_FOUND'),
      );
    }
    await expect(world.get(org, callId)).resolves.toMatchObject({ id: callId });
  });

  it('forgets a deleted call, and the call does not come back', async () => {
    const org = newOrganization();
    const [kept, gone] = [finishedCall(org), finishedCall(org)];
    await world.ingest(kept);
    await world.ingest(gone);
    const params = { callId: gone.callId };
    await world.ask(contract.callsDelete, { params }, userOf(org));
    await expect(world.get(org, gone.callId)).rejects.toEqual(code('CALL_NOT_FOUND'));
    await expect(world.ask(contract.callsDelete, { params }, userOf(org))).rejects.toEqual(
      code('CALL_NOT_FOUND'),
    );
    expect(await world.ingest(gone)).toMatchObject({ repeated: true });
    await eventually(async () => expect(ids(await world.list(org))).toEqual([kept.callId]));
    await eventually(async () => {
      const { data } = await world.ask(
        contract.dashboardSummary,
        { query: { range: 'custom', from: '2026-03-01', to: '2026-03-01' } },
        userOf(org),
      );
      expect(data.kpis.totalCalls).toBe(1);
    });
  });
});

describe('an outbound call', () => {
  it('goes from the dialer through the room to the hand-over, and is live in between', async () => {
    const org = newOrganization();
    const call = dialled(org);
    await world.announce(events.attemptStarted, org, call.started);
    const live = () => world.ask(contract.callsLive, {}, userOf(org)).then(({ data }) => data);
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
    const count = await world.ask(
      serviceRequests.callsLiveCountOfAgent,
      { body: { agentId: call.agentId } },
      userOf(org),
    );
    expect(count.data).toEqual({ live: 1 });
    await world.roomEvent('room_finished', call.room);
    await eventually(async () => expect(await live()).toEqual([]));
    const endedAt = new Date().toISOString();
    const { agentId, callId, outboundCallId, roomName } = call;
    const times = { startedAt: call.started.startedAt, answeredAt, endedAt, durationSeconds: 0 };
    await world.ingest(
      finishedCall(org, { agentId, callId, outboundCallId, roomName, direction: 'outbound', ...times }),
    );
    expect(await world.get(org, callId)).toMatchObject({
      status: 'completed',
      agentName: 'Dialler',
      configVersion: 4,
      providerCallId: 'SCL_1',
      outboundCallId,
      answeredAt,
    });
    const facts = () =>
      world.ask(serviceRequests.callsFacts, { body: { callIds: [callId, randomUUID()] } }, userOf(org));
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
      expect(world.published.filter(({ data }) => data.callId === call.callId)).toMatchObject([
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
    const live = () => world.ask(contract.callsLive, {}, userOf(org)).then(({ data }) => data);
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
  const end = async (who: string, roomName: string) =>
    (await world.ask(contract.callsEndLive, { body: { roomName } }, userOf(who))).data;
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
    expect(await world.get(org, callId)).toMatchObject({
      agentName: 'Front desk',
      status: 'ringing',
      channel: 'preview',
    });
    await world.roomEvent('participant_joined', preview, agent);
    expect(await world.get(org, callId)).toMatchObject({ status: 'in_progress' });
  });
});

describe('the dashboard', () => {
  it('counts what ended in the range, by its definitions', async () => {
    const org = newOrganization();
    const agentId = randomUUID();
    const at = (time: string) => `2026-04-02T${time}.000Z`;
    const talk = (from: string, answered: string, to: string, change: object = {}) =>
      finishedCall(org, {
        ...{ agentId, startedAt: at(from), answeredAt: at(answered), endedAt: at(to) },
        durationSeconds: (Date.parse(at(to)) - Date.parse(at(answered))) / 1_000,
        ...change,
      });
    const unanswered = (status: string, change: object = {}) =>
      talk('11:00:00', '11:00:00', '11:00:20', {
        ...{
          status,
          endedReason: null,
          answeredAt: null,
          durationSeconds: null,
          successful: null,
          usage: [],
        },
        ...change,
      });
    const calls = [
      talk('10:00:00', '10:00:05', '10:02:05'),
      talk('10:00:30', '10:00:40', '10:01:10', { successful: 'failure', direction: 'outbound' }),
      talk('10:30:00', '10:30:10', '10:30:40', { endedReason: 'call_transferred', successful: null }),
      talk('11:10:00', '11:10:05', '11:10:35', { answeredBy: 'machine_voicemail', successful: null }),
      unanswered('busy'),
      unanswered('failed'),
      talk('10:00:00', '10:00:05', '10:02:05', { channel: 'preview' }),
      talk('10:00:00', '10:00:05', '10:02:05', { startedAt: '2026-04-01T23:00:00.000Z' }),
    ];
    for (const call of calls) await world.ingest(call);
    const query = { range: 'custom' as const, from: '2026-04-02', to: '2026-04-02' };
    const summary = await eventually(async () => {
      const { data } = await world.ask(contract.dashboardSummary, { query }, userOf(org));
      expect(data.kpis.totalCalls).toBe(6);
      expect(data.previous.totalCalls).toBe(1);
      return data;
    });
    expect(summary).toMatchObject({
      ...{ range: 'custom', timezone: 'UTC', bucket: 'hour' },
      kpis: {
        answeredCalls: 3,
        answerRate: 0.5,
        voicemailRate: 0.1667,
        averageDurationSeconds: 60,
        totalMinutes: 3.5,
        successRate: 0.5,
        transferRate: 0.3333,
        liveCalls: 0,
        // the one that rang since yesterday is in progress as well
        peakConcurrency: 3,
        totalCostMicros: 4 * 8_500,
        currency: 'USD',
      },
      byDirection: { inbound: 5, outbound: 1 },
      byChannel: { phone: 6, widget: 0, preview: 0 },
      agents: [
        {
          agentId,
          name: 'Front desk',
          calls: 6,
          answerRate: 0.5,
          averageDurationSeconds: 60,
          successRate: 0.5,
        },
      ],
    });
    expect(summary.outcomes).toContainEqual({ outcome: 'voicemail', count: 1, share: 0.1667 });
    expect(summary.endedReasons).toContainEqual({ reason: 'busy', count: 1 });
    expect(summary.timeline).toHaveLength(24);
    expect(summary.timeline[10]).toMatchObject({ at: at('10:00:00'), calls: 3, answered: 3, minutes: 3 });
    expect(summary.timeline[11]).toMatchObject({ calls: 3, answered: 0, failed: 1, minutes: 0.5 });
    expect(summary.timeline[12]).toMatchObject({ calls: 0, minutes: 0 });
  });

  it('is empty and whole for an organization without calls', async () => {
    const { data } = await world.ask(
      contract.dashboardSummary,
      { query: { range: '24h' } },
      userOf(newOrganization()),
    );
    expect(data.kpis).toMatchObject({
      totalCalls: 0,
      answerRate: null,
      averageDurationSeconds: null,
      totalMinutes: 0,
    });
    expect(data.timeline).toHaveLength(24);
    expect(contract.dashboardSummary.data.safeParse(data).success).toBe(true);
  });

  it('refuses a range that is none', async () => {
    const query = { range: 'custom' as const, from: '2026-03-02', to: '2026-03-01' };
    await expect(world.ask(contract.dashboardSummary, { query }, userOf(newOrganization()))).rejects.toEqual(
      code('INVALID_RANGE'),
    );
  });
});
