import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract } from '@parlance/contracts';
import { type Asked, serveOperation, testEngines } from '@parlance/fixtures';
import { type Fixture, startFixture } from '../testing/fixture.js';
import { type Reply, type Send, sampleAgent } from '../testing/test-gateway.js';

let fixture: Fixture;
let key: { readonly 'x-api-key': string };
let created: { readonly asked: Asked[] };

const agent = { name: 'Front desk', isActive: true, templateId: null };
const json = { 'content-type': 'application/json' };

beforeAll(async () => {
  fixture = await startFixture(await testEngines({ postgres: true, nats: true }));
  key = { 'x-api-key': (await fixture.gateway.createKey(fixture.person)).key };
  created = await serveOperation(fixture.nats, contract.agentsCreate, () => ({ data: sampleAgent }));
  await serveOperation(fixture.nats, contract.agentsList, () => ({ data: [sampleAgent] }));
});

afterAll(() => fixture?.stop());

const send = (path: string, options: Send = {}): Promise<Reply> =>
  fixture.gateway.send(path, { ...options, headers: { ...key, ...options.headers } });
const create = (options: Send): Promise<Reply> => send('/agents', { method: 'POST', ...options });
const said = ({ status, body }: Reply): unknown => [status, body.error?.code];
const paths = ({ body }: Reply): unknown =>
  body.error.details.issues.map(({ path }: { path: string }) => path);

describe('a body', () => {
  it.each([
    ['broken JSON', '{"name":', 400, 'MALFORMED_JSON'],
    ['an array', '[]', 400, 'VALIDATION_ERROR'],
    ['null', 'null', 400, 'VALIDATION_ERROR'],
    ['a string', '"agent"', 400, 'VALIDATION_ERROR'],
    ['5,000 levels', '{"a":'.repeat(5_000), 400, 'JSON_TOO_DEEP'],
    ['2 MiB', JSON.stringify({ ...agent, name: 'x'.repeat(2 * 1024 * 1024) }), 413, 'PAYLOAD_TOO_LARGE'],
    [
      '__proto__',
      '{"name":"Front desk","isActive":true,"templateId":null,"__proto__":{}}',
      400,
      'VALIDATION_ERROR',
    ],
    ['U+0000', '{"name":"a\\u0000b","isActive":true,"templateId":null}', 400, 'VALIDATION_ERROR'],
    ['a lone surrogate', '{"name":"ab\\ud800","isActive":true,"templateId":null}', 400, 'VALIDATION_ERROR'],
    [
      'a template that is neither slug nor uuid',
      JSON.stringify({ ...agent, templateId: 'casino' }),
      400,
      'VALIDATION_ERROR',
    ],
    ['an unknown key', JSON.stringify({ ...agent, organizationId: 'mine' }), 400, 'VALIDATION_ERROR'],
    ['nothing', undefined, 400, 'VALIDATION_ERROR'],
  ])('with %s is refused, and the service never hears of it', async (_, raw, status, code) => {
    const before = created.asked.length;
    const reply = await create({ headers: json, ...(raw === undefined ? {} : { raw }) });
    expect(said(reply)).toEqual([status, code]);
    expect(reply.body).toMatchObject({ success: false, message: expect.any(String) });
    expect(created.asked).toHaveLength(before);
  });

  it.each([
    ['text/plain', {}],
    ['application/x-www-form-urlencoded', {}],
    ['application/json; charset=utf-16', {}],
    ['application/json', { 'content-encoding': 'gzip' }],
  ])('of type %s is not what we read', async (type, headers) => {
    const reply = await create({ headers: { 'content-type': type, ...headers }, raw: JSON.stringify(agent) });
    expect(said(reply)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('may be as large as its operation says, and no larger', async () => {
    const ofSize = (bytes: number): string => JSON.stringify({ pad: 'x'.repeat(bytes) });
    const path = `/agents/${sampleAgent.id}/config`;
    const save = (bytes: number): Promise<Reply> =>
      send(path, { method: 'POST', headers: json, raw: ofSize(bytes) });
    expect((await save(900_000)).status).toBe(400);
    expect((await save(1_100_000)).status).toBe(413);
    expect((await create({ headers: json, raw: ofSize(300_000) })).status).toBe(413);
  });

  it('is read as UTF-8 with any spelling of the type', async () => {
    const type = 'Application/JSON; Charset="UTF-8"';
    const reply = await create({
      headers: { 'content-type': type },
      raw: JSON.stringify({ ...agent, name: 'Žižkov 😀' }),
    });
    expect(reply.status).toBe(201);
    expect(created.asked.at(-1)?.input.body).toMatchObject({ name: 'Žižkov 😀' });
  });
});

describe('an address', () => {
  it('names what is wrong with its parameters and its query', async () => {
    expect(paths(await send('/agents/not-a-uuid/config'))).toEqual(['params.agentId']);
    expect(paths(await send('/calls?limit=1&limit=2'))).toEqual(['query.limit']);
    expect(paths(await send('/calls?limit=0x10&page=2'))).toEqual(
      expect.arrayContaining(['query.limit', 'query.page']),
    );
    expect(paths(await send('/agents?page=2'))).toEqual(['query.page']);
    expect(paths(await send('/calls?cursor=a%00b'))).toEqual(['query.cursor']);
  });

  it('with broken percent-encoding is refused, not crashed on', async () => {
    expect(said(await send('/calls/%E0%A4%A'))).toEqual([400, 'VALIDATION_ERROR']);
    expect(said(await send('/calls/%00'))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('tells a fixed segment from a parameter', async () => {
    const live = await serveOperation(fixture.nats, contract.callsLive, () => ({ data: [] }));
    const reply = await send('/calls/live');
    expect(reply.body).toEqual({ success: true, message: contract.callsLive.message, data: [] });
    expect(live.asked).toHaveLength(1);
  });

  it.each(['/nothing', '/agents/', '/Agents', '/agents//x', '/../health', '/agents/a/b/c/d'])(
    'that does not exist is 404: %s',
    async (path) => {
      expect(said(await fixture.gateway.raw(`/api/v1${path}`, { headers: key }))).toEqual([404, 'NOT_FOUND']);
    },
  );

  it('answers other methods with those it has', async () => {
    const reply = await send('/agents', { method: 'PUT' });
    expect(said(reply)).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(reply.headers.get('allow')?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST']);
    expect(said(await send('/outbound-calls/quick'))).toEqual([405, 'METHOD_NOT_ALLOWED']);
  });

  it('answers HEAD like GET, without the body', async () => {
    const reply = await send('/agents', { method: 'HEAD' });
    expect([reply.status, reply.body]).toEqual([200, '']);
  });
});

describe('headers', () => {
  it.each(['text/html', 'image/*'])('that accept only %s are told what there is', async (accept) => {
    expect(said(await send('/agents', { headers: { accept } }))).toEqual([406, 'NOT_ACCEPTABLE']);
  });

  it.each(['*/*', 'application/*', 'text/html, application/json;q=0.9'])(
    'that accept %s are served',
    async (accept) => {
      expect((await send('/agents', { headers: { accept } })).status).toBe(200);
    },
  );

  it('keep a sane request id and replace any other', async () => {
    const id = async (given: string) =>
      (await send('/agents', { headers: { 'x-request-id': given } })).headers.get('x-request-id');
    expect(await id('ticket-4711')).toBe('ticket-4711');
    expect(await id('a b')).toMatch(/^[0-9a-f]{16}-[0-9a-z]+$/);
    expect(await id('x'.repeat(500))).toMatch(/^[0-9a-f]{16}-[0-9a-z]+$/);
  });

  it('larger than 16 KiB are 431', async () => {
    const { port } = new URL(fixture.gateway.gateway.url);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.write(`GET /api/v1/health HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`),
      );
      socket.once('data', (data) => resolve(data.toString()));
      socket.once('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });
});

describe('an answer', () => {
  it('is stripped to its schema', async () => {
    const service = await serveOperation(fixture.nats, contract.agentsVoiceCatalog, () => ({
      data: { secret: 1 },
    }));
    expect(said(await send('/agents/voice/catalog'))).toEqual([500, 'INTERNAL_ERROR']);
    service.stop();
    const withExtra = await serveOperation(fixture.nats, contract.agentsUpdate, () => ({
      data: { ...sampleAgent, internalNote: 'canary' },
    }));
    const reply = await send(`/agents/${sampleAgent.id}`, { method: 'PATCH', body: { name: 'New name' } });
    expect(reply.body.data).toEqual(sampleAgent);
    withExtra.stop();
  });

  it('passes on the code, the details and the wait of a service, and never more', async () => {
    const error = {
      code: 'AGENT_IN_USE' as const,
      message: 'canary of a service',
      details: { live: 2 },
      retryAfterSeconds: 7,
    };
    await serveOperation(fixture.nats, contract.agentsDelete, () => ({ error }));
    const reply = await send(`/agents/${sampleAgent.id}`, { method: 'DELETE' });
    expect(said(reply)).toEqual([409, 'AGENT_IN_USE']);
    expect(reply.body.error.details).toEqual({ live: 2 });
    expect(reply.headers.get('retry-after')).toBe('7');
    expect(JSON.stringify(reply.body)).not.toContain('canary');
  });

  it('leaves data out where an operation only says that it is done, and carries a cursor where there is more', async () => {
    await serveOperation(fixture.nats, contract.callsDelete, () => ({ data: undefined }));
    const deleted = await send('/calls/call-1', { method: 'DELETE' });
    expect(deleted.body).toEqual({ success: true, message: contract.callsDelete.message });
    await serveOperation(fixture.nats, contract.callsList, () => ({ data: [], nextCursor: 'more' }));
    expect((await send('/calls')).body).toMatchObject({ data: [], nextCursor: 'more' });
  });
});
