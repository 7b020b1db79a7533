import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { operations } from '@parlance/contracts';
import { ApiError, type Client, type ClientOptions, createClient, everyRecord } from './index.js';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}
interface Reply {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body: unknown;
}

const id = '018f0000-0000-7000-8000-000000000001';
const agent = { name: 'Front desk', isActive: true, templateId: null };
let server: Server;
let seen: Seen[];
let replies: Reply[];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method, url, headers } = request;
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
    const reply = replies.shift() ?? { body: { success: true, message: 'ok', data: null } };
    response.writeHead(reply.status ?? 200, { 'x-request-id': 'req-1', ...reply.headers });
    response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
});
beforeEach(() => {
  seen = [];
  replies = [];
});

const baseUrl = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`;
const clientWith = (options: Partial<ClientOptions> = {}): Client =>
  createClient({ baseUrl: baseUrl(), apiKey: 'k', ...options });
const refusal = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('the client', () => {
  it('has a method for every operation of the contract', () => {
    const client = clientWith() as unknown as Record<string, Record<string, unknown>>;
    for (const { id: row } of operations) {
      const [group = '', verb = ''] = row.split('.');
      expect(typeof client[group]?.[verb]).toBe('function');
    }
  });

  it('sends method, path, body and key of the row, and gives back the envelope', async () => {
    replies.push({ status: 201, body: { success: true, message: 'Agent created', data: { id } } });
    const answer = await clientWith().agents.create({ body: agent });
    expect(answer).toMatchObject({
      data: { id },
      message: 'Agent created',
      status: 201,
      requestId: 'req-1',
      replayed: false,
    });
    expect(seen[0]).toMatchObject({ method: 'POST', url: '/api/v1/agents', body: JSON.stringify(agent) });
    expect(seen[0]?.headers).toMatchObject({ 'x-api-key': 'k', 'content-type': 'application/json' });
  });

  it('encodes path parameters, so that no value can reach another path', async () => {
    await clientWith().internal.numberConfig({ params: { phoneNumber: '+14155550100' } });
    await clientWith().calls.get({ params: { callId: '../agents?x=1' } });
    expect(seen.map(({ url }) => url)).toEqual([
      '/api/v1/agents/number-config/%2B14155550100',
      '/api/v1/calls/..%2Fagents%3Fx%3D1',
    ]);
  });

  it('refuses to send an empty path parameter, which would be another operation', async () => {
    const error = await refusal(clientWith().calls.get({ params: { callId: '' } }));
    expect(error).toBeInstanceOf(TypeError);
    expect(seen).toEqual([]);
  });

  it('takes numbers in a query and leaves out what is undefined', async () => {
    await clientWith().calls.list({ query: { limit: 5, status: 'busy', cursor: undefined } });
    expect(seen[0]?.url).toBe('/api/v1/calls?limit=5&status=busy');
  });

  it('sends no body and no content type where an operation has no body', async () => {
    await clientWith().agents.delete({ params: { agentId: id } });
    expect(seen[0]?.body).toBe('');
    expect(seen[0]?.headers).not.toHaveProperty('content-type');
  });

  it('passes on an Idempotency-Key and tells a replayed answer', async () => {
    replies.push({
      headers: { 'idempotent-replayed': 'true' },
      body: { success: true, message: 'ok', data: {} },
    });
    const answer = await clientWith().agents.create({ body: agent }, { idempotencyKey: 'once' });
    expect(seen[0]?.headers['idempotency-key']).toBe('once');
    expect(answer.replayed).toBe(true);
  });

  it('sends a cookie together with its origin, and then no key', async () => {
    await createClient({ baseUrl: baseUrl(), cookie: 'session=1' }).agents.list();
    expect(seen[0]?.headers).toMatchObject({ cookie: 'session=1', origin: new URL(baseUrl()).origin });
    expect(seen[0]?.headers).not.toHaveProperty('x-api-key');
  });
});

describe('a refusal', () => {
  it('becomes an ApiError with code, status, details, request id and when to come back', async () => {
    replies.push({
      status: 503,
      headers: { 'retry-after': '2' },
      body: {
        success: false,
        message: 'Not now.',
        error: { code: 'SERVICE_UNAVAILABLE', requestId: 'r-9', details: { service: 'x' } },
      },
    });
    const error = await refusal(clientWith().agents.list());
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      status: 503,
      details: { service: 'x' },
      requestId: 'r-9',
      retryAfterSeconds: 2,
      retryable: true,
      message: 'Not now.',
    });
  });

  it.each([
    [502, 'INTERNAL_ERROR'],
    [503, 'SERVICE_UNAVAILABLE'],
    [504, 'UPSTREAM_TIMEOUT'],
    [429, 'RATE_LIMITED'],
  ])('of a proxy with status %i keeps the status and reads as %s', async (status, code) => {
    replies.push({ status, body: '<html>Bad gateway</html>' });
    expect(await refusal(clientWith().agents.list())).toMatchObject({ code, status });
  });

  it('is also a page that somebody in between answered with 200', async () => {
    replies.push({ body: '<html>Sign in to the hotel network</html>' });
    expect(await refusal(clientWith().agents.list())).toBeInstanceOf(ApiError);
  });

  it('comes within the time limit when nobody answers', async () => {
    const never: typeof fetch = (_url, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
    const error = await refusal(clientWith({ fetch: never, timeoutMs: 20 }).agents.list());
    expect(error).toMatchObject({ name: 'TimeoutError' });
  });
});

describe('everyRecord', () => {
  it('walks all pages in order with the same filters and stops after the last', async () => {
    const page = (records: string[], nextCursor?: string): Reply => ({
      body: { success: true, message: 'ok', data: records.map((callId) => ({ id: callId })), nextCursor },
    });
    replies.push(page(['a', 'b'], 'c1'), page([], 'c2'), page(['c']));
    const found: string[] = [];
    for await (const call of everyRecord(clientWith().calls.list, { query: { status: 'busy' } }))
      found.push(call.id);
    expect(found).toEqual(['a', 'b', 'c']);
    expect(seen.map(({ url }) => url)).toEqual([
      '/api/v1/calls?status=busy',
      '/api/v1/calls?status=busy&cursor=c1',
      '/api/v1/calls?status=busy&cursor=c2',
    ]);
  });

  it('asks for no page that nobody wants', async () => {
    replies.push({ body: { success: true, message: 'ok', data: [{ id: 'a' }], nextCursor: 'c1' } });
    for await (const _ of everyRecord(clientWith().outboundCalls.list, {})) break;
    expect(seen).toHaveLength(1);
  });
});

describe('the types', () => {
  it('know what each operation takes and gives', async () => {
    const client = clientWith();
    const compileOnly = async () => {
      const { data } = await client.agents.saveConfig({
        params: { agentId: id },
        body: {
          agent_language: 'en',
          firstMessage: '',
          systemPrompt: '',
          sttModel: '',
          llmModel: '',
          ttsModel: '',
          voiceId: '',
        },
      });
      const version: number = data.version;
      // @ts-expect-error a name is required
      await client.agents.create({ body: { isActive: true, templateId: null } });
      // @ts-expect-error path parameters are required
      await client.agents.getConfig();
      // @ts-expect-error there is no such status
      await client.calls.list({ query: { status: 'lost' } });
      return version;
    };
    expect(compileOnly).toBeInstanceOf(Function);
  });
});
