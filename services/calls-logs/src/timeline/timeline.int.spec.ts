// The timeline of a call: the whole service on real engines, with the dialer played by the test.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Caller,
  type CallTimeline,
  type CallTimelineFacts,
  contract,
  events,
  type OutboundCallTimeline,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { eventually, serveOperation } from '@parlance/fixtures';
import { Receiver } from '../testing/webhook-world.js';
import { finishedCall, userOf, World } from '../testing/world.js';

let world: World;
let org: string;
/** The answer of the dialer; undefined: it does not answer. */
let outbound: OutboundCallTimeline | AppError | undefined;
let askedFor: string[] = [];

beforeAll(async () => {
  world = await World.start();
  await serveOperation(world.nats, contract.outboundCallsTimeline, ({ input }) => {
    askedFor.push(contract.outboundCallsTimeline.params.parse(input.params).outboundId);
    if (outbound instanceof AppError) return { error: outbound.toWire() };
    return outbound === undefined
      ? { error: new AppError('SERVICE_UNAVAILABLE').toWire() }
      : { data: outbound };
  });
});
afterAll(() => world?.stop());
beforeEach(() => {
  org = randomUUID();
  outbound = { entries: [], isCut: false };
  askedFor = [];
});

const reader = (...permissions: string[]): Caller => ({ ...userOf(org), permissions });
const timeline = async (callId: string, who = reader('callLogs:read', 'outboundCalls:read')) =>
  await world.ask(contract.callsTimeline, { params: { callId } }, who);
const kinds = ({ entries }: Pick<CallTimeline, 'entries'>): string[] =>
  (entries ?? []).map(({ kind }) => kind);
const notFound = expect.objectContaining({ code: 'CALL_NOT_FOUND' });

describe('the timeline of a call', () => {
  it('tells what happened, oldest first, with tools, webhooks and who caused it', async () => {
    const receiver = await Receiver.start();
    world.postCallWebhook = {
      ...{ url: receiver.url, method: 'POST', headers: {}, timeoutMs: 5_000, enabled: true },
      events: ['call.ended'],
    };
    const call = finishedCall(org);
    await world.ingest(call);
    const run = {
      executionId: randomUUID(),
      callId: call.callId,
      agentId: call.agentId,
      toolId: randomUUID(),
    };
    await world.announce(events.toolExecuted, org, {
      ...{ ...run, name: 'order_status', arguments: { secretWord: 'canary' }, status: 'ok', httpStatus: 200 },
      ...{ startedAt: '2026-03-01T10:00:30.000Z', durationMs: 80 },
    });
    await world.announce(events.initiationFinished, org, {
      ...{ agentId: call.agentId, callId: call.callId },
      result: {
        ...{ outcome: 'failed', at: '2026-03-01T09:59:59.000Z', durationMs: 3_000 },
        ...{ statusCode: null, error: 'timeout', ignored: [] },
      },
    });
    const shown = await eventually(async () => {
      const found = await timeline(call.callId);
      expect(kinds(found)).toHaveLength(7);
      expect(found.entries.at(-1)).toMatchObject({ details: { status: 'delivered' } });
      return found;
    });
    expect(kinds(shown)).toEqual([
      ...['initiation.asked', 'call.started', 'call.answered', 'tool.ran', 'call.ended'],
      ...['call.handed_over', 'webhook.due'],
    ]);
    expect(shown).toMatchObject({ isCut: false, missing: [] });
    expect(shown.entries[4]).toMatchObject({
      at: call.endedAt,
      details: { status: 'completed', endedReason: 'user_hangup', toldBy: 'runtime' },
    });
    expect(shown.entries[3]).toMatchObject({ details: { name: 'order_status', status: 'ok' } });
    const text = JSON.stringify(shown);
    for (const personal of [call.fromNumber, call.toNumber, 'canary', 'line 1', 'They talked.'])
      expect(text).not.toContain(personal);
    expect(askedFor).toEqual([]);
    world.postCallWebhook = null;
    await receiver.stop();
  });

  it('has the attempts of its outbound call, for a reader who may see them', async () => {
    const outboundCallId = randomUUID();
    const call = finishedCall(org, { direction: 'outbound', outboundCallId });
    await world.ingest(call);
    const at = '2026-03-01T09:58:00.000Z';
    const actor = { type: 'platform', id: 'outbound-dialer' };
    const abandoned = {
      callId: 'another',
      endedReason: 'outside_calling_window' as const,
      nextAttemptAt: at,
    };
    outbound = {
      entries: [{ at, actor, kind: 'attempt.abandoned', attemptNumber: 1, details: abandoned }],
      isCut: false,
    };
    const all = await timeline(call.callId);
    expect(all.entries[0]).toEqual(outbound.entries[0]);
    expect(kinds(all)).toContain('call.ended');
    expect(askedFor).toEqual([outboundCallId]);
    expect(kinds(await timeline(call.callId, reader('callLogs:read')))).not.toContain('attempt.abandoned');
    expect(askedFor).toHaveLength(1);

    outbound = undefined;
    const without = await timeline(call.callId);
    expect([without.missing, kinds(without).includes('call.ended')]).toEqual([['outbound'], true]);
    outbound = new AppError('OUTBOUND_CALL_NOT_FOUND');
    expect((await timeline(call.callId)).missing).toEqual([]);
  });

  it('has the attempts that the gateway sends along, and requests none of the dialer', async () => {
    const call = finishedCall(org, { direction: 'outbound', outboundCallId: randomUUID() });
    await world.ingest(call);
    const composedOf = async (composed: CallTimelineFacts, who?: Caller) => {
      const asking = who ?? reader('callLogs:read', 'outboundCalls:read');
      const params = { callId: call.callId };
      return world.ask(contract.callsTimeline, { params, composed }, asking);
    };
    const at = '2026-03-01T09:57:00.000Z';
    const actor = { type: 'user', id: 'u1' };
    const entry = { at, actor, kind: 'outbound.retried' as const, details: {} };
    const sent = { outbound: { timeline: { entries: [entry], isCut: false } } };
    const all = await composedOf(sent);
    expect([all.entries[0], all.missing]).toEqual([entry, []]);
    expect(kinds(await composedOf(sent, reader('callLogs:read')))).not.toContain('outbound.retried');
    expect((await composedOf({ outbound: { timeline: null } })).missing).toEqual(['outbound']);
    const without = await composedOf({ outbound: null });
    expect([without.missing, kinds(without).includes('call.ended')]).toEqual([[], true]);
    expect(askedFor).toEqual([]);
  });

  it('names the person who ended the call, and is gone with a deleted call and for others', async () => {
    const call = finishedCall(org);
    await world.ingest(call);
    const who = reader('callLogs:read');
    await expect(timeline(call.callId, { ...who, organizationId: randomUUID() })).rejects.toEqual(notFound);
    await expect(timeline(randomUUID())).rejects.toEqual(notFound);
    await world.request(contract.callsDelete, { params: { callId: call.callId } }, who);
    await expect(timeline(call.callId)).rejects.toEqual(notFound);
  });
});
