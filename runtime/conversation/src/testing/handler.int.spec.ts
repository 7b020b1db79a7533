// Text turns as the platform posts them: each message is a request of its own, and nothing is kept in between.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { callContext, TextTurnRequest, textTurnEvents } from '@parlance/contracts';
import { runtimeConfig } from '@parlance/fake-livekit/testing';
import { textTurnHandler } from '../text-turns/handler.js';
import { toolForTests } from './setup.js';

const found = runtimeConfig();
const tool = toolForTests({
  name: 'find_order',
  description: 'Finds an order by its number.',
  parameters: { type: 'object', properties: { order: { type: 'string' } }, required: ['order'] },
});
const context = callContext({
  callId: 'call-1',
  organizationId: 'org',
  agentId: found.agent.id,
  channel: 'widget',
  direction: 'inbound',
});

let tools: Server;
let server: Server;
const ran: unknown[] = [];
const logged: object[] = [];
/** A configuration is not answered before this resolves. */
let opened: Promise<void> = Promise.resolve();
const addressOf = (listening: Server): string =>
  `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;

beforeAll(async () => {
  tools = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    ran.push([request.url, JSON.parse(body).arguments, request.headers.authorization]);
    const data = { result: { state: 'sent' }, assignments: {}, durationMs: 7, isError: false };
    response.end(JSON.stringify({ success: true, data }));
  }).listen(0, '127.0.0.1');
  await once(tools, 'listening');
  const runtime = { ...found.runtime, baseUrl: addressOf(tools), callToken: 'token-of-the-call' };
  const handler = textTurnHandler({
    platform: {
      configuration: async () => {
        await opened;
        return { ...found, tools: [tool], runtime };
      },
      models: async () => undefined,
    },
    internalKey: 'internal',
    log: { info: (fields, message) => void logged.push({ message, ...fields }), warn: () => undefined },
    mostAtOnce: 2,
  });
  server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  for (const listening of [tools, server]) {
    listening?.closeAllConnections();
    listening?.close();
  }
});

const post = (body: string, key = 'internal'): Promise<Response> =>
  fetch(`${addressOf(server)}/text-turns`, { method: 'POST', headers: { 'x-internal-key': key }, body });

/** The events of the answer, as the contract reads them. */
const ask = async (...said: readonly (readonly ['user' | 'agent', string])[]) => {
  const turns = said.map(([role, text], seq) => ({ seq, role, text, startMs: seq }));
  const text = await (await post(JSON.stringify(TextTurnRequest.parse({ context, turns })))).text();
  return [...text.matchAll(/event: (\w+)\ndata: (.*)\n\n/g)].map(([, name = '', data = '']) => {
    const event = Object.entries(textTurnEvents).find(([known]) => known === name);
    return [name, event?.[1].parse(JSON.parse(data))] as const;
  });
};

const turnsIn = (events: Awaited<ReturnType<typeof ask>>) =>
  events.flatMap(([name, data]) => (name === 'turn' ? [Object(data).turn] : []));

it('asks for what a tool needs, and runs the tool when the next message brings it', async () => {
  const asking = turnsIn(await ask(['user', 'Can you find my order?']));
  expect(asking).toMatchObject([{ role: 'agent', text: 'Could you tell me the order?' }]);
  expect(ran).toEqual([]);
  const answered = turnsIn(
    await ask(
      ['user', 'Can you find my order?'],
      ['agent', 'Could you tell me the order?'],
      ['user', 'It is A-1001.'],
    ),
  );
  expect(answered).toMatchObject([
    { role: 'tool', toolCall: { name: 'find_order', arguments: { order: 'A-1001' }, status: 'ok' } },
    { role: 'agent', text: expect.stringContaining('sent') },
  ]);
  expect(ran).toEqual([
    ['/runtime/calls/call-1/tools/find_order', { order: 'A-1001' }, 'Bearer token-of-the-call'],
  ]);
});

it('says in parts what its turn says as a whole, and ends after a farewell', async () => {
  const events = await ask(['user', 'Goodbye']);
  const words = events.flatMap(([name, data]) => (name === 'text' ? [Object(data).delta] : []));
  expect(turnsIn(events)).toMatchObject([{ role: 'agent', text: words.join(''), model: null }]);
  expect(events.at(-1)).toEqual(['end', { reason: 'agent_hangup' }]);
});

it('logs which brain answers, and the model that the agent wants', async () => {
  logged.length = 0;
  await ask(['user', 'Goodbye']);
  expect(logged).toContainEqual(
    expect.objectContaining({
      brain: 'rules',
      model: null,
      llmModel: found.config.llmModel,
      callId: 'call-1',
    }),
  );
});

it('refuses a wrong key, a body that is no text turn, and unknown paths', async () => {
  expect((await post('{}', 'wrong')).status).toBe(401);
  expect((await post('{')).status).toBe(400);
  expect((await post('{"turns":[]}')).status).toBe(400);
  expect((await fetch(`${addressOf(server)}/other`)).status).toBe(404);
});

it('answers 429 when it has enough to do, and its health all the same', async () => {
  let open: () => void = () => undefined;
  opened = new Promise((resolve) => {
    open = resolve;
  });
  const turns = [{ seq: 0, role: 'user', text: 'Goodbye', startMs: 0 }];
  const body = JSON.stringify({ context, turns });
  const waiting = [post(body), post(body)];
  // The head of an answer is sent when it has begun.
  const begun = await Promise.all(waiting);
  const refused = await post(body);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
  const health = await fetch(`${addressOf(server)}/health`);
  expect(await health.json()).toEqual({ status: 'ok', answering: 2 });
  open();
  for (const response of begun) expect(await response.text()).toContain('event: end');
});
