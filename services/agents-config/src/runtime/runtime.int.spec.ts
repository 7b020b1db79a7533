// The voice runtime asks for the configuration of a call, and a real receiver is asked about the call before the
// answer.

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CallAtStart, contract, events, serviceRequests } from '@parlance/contracts';
import { eventually } from '@parlance/fixtures';
import { ownerOf } from '@parlance/fixtures/service';
import { signingSecretOf } from '@parlance/webhooks';
import { Webhook } from 'standardwebhooks';
import { World } from '../testing/world.js';

let world: World;
let receiver: Server;
let url = '';
/** The behaviour of the receiver. */
let answer: RequestListener;
const received: { headers: IncomingHttpHeaders; body: string }[] = [];

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    received.push({ headers: request.headers, body });
    answer(request, response);
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const address = receiver.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/start`;
  world = await World.start({ EGRESS_ALLOW_PRIVATE: '127.0.0.1' });
});
afterAll(async () => {
  await world?.stop();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});
beforeEach(() => {
  received.length = 0;
  answer = (_request, response) => response.end('{}');
});

/** A new agent with this initiation webhook, and the runtime's question for it. */
const agentWith = async (webhook: object | null, change: object = {}) => {
  const org = world.organization();
  const agent = await org.create();
  await org.save(agent.id, { initiation_webhook: webhook, ...change });
  const params = { agentId: agent.id };
  return {
    org,
    agentId: agent.id,
    asked: (query: Partial<Record<keyof CallAtStart, string>> = {}) =>
      // The cast gives the query the shape of a query string.
      world.ask(contract.internalAgentConfig, { params, query: query as never }, ownerOf('', [])),
  };
};
const resultsOf = (callId: string) =>
  world.published.flatMap(({ name, data }) =>
    name === events.initiationFinished.name && data.callId === callId ? [data] : [],
  );

describe('an initiation webhook', () => {
  it('is told what the runtime knows of the call, signed, and its answer is in what the runtime gets', async () => {
    const headers = { authorization: 'Bearer for-{{name}}' };
    const body = { source: '{{system.callerNumber}}', nested: [{ who: '{{name}}' }] };
    const { org, agentId, asked } = await agentWith({ url, headers, body }, { variables: { city: 'Paris' } });
    answer = (_request, response) =>
      response.end(
        JSON.stringify({
          dynamic_variables: { plan: 'gold' },
          overrides: { firstMessage: 'Hi Ada', voiceId: 'not-allowed' },
          metadata: { ticket: 7 },
          more: true,
        }),
      );
    const callId = randomUUID();
    const found = await asked({
      callId,
      channel: 'phone',
      direction: 'inbound',
      callerNumber: '+14155550177',
      calledNumber: '+14155550100',
      dynamicVariables: '{"name":"Ada"}',
      metadata: '{"crm":{"id":1}}',
    });
    expect(found.config).toMatchObject({
      firstMessage: 'Hi Ada',
      variables: { city: { default: 'Paris' }, plan: { default: 'gold' } },
    });
    expect(found.initiation).toMatchObject({
      outcome: 'applied',
      action: 'continue',
      statusCode: 200,
      error: null,
      ignored: ['overrides.voiceId'],
      dynamicVariables: { plan: 'gold' },
      metadata: { ticket: 7 },
    });
    expect(received).toHaveLength(1);
    const [{ headers: got, body: sent } = { headers: {}, body: '' }] = received;
    expect(got.authorization).toBe('Bearer for-Ada');
    const secret = signingSecretOf(world.webhookKey, org.id);
    expect(
      new Webhook(secret).verify(sent, {
        'webhook-id': String(got['webhook-id']),
        'webhook-timestamp': String(got['webhook-timestamp']),
        'webhook-signature': String(got['webhook-signature']),
      }),
    ).toMatchObject({
      type: 'call.initiation',
      id: got['webhook-id'],
      apiVersion: '2026-07',
      data: {
        callId,
        agentId,
        direction: 'inbound',
        channel: 'phone',
        callerNumber: '+14155550177',
        calledNumber: '+14155550100',
        provider: null,
        providerCallId: null,
        campaignId: null,
        dynamicVariables: { name: 'Ada' },
        metadata: { crm: { id: 1 } },
        custom: { source: '+14155550177', nested: [{ who: 'Ada' }] },
      },
    });
  });

  it('gives the call its variables, which tools and the record find, sealed, until another answer comes', async () => {
    const { org, agentId, asked } = await agentWith({ url }, { variables: { name: 'there', city: 'Paris' } });
    const callId = randomUUID();
    const known = async (who = org.who) => {
      const of = await world.ask(serviceRequests.agentsInitiationOfCall, { body: { callId } }, who);
      return of.initiation?.dynamicVariables ?? null;
    };
    expect(await known()).toBeNull();
    answer = (_request, response) =>
      response.end('{"dynamicVariables":{"orderId":"FROM-INIT","city":"Bonn","name":""}}');
    const found = await asked({ callId });
    expect(found.config.variables).toMatchObject({ name: { default: 'there' }, city: { default: 'Bonn' } });
    expect(await known()).toEqual({ orderId: 'FROM-INIT', city: 'Bonn' });
    expect(await known(world.organization().who)).toBeNull();
    const defaults = async (body: { callId?: string }) =>
      (
        await world.ask(
          serviceRequests.agentsPostCallWebhook,
          { body: { agentId, version: null, ...body } },
          org.who,
        )
      ).variables;
    expect(await defaults({ callId })).toEqual({ name: 'there', city: 'Bonn', orderId: 'FROM-INIT' });
    expect(await defaults({})).toEqual({ name: 'there', city: 'Paris' });
    await eventually(() =>
      expect(resultsOf(callId)).toMatchObject([{ dynamicVariables: { orderId: 'FROM-INIT', city: 'Bonn' } }]),
    );
    answer = (_request, response) => response.end('{"dynamicVariables":{"orderId":"B-8"}}');
    await asked({ callId });
    expect(await known()).toEqual({ orderId: 'B-8' });
  });

  it('has its result told to those who keep calls, without anything that was said', async () => {
    const { asked, agentId } = await agentWith({ url });
    answer = (_request, response) => response.writeHead(500).end('secret words');
    const callId = randomUUID();
    await asked({ callId });
    await eventually(() => expect(resultsOf(callId)).toHaveLength(1));
    const [told] = resultsOf(callId);
    expect(told).toMatchObject({
      agentId,
      callId,
      result: { outcome: 'failed', statusCode: 500, error: 'status' },
    });
    expect(JSON.stringify(told)).not.toContain('secret words');
  });

  it('may have the call rejected', async () => {
    const { asked } = await agentWith({ url });
    answer = (_request, response) => response.end('{"action":"reject"}');
    expect((await asked()).initiation).toMatchObject({ outcome: 'rejected', action: 'reject' });
  });

  it.each<[string, string, RequestListener]>([
    ['timeout', 'does not answer', () => undefined],
    ['status', 'fails', (_request, response) => response.writeHead(503, { 'retry-after': '1' }).end()],
    ['status', 'redirects', (_request, response) => response.writeHead(307, { location: url }).end()],
    ['bad_response', 'talks nonsense', (_request, response) => response.end('<html>')],
    ['too_large', 'talks too much', (_request, response) => response.end('"'.repeat(70_000))],
    ['unreachable', 'hangs up', (request) => request.socket.destroy()],
  ])(
    'that ends with %s because it %s is asked once, and the call goes on as configured',
    async (error, _why, how) => {
      answer = how;
      // Only the webhook that stays silent must exceed its timeout: a busy machine may delay the answers of the others.
      const { asked } = await agentWith({ url, timeoutMs: error === 'timeout' ? 500 : 7_000 });
      const startedAt = Date.now();
      const found = await asked();
      expect(found.initiation).toMatchObject({ outcome: 'failed', error, action: 'continue' });
      expect(found.config).toMatchObject({ firstMessage: 'Hello', systemPrompt: 'Be kind.' });
      expect(received).toHaveLength(1);
      // Not a measure of speed: far below the time of waiting without a limit.
      expect(Date.now() - startedAt).toBeLessThan(20_000);
    },
  );

  it('may take longer than any other answer is waited for', async () => {
    answer = () => undefined;
    const { asked } = await agentWith({ url, timeoutMs: 3_500 });
    expect((await asked()).initiation).toMatchObject({ outcome: 'failed', error: 'timeout' });
  });

  it('is not asked while it is switched off, nor where there is none', async () => {
    for (const webhook of [null, { url, enabled: false }]) {
      const { asked } = await agentWith(webhook);
      expect((await asked({ callId: 'c1' })).initiation).toBeNull();
    }
    expect(received).toEqual([]);
  });

  it('is refused when it is saved if it leads inside, but to hosts that the operator names', async () => {
    const org = world.organization();
    const agent = await org.create();
    await expect(
      org.save(agent.id, { initiation_webhook: { url: 'http://127.0.0.2/' } }),
    ).rejects.toMatchObject({ code: 'URL_NOT_ALLOWED', details: { path: 'body.initiation_webhook.url' } });
  });
});

describe('whom to tell of a call', () => {
  it('is answered for the version that the call ran with, and for nobody else’s agent', async () => {
    const org = world.organization();
    const agent = await org.create();
    const webhook = { url: 'https://example.com/calls' };
    await org.save(agent.id, {
      post_call_webhook: webhook,
      variables: { name: 'friend', city: { default: null } },
    });
    await org.save(agent.id, { timezone: 'Asia/Tokyo' });
    const tell = (version: number | null, who = org.who) =>
      world.ask(serviceRequests.agentsPostCallWebhook, { body: { agentId: agent.id, version } }, who);
    expect(await tell(1)).toMatchObject({
      version: 1,
      webhook: { ...webhook, enabled: true, events: ['call.ended', 'call.analyzed', 'call.failed'] },
      variables: { name: 'friend', city: null },
      timezone: 'UTC',
    });
    expect(await tell(null)).toMatchObject({ version: 2, webhook: null, timezone: 'Asia/Tokyo' });
    await expect(tell(7)).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    await expect(tell(1, ownerOf(randomUUID()))).rejects.toMatchObject({ code: 'AGENT_NOT_FOUND' });
  });
});

describe('what to find out of a call', () => {
  it('is answered for the version that the call ran with, and for nobody else’s agent', async () => {
    const org = world.organization();
    const agent = await org.create();
    const data_needed = [{ id: 'guests', type: 'integer' as const, description: 'Number of people' }];
    const data_evaluation = [{ id: 'kind', name: 'Kind', prompt: 'Was the agent kind?' }];
    await org.save(agent.id, { data_needed, data_evaluation, timezone: 'Asia/Tokyo' });
    await org.save(agent.id, { data_needed: [], data_evaluation: [] });
    const settingsOf = (version: number | null, who = org.who) =>
      world.ask(serviceRequests.agentsAnalysisSettings, { body: { agentId: agent.id, version } }, who);
    expect(await settingsOf(1)).toMatchObject({
      timezone: 'Asia/Tokyo',
      dataNeeded: data_needed,
      dataEvaluation: data_evaluation,
    });
    expect(await settingsOf(null)).toMatchObject({ dataNeeded: [], dataEvaluation: [] });
    await expect(settingsOf(7)).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
    await expect(settingsOf(1, ownerOf(randomUUID()))).rejects.toMatchObject({ code: 'AGENT_NOT_FOUND' });
  });
});
