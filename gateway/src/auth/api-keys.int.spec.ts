import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract } from '@parlance/contracts';
import { createDatabase, type Database } from '@parlance/persistence';
import { eventually, serveOperation, type TestEngines, testEngines } from '@parlance/testing';
import { createFirstOrganization } from '../first-organization.js';
import { type Fixture, startFixture } from '../testing/fixture.js';
import { type Person, type Reply, TestGateway, testEnv } from '../testing/test-gateway.js';

let engines: TestEngines;
let fixture: Fixture;
let gateway: TestGateway;
/** A second gateway on the same database and broker. */
let other: TestGateway;
let owner: Person;
let db: Database;

beforeAll(async () => {
  engines = await testEngines({ postgres: true, nats: true });
  fixture = await startFixture(engines);
  ({ gateway, person: owner } = fixture);
  other = await TestGateway.start({ postgresUrl: fixture.postgresUrl, natsUrl: engines.natsUrl });
  db = createDatabase({ url: fixture.postgresUrl, applicationName: 'test', max: 2 });
  await serveOperation(fixture.nats, contract.agentsList, () => ({ data: [] }));
});

afterAll(async () => {
  await db?.end();
  await other?.stop();
  await fixture?.stop();
});

const create = (body: unknown, headers: Readonly<Record<string, string>> = owner.session): Promise<Reply> =>
  gateway.send('/auth/api-key/create', { method: 'POST', headers, body });
const statusWith = async (at: TestGateway, key: string): Promise<number> =>
  (await at.send('/agents', { headers: { 'x-api-key': key } })).status;

describe('making a key', () => {
  it('shows it once, describes it, and stores its hash only', async () => {
    const reply = await create({
      name: 'reporting',
      permissions: ['callLogs:read', 'agent:read'],
      expiresInDays: 30,
    });
    expect(reply.status).toBe(200);
    const { key, ...record } = reply.body;
    expect(key).toMatch(/^parl_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{43}$/);
    expect(record).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      name: 'reporting',
      prefix: key.slice(0, 14),
      permissions: ['callLogs:read', 'agent:read'],
      createdBy: owner.userId,
      createdAt: expect.any(String),
      lastUsedAt: null,
      expiresAt: expect.any(String),
      revokedAt: null,
    });
    const days = (Date.parse(record.expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThan(30.1);
    const { rows } = await db.query('select * from apikey');
    expect(JSON.stringify(rows)).not.toContain(key.slice(14));
  });

  it('gives every permission that a key can have unless told otherwise', async () => {
    expect((await create({ name: 'all' })).body.permissions).toEqual(['*']);
    expect((await create({ name: 'all', permissions: ['*'] })).body.permissions).toEqual(['*']);
  });

  it.each([
    ['without a name', {}],
    ['with an empty name', { name: ' ' }],
    ['with an unknown permission', { name: 'x', permissions: ['agent:fly'] }],
    ['with no permission at all', { name: 'x', permissions: [] }],
    ['with what takes a person', { name: 'x', permissions: ['billing:manage'] }],
    ['with what changes numbers', { name: 'x', permissions: ['agent:read', 'phoneNumber:delete'] }],
    ['for somebody else', { name: 'x', userId: 'somebody' }],
    ['for another organization', { name: 'x', organizationId: 'theirs' }],
    ['with a quota of its own', { name: 'x', remaining: 5 }],
    ['with a prefix of its own', { name: 'x', prefix: 'sk_' }],
    ['with two expiries', { name: 'x', expiresIn: 3_600, expiresInDays: 1 }],
  ])('is refused %s', async (_, body) => {
    const reply = await create(body);
    expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('takes a session: nobody without one, whatever user id they send, and no key', async () => {
    const body = { name: 'x', userId: owner.userId };
    expect((await create(body, {})).status).toBe(401);
    expect((await create(body, { origin: gateway.gateway.url })).status).toBe(401);
    const { key } = await gateway.createKey(owner);
    expect((await create({ name: 'x' }, { 'x-api-key': key })).status).toBe(403);
    expect((await create({ name: 'x' }, { 'x-api-key': key, ...owner.session })).status).toBe(403);
  });

  it('takes an owner or admin', async () => {
    const member = await gateway.signUp();
    await db.query(`update member set role = 'member' where "userId" = $1`, [member.userId]);
    const reply = await create({ name: 'x' }, member.session);
    expect([reply.status, reply.body.error.code]).toEqual([403, 'OWNER_SESSION_REQUIRED']);
  });

  it('takes a page of ours', async () => {
    const hostile = { cookie: owner.session.cookie ?? '', origin: 'https://evil.example' };
    expect((await create({ name: 'x' }, hostile)).status).toBe(403);
    expect((await create({ name: 'x' }, { cookie: owner.session.cookie ?? '' })).status).toBe(403);
  });
});

describe('changing a key', () => {
  const update = (body: unknown): Promise<Reply> =>
    gateway.send('/auth/api-key/update', { method: 'POST', headers: owner.session, body });

  it('can rename it and switch it off and on', async () => {
    const { id, key } = await gateway.createKey(owner);
    expect(await statusWith(gateway, key)).toBe(200);
    expect((await update({ keyId: id, enabled: false, name: 'parked' })).status).toBe(200);
    expect(await statusWith(gateway, key)).toBe(401);
    expect((await update({ keyId: id, enabled: true })).status).toBe(200);
    expect(await statusWith(gateway, key)).toBe(200);
  });

  it.each([
    { permissions: { agent: ['read'] } },
    { metadata: { createdBy: 'me' } },
    { userId: 'x' },
    { remaining: 1 },
  ])('cannot change %j', async (change) => {
    const { id } = await gateway.createKey(owner);
    expect((await update({ keyId: id, ...change })).status).toBe(400);
  });

  it('is for its own organization', async () => {
    const { id, key } = await gateway.createKey(owner);
    const stranger = await gateway.signUp();
    const send = (path: string) =>
      gateway.send(path, { method: 'POST', headers: stranger.session, body: { keyId: id, name: 'mine' } });
    expect((await send('/auth/api-key/update')).status).toBe(403);
    const removal = await gateway.send('/auth/api-key/delete', {
      method: 'POST',
      headers: stranger.session,
      body: { keyId: id },
    });
    expect(removal.status).toBe(403);
    expect(await statusWith(gateway, key)).toBe(200);
  });
});

describe('a revoked key', () => {
  const revoke = (id: string): Promise<Reply> =>
    gateway.send('/auth/api-key/delete', { method: 'POST', headers: owner.session, body: { keyId: id } });

  it('stops at once here, and on other gateways as soon as they hear of it', async () => {
    const { id, key } = await gateway.createKey(owner);
    expect([await statusWith(gateway, key), await statusWith(other, key)]).toEqual([200, 200]);
    expect((await revoke(id)).status).toBe(200);
    expect(await statusWith(gateway, key)).toBe(401);
    await eventually(async () => expect(await statusWith(other, key)).toBe(401), { timeoutMs: 1_000 });
  });

  it('stops within five seconds even when nobody is told, however busy it is', async () => {
    const { id, key } = await gateway.createKey(owner);
    expect(await statusWith(other, key)).toBe(200);
    const revokedAt = Date.now();
    await db.query('delete from apikey where id = $1', [id]);
    let lastSuccess = 0;
    await eventually(
      async () => {
        const at = Date.now();
        const status = await statusWith(other, key);
        if (status === 200) lastSuccess = at;
        expect(status).toBe(401);
      },
      { timeoutMs: 6_000, intervalMs: 10 },
    );
    expect(lastSuccess - revokedAt).toBeLessThan(5_000);
  });

  it('stops when its organization is gone, or its time is over', async () => {
    const person = await gateway.signUp();
    const { key } = await gateway.createKey(person);
    expect(await statusWith(gateway, key)).toBe(200);
    await db.query('delete from organization where id = $1', [person.organizationId]);
    await eventually(async () => expect(await statusWith(gateway, key)).toBe(401), { timeoutMs: 6_000 });
    const expired = await gateway.createKey(owner);
    await db.query(`update apikey set "expiresAt" = now() - interval '1 second' where id = $1`, [expired.id]);
    expect(await statusWith(gateway, expired.key)).toBe(401);
  });
});

describe('a key in use', () => {
  it('has its last use written, in batches and when the gateway stops', async () => {
    const { id, key } = await gateway.createKey(owner);
    const third = await TestGateway.start({ postgresUrl: fixture.postgresUrl, natsUrl: engines.natsUrl });
    for (let request = 0; request < 20; request += 1) expect(await statusWith(third, key)).toBe(200);
    await third.stop();
    const { rows } = await db.query<{ lastRequest: Date }>('select "lastRequest" from apikey where id = $1', [
      id,
    ]);
    expect(Date.now() - (rows[0]?.lastRequest.getTime() ?? 0)).toBeLessThan(30_000);
  });

  it('is listed with its last use, without its hash', async () => {
    const query = `organizationId=${owner.organizationId}`;
    const reply = await gateway.send(`/auth/api-key/list?${query}`, { headers: owner.session });
    expect(reply.status).toBe(200);
    expect(reply.body.total).toBeGreaterThan(0);
    expect(Object.keys(reply.body.apiKeys[0])).not.toContain('key');
    expect((await gateway.send(`/auth/api-key/list?${query}`)).status).toBe(401);
  });
});

describe('the first organization', () => {
  it('comes with a password and a key that work, also when it is made twice', async () => {
    const env = testEnv({ postgresUrl: fixture.postgresUrl, natsUrl: engines.natsUrl });
    const first = await createFirstOrganization(env);
    const again = await createFirstOrganization(env);
    expect(again.organizationId).toBe(first.organizationId);
    expect(again.email).toBe(first.email);
    for (const { apiKey } of [first, again]) expect(await statusWith(gateway, apiKey)).toBe(200);
    const signIn = (password: string) =>
      gateway.send('/auth/sign-in/email', { method: 'POST', body: { email: again.email, password } });
    expect((await signIn(again.password)).status).toBe(200);
    expect((await signIn(first.password)).status).toBe(401);
  });
});
