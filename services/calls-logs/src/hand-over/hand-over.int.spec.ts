// Finished calls as the voice runtime hands them over to a whole service: kept once, whole, and for their own
// organization alone.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { contract, events, serviceRequests } from '@parlance/contracts';
import { connectEventStore, rawStream } from '@parlance/event-sourcing';
import { eventually } from '@parlance/fixtures';
import { dialled } from '../testing/dialled.js';
import { finishedCall, userOf, World } from '../testing/world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(async () => {
  await world?.stop();
});
beforeEach(() => {
  world.agentName = 'Front desk';
});

const code = (expected: string) => expect.objectContaining({ code: expected });
const newOrganization = (): string => randomUUID();

const applied = (at: string) => ({
  ...{ outcome: 'applied' as const, at, durationMs: 1, statusCode: 200, error: null, ignored: [] },
});

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
      const page = await world.request(contract.callsTranscripts, request, userOf(org));
      expect(page.data).toHaveLength(2);
      return page;
    });
    expect(transcript.data.map(({ text }) => text)).toEqual(['line 0', 'line 1']);
    const rest = await world.request(
      contract.callsTranscripts,
      { params: { callId: body.callId }, query: { limit: '2', cursor: transcript.nextCursor } },
      userOf(org),
    );
    expect(rest.data.map(({ seq }) => seq)).toEqual([2]);
    expect(rest.nextCursor).toBeUndefined();
  });

  it('announces once that the person asked not to be called again, and gives the dialer the number', async () => {
    const org = newOrganization();
    const body = { ...finishedCall(org), optedOut: true };
    const { callId } = body;
    for (const repeated of [false, true]) expect((await world.ingest(body)).repeated ?? false).toBe(repeated);
    const inBrowser = finishedCall(org, { channel: 'widget', optedOut: true });
    await world.ingest(inBrowser);
    expect(await world.get(org, callId)).toMatchObject({ optedOut: true });
    expect(await world.get(org, inBrowser.callId)).not.toHaveProperty('optedOut');
    const optOuts = () => world.optOuts.filter(({ organizationId }) => organizationId === org);
    await eventually(() =>
      expect(world.ends.filter(({ organizationId }) => organizationId === org)).toHaveLength(2),
    );
    expect(optOuts()).toMatchObject([{ data: { callId } }]);
    expect(JSON.stringify(optOuts())).not.toContain('1415');
    const numbersOf = async (id: string, organizationId = org) =>
      await world.ask(serviceRequests.callsNumbers, { body: { callId: id } }, userOf(organizationId));
    const { direction, fromNumber, toNumber } = await world.get(org, callId);
    expect(await numbersOf(callId)).toEqual({ direction, fromNumber, toNumber });
    expect([fromNumber, toNumber]).toContainEqual(expect.stringMatching(/^\+/));
    expect(await numbersOf(inBrowser.callId)).toMatchObject({ fromNumber: null, toNumber: null });
    await expect(numbersOf(callId, newOrganization())).rejects.toEqual(code('CALL_NOT_FOUND'));
  });

  it('has the variables and tools that the platform knows of, although no message told them before', async () => {
    const org = newOrganization();
    const { agentId, callId, ...body } = finishedCall(org);
    const startedAt = '2026-03-01T10:00:06.000Z';
    world.initiations?.set(callId, {
      agentId,
      at: startedAt,
      dynamicVariables: { orderId: '9007199254740993' },
    });
    const run = {
      ...{ executionId: randomUUID(), callId, agentId, toolId: randomUUID(), name: 'find_plan' },
      ...{ arguments: { order: 'A-1' }, status: 'ok' as const, httpStatus: 200, startedAt, durationMs: 50 },
      ...{ result: { plan: 'gold' }, assignments: { plan: 'gold' } },
    };
    world.toolRuns.set(callId, [run]);
    await world.ingest({ ...body, agentId, callId });
    const expected = { orderId: '9007199254740993', plan: 'gold' };
    expect(await world.get(org, callId)).toMatchObject({ dynamicVariables: expected, messageCount: 4 });
    const toolTurns = async () => {
      const request = { params: { callId }, query: {} };
      const data = await world.ask(contract.callsTranscripts, request, userOf(org));
      return data.flatMap(({ toolCall }) => toolCall ?? []);
    };
    const once = [{ name: 'find_plan', arguments: { order: 'A-1' }, result: { plan: 'gold' }, status: 'ok' }];
    expect(await toolTurns()).toMatchObject(once);
    // The messages come late, and say nothing new.
    await world.announce(events.toolExecuted, org, run);
    const result = applied(startedAt);
    const dynamicVariables = { orderId: '9007199254740993' };
    await world.announce(events.initiationFinished, org, { agentId, callId, result, dynamicVariables });
    await eventually(async () => expect((await world.get(org, callId)).initiation).toEqual(result));
    expect(await world.get(org, callId)).toMatchObject({ dynamicVariables: expected, messageCount: 4 });
    expect(await toolTurns()).toMatchObject(once);
  });

  it('is taken while the other services do not answer, and gets its variables with their messages', async () => {
    const org = newOrganization();
    const body = finishedCall(org);
    const { agentId, callId } = body;
    const { initiations } = world;
    world.initiations = undefined;
    await world.ingest(body);
    world.initiations = initiations;
    const result = applied('2026-03-01T10:00:06.000Z');
    const dynamicVariables = { orderId: 'A-7' };
    await world.announce(events.initiationFinished, org, { agentId, callId, result, dynamicVariables });
    await eventually(async () =>
      expect((await world.get(org, callId)).dynamicVariables).toMatchObject(dynamicVariables),
    );
  });

  it('of an organization that was removed is refused', async () => {
    const org = newOrganization();
    await world.announce(events.organizationDeleted, org, { removalId: randomUUID(), deletedBy: 'user:1' });
    await eventually(() =>
      expect(world.ingest(finishedCall(org))).rejects.toMatchObject({
        code: 'UNKNOWN_REFERENCE',
        details: { path: 'body.organizationId' },
      }),
    );
  });

  it('is told to the others once', async () => {
    const org = newOrganization();
    const body = finishedCall(org);
    await Promise.all([1, 2, 3].map(() => world.ingest(body)));
    const told = await eventually(() => {
      const ends = world.ends.filter(({ data }) => data.callId === body.callId);
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
    await eventually(async () => expect(await world.list(org)).toMatchObject([{ id: body.callId }]));
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
      const data = await world.ask(contract.callsTranscripts, request, userOf(org));
      expect(data).toHaveLength(100);
    });
    do {
      const query = { limit: '100', ...(cursor === undefined ? {} : { cursor }) };
      const page = await world.request(contract.callsTranscripts, { ...request, query }, userOf(org));
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

  it('is kept of an agent that was deleted, but not while agents-config does not answer', async () => {
    const org = newOrganization();
    world.agentName = undefined;
    const body = finishedCall(org);
    await expect(world.ingest(body)).rejects.toEqual(code('SERVICE_UNAVAILABLE'));
    world.agentName = 'Gone desk';
    expect((await world.ingest(body)).repeated ?? false).toBe(false);
    expect(await world.get(org, body.callId)).toMatchObject({ agentName: 'Gone desk' });
    // Every call after the first is taken without asking again.
    world.agentName = undefined;
    const { agentId } = body;
    expect((await world.ingest(finishedCall(org, { agentId }))).repeated ?? false).toBe(false);
  });

  it('is refused of an agent or organization that never was, leaves nothing behind, and may come again put right', async () => {
    const org = newOrganization();
    const body = finishedCall(org);
    world.agentName = 'unknown';
    const refusedAt = (path: string) =>
      expect.objectContaining({ code: 'UNKNOWN_REFERENCE', details: { path } });
    await expect(world.ingest(body)).rejects.toEqual(refusedAt('body.agentId'));
    world.isOrganizationKnown = false;
    await expect(world.ingest(body)).rejects.toEqual(refusedAt('body.organizationId'));
    world.isOrganizationKnown = true;
    await expect(world.get(org, body.callId)).rejects.toEqual(code('CALL_NOT_FOUND'));
    world.agentName = 'Front desk';
    const right = finishedCall(org, { eventId: body.eventId });
    expect((await world.ingest(right)).repeated ?? false).toBe(false);
    expect(await world.get(org, right.callId)).toMatchObject({ agentId: right.agentId });
  });

  it('is taken of an agent that is not on record any more when the call itself is', async () => {
    const org = newOrganization();
    const call = dialled(org);
    await world.announce(events.attemptStarted, org, call.started);
    await eventually(() => world.get(org, call.callId));
    world.agentName = 'unknown';
    const { agentId, callId, outboundCallId, roomName } = call;
    const about = { agentId, callId, outboundCallId, roomName, direction: 'outbound' };
    await expect(world.ingest(finishedCall(org, { ...about, agentId: randomUUID() }))).rejects.toEqual(
      code('UNKNOWN_REFERENCE'),
    );
    expect((await world.ingest(finishedCall(org, about))).repeated ?? false).toBe(false);
    expect(await world.get(org, callId)).toMatchObject({ status: 'completed', agentName: 'Dialler' });
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
    for await (const { data, metadata } of rawStream(store, `call-${body.callId}`)) raw.push(data, metadata);
    await store.close();
    expect(raw.length).toBeGreaterThan(4);
    expect(JSON.stringify(raw)).not.toContain(canary);
    expect(JSON.stringify(raw)).not.toContain('4155559876');
  });
});
