import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract, type Permission } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { type Asked, callerEnvOf, serveOperation, type TestEngines, testEngines } from '@parlance/fixtures';
import { connectNats, RequestVerifier } from '@parlance/rpc';
import type { NatsConnection } from 'nats';
import { internalKey, type Person, sampleAgent, TestGateway } from './test-gateway.js';

let engines: TestEngines;
let nats: NatsConnection;
let gateway: TestGateway;
let owner: Person;
let served: { readonly asked: Asked[] };

const agent = { name: 'Front desk', isActive: true, templateId: null };
const unknownId = '0190a5d2-7f3c-7d41-9a5e-3f1c8b2d6e47';

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  const { url } = await engines.databaseFor('gateway');
  nats = await connectNats({ url: engines.natsUrl, name: 'test' });
  const options = { postgresUrl: url, natsUrl: engines.natsUrl };
  gateway = await TestGateway.start(options);
  owner = await gateway.signUp();
  served = await serveOperation(nats, contract.agentsCreate, () => ({ data: sampleAgent }));
  await serveOperation(nats, contract.agentsList, () => ({ data: [sampleAgent] }));
});

afterAll(async () => {
  await gateway?.stop();
  await nats?.close();
  await engines?.stop();
});

const code = (reply: { readonly body: { error?: { code?: string } } }): string | undefined =>
  reply.body.error?.code;
const withKey = async (...permissions: Permission[]) => {
  const { key } = await gateway.createKey(owner, permissions);
  return { 'x-api-key': key };
};

/** Gives a new person this role in the owner's organization, and makes it their active one. */
const colleague = async (role: string): Promise<Person> => {
  const invited = await gateway.signUp();
  const invitation = await gateway.send('/auth/organization/invite-member', {
    method: 'POST',
    headers: owner.session,
    body: { email: invited.email, role, organizationId: owner.organizationId },
  });
  expect(invitation.status).toBe(200);
  const accepted = await gateway.send('/auth/organization/accept-invitation', {
    method: 'POST',
    headers: invited.session,
    body: { invitationId: invitation.body.id },
  });
  expect(accepted.status).toBe(200);
  const active = await gateway.send('/auth/organization/set-active', {
    method: 'POST',
    headers: invited.session,
    body: { organizationId: owner.organizationId },
  });
  expect(active.status).toBe(200);
  return { ...invited, organizationId: owner.organizationId };
};

describe('an operation of an organization', () => {
  it('answers an API key and a session with the permission, in the envelope', async () => {
    const create = { method: 'POST', body: agent };
    for (const headers of [await withKey('agent:create'), owner.session]) {
      const reply = await gateway.send('/agents', { ...create, headers });
      expect(reply.status).toBe(201);
      expect(reply.body).toEqual({ success: true, message: 'Agent created', data: sampleAgent });
      expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f]{16}-[0-9a-z]+$/);
      expect(reply.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('tells the service who asks, signed', async () => {
    const { id, key } = await gateway.createKey(owner, ['agent:create', 'agent:read']);
    await gateway.send('/agents', {
      method: 'POST',
      headers: { 'x-api-key': key, 'x-request-id': 'my-request-1' },
      body: agent,
    });
    const last = served.asked.at(-1);
    expect(last?.input).toEqual({ params: {}, query: {}, body: agent });
    expect(last?.headers?.get('x-request-id')).toBe('my-request-1');
    if (last === undefined) throw new Error('the service was asked');
    const verifier = new RequestVerifier('agents-config', callerEnvOf('agents-config'));
    const { caller } = await verifier.verify(last.message);
    expect(caller).toEqual({
      organizationId: owner.organizationId,
      actor: { type: 'key', id },
      role: 'key',
      permissions: ['agent:create', 'agent:read'],
    });
  });

  it.each([
    ['no credentials', {}],
    ['a key of another form', { 'x-api-key': 'secret' }],
    ['an unknown key', { 'x-api-key': `parl_live_${'a'.repeat(12)}_${'b'.repeat(43)}` }],
    ['a forged session', { cookie: 'parlance.session_token=abc.def', origin: 'http://127.0.0.1' }],
    ['the internal key', { 'x-internal-key': internalKey }],
  ])('answers 401 to %s, always the same', async (_, headers) => {
    const own = 'origin' in headers ? { ...headers, origin: gateway.gateway.url } : headers;
    const reply = await gateway.send('/agents', { headers: own });
    const { requestId, ...error } = reply.body.error;
    expect([reply.status, error]).toEqual([401, { code: 'UNAUTHENTICATED' }]);
    expect(requestId).toBe(reply.headers.get('x-request-id'));
  });

  it('answers 403 with the permission that is missing', async () => {
    const reply = await gateway.send('/agents', {
      method: 'POST',
      headers: await withKey('agent:read'),
      body: agent,
    });
    expect([reply.status, reply.body.error]).toEqual([
      403,
      expect.objectContaining({ code: 'PERMISSION_DENIED', details: { required: ['agent:create'] } }),
    ]);
  });

  it('lets the key decide when both credentials are sent', async () => {
    const weak = await withKey('callLogs:read');
    expect((await gateway.send('/agents', { headers: { ...owner.session, ...weak } })).status).toBe(403);
    const wrong = { 'x-api-key': 'parl_live_x' };
    expect((await gateway.send('/agents', { headers: { ...owner.session, ...wrong } })).status).toBe(401);
  });

  it('asks the permission before it reads the body', async () => {
    const headers = { ...(await withKey('agent:read')), 'content-type': 'application/json' };
    expect((await gateway.send('/agents', { method: 'POST', headers, raw: '{' })).status).toBe(403);
    expect(
      (await gateway.send('/agents', { method: 'POST', headers: { 'content-type': 'text/plain' }, raw: '{' }))
        .status,
    ).toBe(401);
  });
});

describe('roles', () => {
  it('let a member work and a viewer look', async () => {
    const [member, viewer] = [await colleague('member'), await colleague('viewer')];
    const create = { method: 'POST', body: agent };
    expect((await gateway.send('/agents', { ...create, headers: member.session })).status).toBe(201);
    expect((await gateway.send('/agents', { ...create, headers: viewer.session })).status).toBe(403);
    expect((await gateway.send('/agents', { headers: viewer.session })).status).toBe(200);
  });

  it('take effect at once when they change', async () => {
    const member = await colleague('member');
    expect((await gateway.send('/agents', { headers: member.session })).status).toBe(200);
    const removed = await gateway.send('/auth/organization/remove-member', {
      method: 'POST',
      headers: owner.session,
      body: { memberIdOrEmail: member.email, organizationId: owner.organizationId },
    });
    expect(removed.status).toBe(200);
    expect(code(await gateway.send('/agents', { headers: member.session }))).toBe('NO_ACTIVE_ORGANIZATION');
  });

  it('end with the session', async () => {
    const person = await gateway.signUp();
    expect((await gateway.send('/agents', { headers: person.session })).status).toBe(200);
    const out = await gateway.send('/auth/sign-out', { method: 'POST', headers: person.session });
    expect(out.status).toBe(200);
    expect((await gateway.send('/agents', { headers: person.session })).status).toBe(401);
  });
});

describe('an operation for owners and admins', () => {
  const release = { method: 'DELETE' };
  const path = `/numbers/${unknownId}`;

  it('refuses a key with every permission before anything else', async () => {
    const { key } = await gateway.createKey(owner);
    const reply = await gateway.send('/numbers/not-a-uuid', { ...release, headers: { 'x-api-key': key } });
    expect([reply.status, code(reply)]).toEqual([403, 'OWNER_SESSION_REQUIRED']);
  });

  it('refuses members and strangers, and lets owners and admins through to the service', async () => {
    const [member, admin] = [await colleague('member'), await colleague('admin')];
    expect(code(await gateway.send(path, { ...release, headers: member.session }))).toBe(
      'OWNER_SESSION_REQUIRED',
    );
    expect((await gateway.send(path, release)).status).toBe(401);
    for (const { session } of [admin, owner]) {
      const reply = await gateway.send(path, { ...release, headers: session });
      expect([reply.status, code(reply)]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    }
  });
});

describe('spending money on numbers', () => {
  it('is asked of the service by owners and admins alone, whatever a key or a member may do', async () => {
    const rows = [contract.numbersBuy, contract.numbersAssign, contract.numbersRelease];
    const asked = await Promise.all(
      rows.map((row) => serveOperation(nats, row, () => ({ error: new AppError('NOT_FOUND').toWire() }))),
    );
    const attempts = [
      { path: '/numbers', method: 'POST', body: { provider: 'TWILIO', phoneNumber: '+14155550100' } },
      { path: `/numbers/${unknownId}`, method: 'PATCH', body: { agentId: null } },
      { path: `/numbers/${unknownId}`, method: 'DELETE' },
    ];
    const { key } = await gateway.createKey(owner);
    const [member, viewer] = [await colleague('member'), await colleague('viewer')];
    for (const { path, ...request } of attempts) {
      for (const headers of [{ 'x-api-key': key }, member.session, viewer.session]) {
        const reply = await gateway.send(path, { ...request, headers });
        expect([reply.status, code(reply)]).toEqual([403, 'OWNER_SESSION_REQUIRED']);
      }
      expect((await gateway.send(path, { ...request, headers: owner.session })).status).toBe(404);
    }
    expect(asked.map((served) => served.asked.length)).toEqual([1, 1, 1]);
    for (const served of asked) served.stop();
  });
});

describe('an internal operation', () => {
  const path = `/agents/internal-config/${unknownId}`;

  it('wants the internal key and nothing else', async () => {
    const { key } = await gateway.createKey(owner);
    for (const headers of [
      {},
      { 'x-api-key': key },
      owner.session,
      { 'x-internal-key': `${internalKey}x` },
    ]) {
      const reply = await gateway.send(path, { headers });
      expect([reply.status, code(reply)]).toEqual([401, 'INVALID_INTERNAL_KEY']);
    }
    expect((await gateway.send(path, { headers: { 'x-internal-key': internalKey } })).status).toBe(503);
  });

  it('is absent where the listener does not serve it, whatever INTERNAL_PORT says', async () => {
    const { url } = await engines.databaseFor('gateway');
    const outer = await TestGateway.start({
      postgresUrl: url,
      natsUrl: engines.natsUrl,
      variables: { INTERNAL_ROUTES: 'off' },
    });
    try {
      const headers = { 'x-internal-key': internalKey };
      expect((await outer.send(path, { headers })).status).toBe(404);
      expect((await outer.send('/calls', { method: 'POST', headers, body: {} })).status).toBe(405);
    } finally {
      await outer.stop();
    }
  });
});

describe('the listener of the voice runtime', () => {
  const headers = { 'x-internal-key': internalKey };
  const internal = `/api/v1/agents/internal-config/${unknownId}`;
  const ofCall = '/api/v1/runtime/calls/call-1/tools/find_order';
  const elsewhere = [
    '/api/v1/agents',
    '/api/v1/health',
    '/api/v1/docs.json',
    '/api/v1/auth/get-session',
    '/',
    '/mcp',
  ];

  it('serves what the runtime asks and nothing else, and the open listener does not serve it then', async () => {
    const { url } = await engines.databaseFor('gateway');
    const other = await TestGateway.start({
      ...{ postgresUrl: url, natsUrl: engines.natsUrl },
      variables: { INTERNAL_PORT: '0' },
    });
    try {
      const runtimeUrl = other.gateway.runtimeUrl ?? '';
      const ask = async (path: string, init: RequestInit = {}): Promise<number> =>
        (await fetch(`${runtimeUrl}${path}`, { headers, ...init })).status;
      expect(await ask(internal)).toBe(503);
      expect(await ask(internal, { headers: {} })).toBe(401);
      expect(await ask(ofCall, { method: 'POST', body: '{}' })).toBe(401);
      expect(await Promise.all(elsewhere.map((path) => ask(path)))).toEqual(elsewhere.map(() => 404));
      const hook = await fetch(`${runtimeUrl}/hooks/livekit`, { method: 'POST', headers });
      expect(hook.status).toBe(404);
      expect((await other.raw(internal, { headers })).status).toBe(404);
      // The token of a call is good from anywhere, as before.
      expect((await other.raw(ofCall, { method: 'POST', body: {} })).status).toBe(401);
    } finally {
      await other.stop();
    }
  });

  it('may be there beside an open listener that serves internal operations too', async () => {
    const { url } = await engines.databaseFor('gateway');
    const other = await TestGateway.start({
      ...{ postgresUrl: url, natsUrl: engines.natsUrl },
      variables: { INTERNAL_PORT: '0', INTERNAL_ROUTES: 'on' },
    });
    try {
      expect((await other.raw(internal, { headers })).status).toBe(503);
    } finally {
      await other.stop();
    }
  });
});

describe('an operation of a service that is away', () => {
  it('is 503 with Retry-After', async () => {
    const reply = await gateway.send('/numbers', { headers: owner.session });
    expect([reply.status, code(reply), reply.body.error.retryable]).toEqual([
      503,
      'SERVICE_UNAVAILABLE',
      true,
    ]);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  });
});
