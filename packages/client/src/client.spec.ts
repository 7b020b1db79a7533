import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ApiError,
  type Client,
  type ClientOptions,
  createClient,
  everyRecord,
  isApiError,
  request,
} from './index.js';
import { type Reply, ScriptedServer } from './testing/scripted-server.js';

const id = '018f0000-0000-7000-8000-000000000001';
const agent = { name: 'Front desk', isActive: true, templateId: null };
let server: ScriptedServer;

beforeAll(async () => {
  server = await ScriptedServer.start();
});
afterAll(() => server.stop());
beforeEach(() => server.reset());

const clientWith = (options: Partial<ClientOptions> = {}): Client =>
  createClient({ baseUrl: server.baseUrl, apiKey: 'k', retries: 0, ...options });
const refusal = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('the client', () => {
  it('sends method, path, body and key of the row, and gives back the envelope', async () => {
    server.replies.push({ status: 201, body: { success: true, message: 'Agent created', data: { id } } });
    const answer = await clientWith().agents.create({ body: agent });
    expect(answer).toMatchObject({
      data: { id },
      message: 'Agent created',
      status: 201,
      requestId: 'req-1',
      replayed: false,
    });
    expect(server.seen[0]).toMatchObject({
      method: 'POST',
      url: '/api/v1/agents',
      body: JSON.stringify(agent),
    });
    expect(server.seen[0]?.headers).toMatchObject({ 'x-api-key': 'k', 'content-type': 'application/json' });
  });

  it('encodes path parameters, so that no value can reach another path', async () => {
    await clientWith().internal.numberConfig({ params: { phoneNumber: '+14155550100' } });
    await clientWith().calls.get({ params: { callId: '../agents?x=1' } });
    expect(server.seen.map(({ url }) => url)).toEqual([
      '/api/v1/agents/number-config/%2B14155550100',
      '/api/v1/calls/..%2Fagents%3Fx%3D1',
    ]);
  });

  it('refuses to send an empty path parameter, which would be another operation', async () => {
    const error = await refusal(clientWith().calls.get({ params: { callId: '' } }));
    expect(error).toBeInstanceOf(TypeError);
    expect(server.seen).toEqual([]);
  });

  it('takes numbers in a query and leaves out what is undefined', async () => {
    await clientWith().calls.list({ query: { limit: 5, status: 'busy', cursor: undefined } });
    expect(server.seen[0]?.url).toBe('/api/v1/calls?limit=5&status=busy');
  });

  it('sends no body and no content type where an operation has no body', async () => {
    await clientWith().agents.delete({ params: { agentId: id } });
    expect(server.seen[0]?.body).toBe('');
    expect(server.seen[0]?.headers).not.toHaveProperty('content-type');
  });

  it('passes on an Idempotency-Key and tells a replayed answer', async () => {
    server.replies.push({
      headers: { 'idempotent-replayed': 'true' },
      body: { success: true, message: 'ok', data: {} },
    });
    const answer = await clientWith().agents.create({ body: agent }, { idempotencyKey: 'once' });
    expect(server.seen[0]?.headers['idempotency-key']).toBe('once');
    expect(answer.replayed).toBe(true);
  });

  it('sends a cookie together with its origin, and then no key', async () => {
    server.replies.push({ body: { success: true, message: 'ok', data: [] } });
    await createClient({ baseUrl: server.baseUrl, cookie: 'session=1' }).agents.list();
    expect(server.seen[0]?.headers).toMatchObject({
      cookie: 'session=1',
      origin: new URL(server.baseUrl).origin,
    });
    expect(server.seen[0]?.headers).not.toHaveProperty('x-api-key');
  });
});

describe('a refusal', () => {
  it('becomes an ApiError with code, status, details, request id and when to come back', async () => {
    server.replies.push({
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
    server.replies.push({ status, body: '<html>Bad gateway</html>' });
    expect(await refusal(clientWith().agents.list())).toMatchObject({ code, status });
  });

  it('is also a page that somebody in between answered with 200', async () => {
    server.replies.push({ body: '<html>Sign in to the hotel network</html>' });
    expect(await refusal(clientWith().agents.list())).toBeInstanceOf(ApiError);
  });

  it('comes within the time limit when nobody answers', async () => {
    const never: typeof fetch = (_url, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
    const error = await refusal(clientWith({ fetch: never, timeoutMs: 20 }).agents.list());
    expect(error).toMatchObject({ name: 'TimeoutError' });
  });
});

describe('an error by its code', () => {
  it('is told from others, and has details of a known shape', async () => {
    const issues = [{ path: 'body.name', code: 'too_small', message: 'Too small' }];
    server.replies.push({
      ...{ status: 400 },
      body: {
        success: false,
        message: 'No.',
        error: { code: 'VALIDATION_ERROR', requestId: 'r', details: { issues } },
      },
    });
    const error = await refusal(clientWith().agents.create({ body: agent }));
    expect([isApiError(error), isApiError(error, 'NAME_TAKEN'), isApiError(new Error('other'))]).toEqual([
      true,
      false,
      false,
    ]);
    if (!isApiError(error, 'NAME_TAKEN', 'VALIDATION_ERROR')) throw new Error('another error was expected');
    if (error.code === 'NAME_TAKEN') throw new Error('another code was expected');
    const paths: string[] | undefined = isApiError(error, 'VALIDATION_ERROR')
      ? error.details?.issues.map(({ path }) => path)
      : undefined;
    expect(paths).toEqual(['body.name']);
  });

  it('may be one that only a newer platform has', async () => {
    server.replies.push({
      ...{ status: 409 },
      body: {
        success: false,
        message: 'New.',
        error: { code: 'BRAND_NEW', requestId: 'r', retryable: true },
      },
    });
    const error = await refusal(clientWith().agents.list());
    expect(error).toMatchObject({ code: 'BRAND_NEW', retryable: true, message: 'New.' });
  });
});

describe('a caller', () => {
  const sentBy = async (options: Partial<ClientOptions>) => {
    let sent: RequestInit | undefined;
    const noting: typeof fetch = async (_url, init) => {
      sent = init;
      return Response.json({ success: true, message: 'ok', data: [] });
    };
    await createClient({ baseUrl: server.baseUrl, fetch: noting, ...options }).agents.list();
    return sent;
  };

  it('is named by a token, by the internal key or by the session of the browser', async () => {
    expect((await sentBy({ bearer: 't' }))?.headers).toMatchObject({ authorization: 'Bearer t' });
    expect((await sentBy({ internalKey: 'i' }))?.headers).toMatchObject({ 'x-internal-key': 'i' });
    expect(await sentBy({ session: true })).toMatchObject({ credentials: 'include' });
    expect(await sentBy({})).not.toHaveProperty('credentials');
  });

  it('gets the session that an answer begins, to go on with', async () => {
    const user = { id: 'u', name: 'Ada', email: 'ada@example.com' };
    server.replies.push({
      headers: { 'set-cookie': ['session=1; Path=/; HttpOnly', 'cache=2; Max-Age=300'] },
      body: { user },
    });
    const answer = await clientWith().auth.signInEmail({ body: { email: 'ada@example.com', password: 'p' } });
    expect(answer).toMatchObject({ data: { user }, cookie: 'session=1; cache=2', status: 200 });
  });
});

describe('an operation by its name', () => {
  it('is asked like its method', async () => {
    const options = { baseUrl: server.baseUrl, apiKey: 'k' };
    await request(options, 'calls.get', { params: { callId: id } });
    expect(server.seen[0]).toMatchObject({ method: 'GET', url: `/api/v1/calls/${id}` });
    expect(await refusal(request(options, 'calls.sing'))).toBeInstanceOf(TypeError);
  });
});

describe('everyRecord', () => {
  it('walks all pages in order with the same filters and stops after the last', async () => {
    const page = (records: string[], nextCursor?: string): Reply => ({
      body: { success: true, message: 'ok', data: records.map((callId) => ({ id: callId })), nextCursor },
    });
    server.replies.push(page(['a', 'b'], 'c1'), page([], 'c2'), page(['c']));
    const found: string[] = [];
    for await (const call of everyRecord(clientWith().calls.list, { query: { status: 'busy' } }))
      found.push(call.id);
    expect(found).toEqual(['a', 'b', 'c']);
    expect(server.seen.map(({ url }) => url)).toEqual([
      '/api/v1/calls?status=busy',
      '/api/v1/calls?status=busy&cursor=c1',
      '/api/v1/calls?status=busy&cursor=c2',
    ]);
  });

  it('is also a method of the list', async () => {
    server.replies.push(
      { body: { success: true, message: 'ok', data: [{ id: 'a' }], nextCursor: 'c1' } },
      { body: { success: true, message: 'ok', data: [{ id: 'b' }] } },
      { body: { success: true, message: 'ok', data: [{ id: 'c' }] } },
    );
    const { calls, agents } = clientWith();
    const found: string[] = [];
    for await (const call of calls.list.all({ query: { limit: 1 } })) found.push(call.id);
    for await (const one of agents.list.all()) found.push(one.id);
    expect(found).toEqual(['a', 'b', 'c']);
    expect(server.seen.map(({ url }) => url)).toEqual([
      '/api/v1/calls?limit=1',
      '/api/v1/calls?limit=1&cursor=c1',
      '/api/v1/agents',
    ]);
  });

  it('asks for no page that nobody wants', async () => {
    server.replies.push({ body: { success: true, message: 'ok', data: [{ id: 'a' }], nextCursor: 'c1' } });
    for await (const _ of everyRecord(clientWith().outboundCalls.list, {})) break;
    expect(server.seen).toHaveLength(1);
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
      // a number of a query may be given as such, or as it travels
      await client.calls.list({ query: { limit: 5 } });
      for await (const call of client.calls.list.all({ query: { limit: '5' } })) call.id.trim();
      // @ts-expect-error there is no such status
      await client.calls.list({ query: { status: 'lost' } });
      return version;
    };
    expect(compileOnly).toBeInstanceOf(Function);
  });
});
