// The client against a platform that fails in the ways that the protocol names. The client repeats harmless requests, and
// never the run of a tool.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { callContext } from '@parlance/contracts';
import { runtimeConfig } from '@parlance/fake-livekit/testing';
import { sealModelKey } from '@parlance/models';
import { CallSession } from './call-session.js';
import { modelsOfCall } from './organization-models.js';
import { Platform } from './platform.js';

interface Received {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const found = runtimeConfig();
const rejected = {
  outcome: 'rejected',
  at: '2026-03-01T10:00:00.000Z',
  durationMs: 5,
  statusCode: 200,
  error: null,
  ignored: [],
  action: 'reject',
  dynamicVariables: {},
  metadata: {},
};
const context = callContext({
  callId: 'call-1',
  organizationId: 'org',
  agentId: found.agent.id,
  channel: 'preview',
  direction: 'inbound',
  dynamicVariables: { name: 'Ada' },
});

let server: Server;
let requests: Received[];
/** The answers to come: a status and the data. The last one is given again and again. */
let answers: (readonly [number, unknown])[];
let address: string;
beforeEach(async () => {
  requests = [];
  server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const { method = '', headers } = request;
    requests.push({ method, headers, body, url: new URL(request.url ?? '', 'http://platform') });
    const [status, data] = (answers.length > 1 ? answers.shift() : answers[0]) ?? [500, null];
    response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' });
    response.end(JSON.stringify({ success: status < 300, data }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const platform = () => new Platform({ url: address, internalKey: 'internal' });
const session = () =>
  new CallSession('call-1', { baseUrl: `${address}/api/v1`, callToken: 'token-of-the-call' });

it('requests the configuration of a call with the internal key, again after 503 and 429', async () => {
  answers = [
    [503, null],
    [429, null],
    [200, found],
  ];
  expect(await platform().configuration(context)).toMatchObject({ agent: { id: found.agent.id } });
  expect(requests).toHaveLength(3);
  const { url, headers } = requests[2] ?? {};
  expect(url?.pathname).toBe(`/api/v1/agents/internal-config/${found.agent.id}`);
  expect(url?.searchParams.get('callId')).toBe('call-1');
  expect(JSON.parse(url?.searchParams.get('dynamicVariables') ?? '')).toEqual({ name: 'Ada' });
  expect(headers?.['x-internal-key']).toBe('internal');
});

it.each([
  ['the agent is inactive', 409, null],
  ['the initiation webhook turns the call down', 200, { ...found, initiation: rejected }],
] as const)('has nothing to run when %s, and does not repeat the request', async (_, status, data) => {
  answers = [[status, data]];
  expect(await platform().configuration(context)).toBeUndefined();
  expect(requests).toHaveLength(1);
});

it('hands a call over until it is answered, each time with the same event', async () => {
  answers = [
    [503, null],
    [201, { callId: 'call-1' }],
  ];
  await platform().handOver({ eventId: 'event-1' });
  expect(requests.map(({ body }) => body)).toEqual(['{"eventId":"event-1"}', '{"eventId":"event-1"}']);
  answers = [[422, null]];
  await expect(platform().handOver({ eventId: 'event-1' })).rejects.toThrow('422');
});

it('hands a call over to a platform that does not know that people opt out', async () => {
  answers = [
    [400, null],
    [201, { callId: 'call-1' }],
  ];
  await platform().handOver({ eventId: 'event-1', optedOut: true });
  expect(requests.map(({ body }) => body)).toEqual([
    '{"eventId":"event-1","optedOut":true}',
    '{"eventId":"event-1"}',
  ]);
});

it('runs a tool once, whatever the answer, with the token of the call alone', async () => {
  answers = [[503, null]];
  await expect(session().runTool('order status', { orderId: 'A-1' })).rejects.toThrow('503');
  expect(requests).toHaveLength(1);
  expect(requests[0]?.url.pathname).toBe('/api/v1/runtime/calls/call-1/tools/order%20status');
  expect(requests[0]?.headers.authorization).toBe('Bearer token-of-the-call');
  expect(requests[0]?.headers['x-internal-key']).toBeUndefined();
});

it('sends nothing for a call without a token', async () => {
  answers = [[200, []]];
  const without = new CallSession('call-1', { baseUrl: `${address}/api/v1`, callToken: null });
  await expect(without.searchKnowledge('refund')).rejects.toThrow('no token');
  expect(requests).toEqual([]);
});

it('reports that the answer is no configuration, and does not run with a part of one', async () => {
  answers = [[200, { ...found, config: { ...found.config, firstMessage: undefined } }]];
  await expect(platform().configuration(context)).rejects.toThrow('firstMessage');
});

it('stops asking when the signal aborts', async () => {
  answers = [[503, null]];
  const gone = new AbortController();
  const configuration = platform().configuration(context, gone.signal);
  gone.abort();
  await expect(configuration).rejects.toThrow();
  expect(requests.length).toBeLessThanOrEqual(1);
});

describe('the models of the organization', () => {
  const own = {
    id: 'custom/llama',
    kind: 'llm',
    baseUrl: 'https://models.example/v1',
    model: 'llama',
    firstChunkMs: null,
    fallbacks: [],
  };
  const withOwn = {
    ...runtimeConfig({ llmModel: own.id }),
    runtime: { ...found.runtime, callToken: 'token-of-the-call' },
  };
  /** Answers as the platform does: with a key sealed for the public key of the request. */
  const answerSealed = (callId = 'call-1') => {
    answers = [[200, undefined]];
    server.removeAllListeners('request');
    server.on('request', async (request, response) => {
      let body = '';
      for await (const part of request) body += part;
      requests.push({
        method: request.method ?? '',
        headers: request.headers,
        body,
        url: new URL(request.url ?? '', 'http://platform'),
      });
      const { publicKey } = JSON.parse(body) as { publicKey: string };
      const sealedKey = sealModelKey(publicKey, new Secret('sk-own-key'), { ...own, callId });
      response.end(JSON.stringify({ success: true, data: [{ ...own, sealedKey, isUsable: true }] }));
    });
  };
  const failures: unknown[] = [];
  const modelsOf = (config = withOwn) =>
    modelsOfCall(platform(), context, config, { onFailure: (error) => failures.push(error) });
  beforeEach(() => failures.splice(0));

  it('are requested with both credentials and a public key of the request alone', async () => {
    answerSealed();
    const [{ models, secrets }] = [await modelsOf(), await modelsOf()];
    expect(models?.models.map(({ id, apiKey }) => [id, apiKey?.reveal()])).toEqual([
      ['custom/llama', 'sk-own-key'],
    ]);
    expect(secrets).toEqual(['sk-own-key']);
    expect(requests[0]?.url.pathname).toBe('/api/v1/runtime/calls/call-1/models');
    expect(requests[0]?.headers).toMatchObject({
      authorization: 'Bearer token-of-the-call',
      'x-internal-key': 'internal',
    });
    expect(requests[0]?.body).not.toBe(requests[1]?.body);
  });

  it('are not usable with a key that was sealed for another call', async () => {
    answerSealed('call-2');
    expect((await modelsOf()).models?.models).toMatchObject([{ id: 'custom/llama', isUsable: false }]);
  });

  it('are not requested for a configuration without any, nor without a token', async () => {
    const without = { ...withOwn, runtime: { ...withOwn.runtime, callToken: null } };
    expect(await modelsOf({ ...runtimeConfig(), runtime: withOwn.runtime })).toMatchObject({ secrets: [] });
    expect((await modelsOf(without)).models).toBeUndefined();
    expect(requests).toEqual([]);
  });

  it('are left out where the platform does not know the path, refuses, or answers something else', async () => {
    answers = [[404, null]];
    expect((await modelsOf()).models).toBeUndefined();
    expect(failures).toEqual([]);
    for (const answer of [
      [401, null],
      [200, [{ id: 1 }]],
    ] as const) {
      answers = [answer];
      expect((await modelsOf()).models).toBeUndefined();
    }
    expect(failures).toHaveLength(2);
  });
});
