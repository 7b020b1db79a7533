import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract } from '@parlance/contracts';
import { serveOperation, testEngines } from '@parlance/fixtures';
import { type Fixture, startFixture } from '../testing/fixture.js';
import { type Person, type Reply, sampleAgent, type TestGateway } from '../testing/test-gateway.js';

let fixture: Fixture;
let gateway: TestGateway;
let person: Person;

const consoleOrigin = 'https://console.example.com';
const agent = { name: 'Front desk', isActive: true, templateId: null };

beforeAll(async () => {
  fixture = await startFixture(await testEngines({ postgres: true, nats: true }), {
    CONSOLE_ORIGINS: consoleOrigin,
  });
  ({ gateway, person } = fixture);
  await serveOperation(fixture.nats, contract.agentsList, () => ({ data: [] }));
  await serveOperation(fixture.nats, contract.agentsCreate, () => ({ data: sampleAgent }));
});

afterAll(() => fixture?.stop());

const corsHeaders = ({ headers }: Reply): string[] =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));

const hostile = [
  'https://evil.example',
  'null',
  'http://console.example.com',
  'https://console.example.com:8443',
  'https://console.example.com.evil.example',
  'https://xconsole.example.com',
  'https://CONSOLE.example.com',
  'https://console.example.com/',
  '*',
];

describe('other origins', () => {
  it('that are configured may call with credentials', async () => {
    const headers = { origin: consoleOrigin, cookie: person.session.cookie ?? '' };
    const preflight = await gateway.send('/agents', {
      method: 'OPTIONS',
      headers: { origin: consoleOrigin, 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    const reply = await gateway.send('/agents', { method: 'POST', headers, body: agent });
    expect(reply.status).toBe(201);
    for (const { headers: answered } of [preflight, reply]) {
      expect(answered.get('access-control-allow-origin')).toBe(consoleOrigin);
      expect(answered.get('access-control-allow-credentials')).toBe('true');
      expect(answered.get('vary')).toContain('Origin');
    }
  });

  it.each(hostile)('get no CORS header: %s', async (origin) => {
    const preflight = await gateway.send('/agents', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    expect(corsHeaders(preflight)).toEqual([]);
    expect(corsHeaders(await gateway.send('/agents', { headers: { ...person.session, origin } }))).toEqual(
      [],
    );
  });

  it.each([...hostile, undefined])('cannot change anything with the cookie: %s', async (origin) => {
    const headers = { cookie: person.session.cookie ?? '', ...(origin === undefined ? {} : { origin }) };
    const json = await gateway.send('/agents', { method: 'POST', headers, body: agent });
    expect([json.status, json.body.error.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED']);
    const form = await gateway.send('/agents', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      raw: 'name=x',
    });
    expect(form.status).toBe(403);
    const organization = await gateway.send('/auth/organization/create', {
      method: 'POST',
      headers,
      body: { name: 'Mine', slug: 'mine' },
    });
    expect(organization.status).toBe(403);
  });

  it('do not matter to API keys, which no browser sends by itself', async () => {
    const { key } = await gateway.createKey(person);
    const headers = { 'x-api-key': key, origin: 'https://evil.example' };
    expect((await gateway.send('/agents', { method: 'POST', headers, body: agent })).status).toBe(201);
  });

  it('cannot sign anybody in', async () => {
    const reply = await gateway.send('/auth/sign-in/email', {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body: { email: person.email, password: person.password },
    });
    expect(reply.status).toBe(403);
  });
});

describe('a page of ours', () => {
  it('is recognised by its origin, or by the word of the browser', async () => {
    const cookie = person.session.cookie ?? '';
    const port = new URL(gateway.gateway.url).port;
    const own = [`http://127.0.0.1:${port}`, `http://localhost:${port}`];
    for (const headers of [
      ...own.map((origin) => ({ cookie, origin })),
      { cookie, 'sec-fetch-site': 'same-origin' },
    ]) {
      expect((await gateway.send('/agents', { method: 'POST', headers, body: agent })).status).toBe(201);
    }
  });

  it('gets a session cookie that scripts cannot read and other sites do not send', async () => {
    const reply = await gateway.send('/auth/sign-in/email', {
      method: 'POST',
      headers: { origin: gateway.gateway.url },
      body: { email: person.email, password: person.password },
    });
    const [cookie = ''] = reply.headers.getSetCookie();
    expect(cookie).toMatch(/^parlance\.session_token=/);
    expect(cookie).toContain('HttpOnly');
    expect(cookie).toContain('SameSite=Lax');
  });
});

describe('/auth', () => {
  it.each([
    ['broken JSON', '{"email":', 'application/json', 400, 'MALFORMED_JSON'],
    ['a form', 'email=a', 'application/x-www-form-urlencoded', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['too much', `"${'x'.repeat(70_000)}"`, 'application/json', 413, 'PAYLOAD_TOO_LARGE'],
    ['__proto__', '{"__proto__":{}}', 'application/json', 400, 'VALIDATION_ERROR'],
  ])('refuses %s', async (_, raw, type, status, code) => {
    const headers = { 'content-type': type };
    const reply = await gateway.send('/auth/sign-in/email', { method: 'POST', headers, raw });
    expect([reply.status, reply.body.error.code]).toEqual([status, code]);
  });

  it.each(['[]', 'null', '{}', '"x"'])('answers 400 to %s', async (raw) => {
    const headers = { 'content-type': 'application/json' };
    expect((await gateway.send('/auth/sign-up/email', { method: 'POST', headers, raw })).status).toBe(400);
  });

  it('answers 401 to strangers and 404 to what it does not have, as JSON', async () => {
    expect((await gateway.send('/auth/organization/list')).status).toBe(401);
    const unknown = await gateway.send('/auth/nothing');
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'NOT_FOUND']);
    expect((await gateway.send('/auth/error')).status).toBe(404);
    expect((await gateway.send('/auth/api-key/verify', { method: 'POST', body: { key: 'x' } })).status).toBe(
      404,
    );
    expect((await gateway.send('/auth/sign-in/email', { method: 'PUT' })).status).toBe(405);
  });

  it('does not take a session for a key', async () => {
    const { key } = await gateway.createKey(person);
    const reply = await gateway.send('/auth/get-session', { headers: { 'x-api-key': key } });
    expect([reply.status, reply.body]).toEqual([200, null]);
  });
});

describe('pages', () => {
  it('say what this is and where the documentation is', async () => {
    const reply = await gateway.raw('/');
    expect(reply.status).toBe(200);
    expect(reply.body).toContain('/api/v1/docs/');
    expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(reply.headers.get('x-frame-options')).toBe('DENY');
  });

  it('show the documentation with nothing from elsewhere', async () => {
    const redirect = await gateway.send('/docs');
    expect([redirect.status, redirect.headers.get('location')]).toEqual([301, '/api/v1/docs/']);
    const page = await gateway.send('/docs/');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(page.body).not.toMatch(/(src|href)=["']https?:/);
    expect(page.body).not.toMatch(/<script>[^<]/);
    for (const asset of ['swagger-ui-bundle.js', 'swagger-ui.css', 'swagger-ui-init.js']) {
      const reply = await gateway.send(`/docs/${asset}`);
      expect([asset, reply.status]).toEqual([asset, 200]);
      if (asset.endsWith('init.js')) expect(reply.body).toContain('/api/v1/docs.json');
    }
    const document = await gateway.send('/docs.json');
    expect([document.status, document.body.openapi]).toEqual([200, '3.1.0']);
  });

  it('do not say what serves them', async () => {
    for (const path of ['/', '/api/v1/health', '/nothing']) {
      const { headers } = await gateway.raw(path);
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });
});

describe('GET /health and GET /ready', () => {
  it('need no credentials', async () => {
    const health = await gateway.send('/health');
    expect(health.body.data).toMatchObject({ status: 'ok', service: 'gateway', apiVersion: '2026-07' });
    expect((await gateway.send('/ready')).body.data).toMatchObject({
      status: 'ready',
      checks: { readModel: { status: 'up', required: true }, queue: { status: 'up', required: true } },
    });
  });
});
