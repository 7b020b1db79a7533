import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract } from '@parlance/contracts';
import { eventually, serveOperation, type TestEngines, testEngines } from '@parlance/fixtures';
import { createDatabase, type Database } from '@parlance/postgres';
import { type Fixture, startFixture } from '../testing/fixture.js';
import { type Person, type Reply, TestGateway, testEnv } from '../testing/test-gateway.js';
import { createFirstOrganization } from './first-organization.js';

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
      enabled: true,
      allowedAddresses: null,
      mcpConfirm: 'always',
      disabledReason: null,
    });
    const days = (Date.parse(record.expiresAt) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29.9);
    expect(days).toBeLessThan(30.1);
    const { rows } = await db.query('select * from apikey');
    expect(JSON.stringify(rows)).not.toContain(key.slice(14));
  });

  it('lives 365 days unless told otherwise, and for ever by choice alone', async () => {
    const daysOf = async (body: object): Promise<number | null> => {
      const { expiresAt } = (await create({ name: 'x', permissions: ['*'], ...body })).body;
      return expiresAt === null ? null : Math.round((Date.parse(expiresAt) - Date.now()) / 86_400_000);
    };
    expect(await daysOf({})).toBe(365);
    expect(await daysOf({ expiresIn: null })).toBeNull();
    expect(await daysOf({ expiresIn: 86_400 })).toBe(1);
  });

  it.each([
    ['without a name', { name: undefined }],
    ['with an empty name', { name: ' ' }],
    ['without permissions', { permissions: undefined }],
    ['with an unknown permission', { permissions: ['agent:fly'] }],
    ['with no permission at all', { permissions: [] }],
    ['with what takes a person', { permissions: ['billing:manage'] }],
    ['with what changes numbers', { permissions: ['agent:read', 'phoneNumber:delete'] }],
    ['for somebody else', { userId: 'somebody' }],
    ['for another organization', { organizationId: 'theirs' }],
    ['with a quota of its own', { remaining: 5 }],
    ['with a prefix of its own', { prefix: 'sk_' }],
    ['with two expiries', { expiresIn: 3_600, expiresInDays: 1 }],
    ['with an end too near', { expiresIn: 59 }],
    ['with an end too far', { expiresIn: 3_651 * 86_400 }],
    ['with no address', { allowedAddresses: [] }],
    ['with too many addresses', { allowedAddresses: Array.from({ length: 21 }, (_, n) => `10.0.0.${n}`) }],
    ['with what is no address', { allowedAddresses: ['example.com'] }],
    ['with an address inside a range', { allowedAddresses: ['10.1.2.3/8'] }],
    ['with one address that is no list', { allowedAddresses: '10.0.0.1' }],
  ])('is refused %s', async (_, change) => {
    const reply = await create({ name: 'x', permissions: ['agent:read'], ...change });
    expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('takes a session: nobody without one, whatever user id they send, and no key', async () => {
    const body = { name: 'x', permissions: ['*'] };
    expect((await create(body, {})).status).toBe(401);
    expect((await create(body, { origin: gateway.gateway.url })).status).toBe(401);
    const { key } = await gateway.createKey(owner);
    expect((await create({ name: 'x', permissions: ['*'] }, { 'x-api-key': key })).status).toBe(403);
    expect(
      (await create({ name: 'x', permissions: ['*'] }, { 'x-api-key': key, ...owner.session })).status,
    ).toBe(403);
  });

  it('takes an owner or admin', async () => {
    const member = await gateway.signUp();
    await db.query(`update member set role = 'member' where "userId" = $1`, [member.userId]);
    const reply = await create({ name: 'x', permissions: ['*'] }, member.session);
    expect([reply.status, reply.body.error.code]).toEqual([403, 'OWNER_SESSION_REQUIRED']);
  });

  it('takes a page of ours', async () => {
    const hostile = { cookie: owner.session.cookie ?? '', origin: 'https://evil.example' };
    expect((await create({ name: 'x', permissions: ['*'] }, hostile)).status).toBe(403);
    expect(
      (await create({ name: 'x', permissions: ['*'] }, { cookie: owner.session.cookie ?? '' })).status,
    ).toBe(403);
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
    expect((await send('/auth/api-key/update')).status).toBe(404);
    const removal = await gateway.send('/auth/api-key/delete', {
      method: 'POST',
      headers: stranger.session,
      body: { keyId: id },
    });
    expect(removal.status).toBe(404);
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
    await eventually(async () => expect(await statusWith(other, key)).toBe(401), { timeoutMs: 60_000 });
  });

  it('stops within five seconds even when nobody is told, however busy it is', async () => {
    const { id, key } = await gateway.createKey(owner);
    expect(await statusWith(other, key)).toBe(200);
    await db.query('delete from apikey where id = $1', [id]);
    const revokedAt = Date.now();
    let lastSuccess = 0;
    await eventually(
      async () => {
        const at = Date.now();
        const status = await statusWith(other, key);
        if (status === 200) lastSuccess = at;
        expect(status).toBe(401);
      },
      { timeoutMs: 60_000, intervalMs: 10 },
    );
    expect(lastSuccess - revokedAt).toBeLessThan(5_000);
  });

  it('stops when its organization is gone, or its time is over', async () => {
    const person = await gateway.signUp();
    const { key } = await gateway.createKey(person);
    expect(await statusWith(gateway, key)).toBe(200);
    await db.query('delete from organization where id = $1', [person.organizationId]);
    await eventually(async () => expect(await statusWith(gateway, key)).toBe(401), { timeoutMs: 60_000 });
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

  it('is listed as it was shown, without its hash', async () => {
    const reply = await list();
    expect(reply.status).toBe(200);
    expect(reply.body.total).toBe(reply.body.apiKeys.length);
    for (const key of reply.body.apiKeys) expect(Object.keys(key)).not.toContain('key');
    const elsewhere = await gateway.signUp();
    const query = `organizationId=${elsewhere.organizationId}`;
    expect((await gateway.send(`/auth/api-key/list?${query}`, { headers: owner.session })).status).toBe(404);
    expect((await gateway.send('/auth/api-key/list')).status).toBe(401);
  });
});

const post = (path: string, body: unknown, headers = owner.session): Promise<Reply> =>
  gateway.send(`/auth${path}`, { method: 'POST', headers, body });
const list = (headers = owner.session): Promise<Reply> => gateway.send('/auth/api-key/list', { headers });
const shown = async (id: string): Promise<{ disabledReason: string | null; revokedAt: string | null }> =>
  (await list()).body.apiKeys.find((key: { id: string }) => key.id === id);

describe('a key that stopped', () => {
  it('stays in the list with its reason, and nothing raises it again', async () => {
    const { id } = await gateway.createKey(owner);
    expect((await post('/api-key/delete', { keyId: id })).status).toBe(200);
    expect(await shown(id)).toMatchObject({ disabledReason: 'revoked', revokedAt: expect.any(String) });
    for (const [path, change] of [
      ['/api-key/update', { enabled: true }],
      ['/api-key/rotate', {}],
    ] as const) {
      const reply = await post(path, { keyId: id, ...change });
      expect([reply.status, reply.body.error.code]).toEqual([409, 'CONFLICT']);
    }
    expect((await post('/api-key/delete', { keyId: id })).status).toBe(200);
  });

  it('gets no longer life after its end or its rotation, which may have had a reason', async () => {
    const { id } = await gateway.createKey(owner);
    const rotation = { keyId: id, keepPreviousForSeconds: 3_600 };
    expect((await post('/api-key/rotate', rotation)).status).toBe(200);
    const longer = await post('/api-key/update', { keyId: id, expiresIn: 86_400 });
    expect([longer.status, longer.body.error.details]).toEqual([409, { reason: 'rotated' }]);
    expect((await post('/api-key/update', { keyId: id, expiresIn: 60 })).status).toBe(200);
    await db.query(`update apikey set "expiresAt" = now() - interval '1 second' where id = $1`, [id]);
    const again = await post('/api-key/update', { keyId: id, expiresIn: 86_400 });
    expect([again.status, again.body.error.details]).toEqual([409, { reason: 'expired' }]);
  });

  it('says that its time is over', async () => {
    const { id, key } = await gateway.createKey(owner);
    await db.query(`update apikey set "expiresAt" = now() - interval '1 second' where id = $1`, [id]);
    expect(await statusWith(gateway, key)).toBe(401);
    expect(await shown(id)).toMatchObject({ disabledReason: 'expired', revokedAt: null });
  });
});

describe('a key and its maker', () => {
  /** A new person with this role in the owner's organization, which becomes the person's active one. */
  const colleague = async (role: string): Promise<Person> => {
    const person = await gateway.signUp();
    await db.query(
      'insert into member (id, "organizationId", "userId", role, "createdAt") values ($1, $2, $3, $4, now())',
      [person.userId, owner.organizationId, person.userId, role],
    );
    const body = { organizationId: owner.organizationId };
    expect((await post('/organization/set-active', body, person.session)).status).toBe(200);
    return person;
  };
  const working = async (key: string): Promise<number[]> => [
    await statusWith(gateway, key),
    await statusWith(other, key),
  ];

  it('ends when its maker is removed, at every gateway, and stays ended when the maker comes back', async () => {
    const maker = await colleague('admin');
    const { id, key } = await gateway.createKey(maker, ['agent:read']);
    expect(await working(key)).toEqual([200, 200]);
    expect((await post('/organization/remove-member', { memberIdOrEmail: maker.email })).status).toBe(200);
    expect(await statusWith(gateway, key)).toBe(401);
    await eventually(async () => expect(await statusWith(other, key)).toBe(401), { timeoutMs: 60_000 });
    await db.query(
      `insert into member (id, "organizationId", "userId", role, "createdAt") values ($1, $2, $1, 'owner', now())`,
      [maker.userId, owner.organizationId],
    );
    await eventually(async () => expect(await working(key)).toEqual([401, 401]));
    expect(await shown(id)).toMatchObject({ disabledReason: 'maker_removed' });
  });

  it('ends when its maker loses a permission that it carries, and goes on while its maker has them all', async () => {
    const maker = await colleague('admin');
    const small = await gateway.createKey(maker, ['agent:read']);
    const large = await gateway.createKey(maker, ['agent:read', 'callLogs:delete']);
    expect([await working(small.key), await working(large.key)]).toEqual([
      [200, 200],
      [200, 200],
    ]);
    const change = { memberId: maker.userId, role: 'member' };
    expect((await post('/organization/update-member-role', change)).status).toBe(200);
    await eventually(async () => expect(await working(large.key)).toEqual([401, 401]), { timeoutMs: 60_000 });
    expect(await working(small.key)).toEqual([200, 200]);
    expect(await shown(large.id)).toMatchObject({ disabledReason: 'maker_lost_permission' });
    expect(await shown(small.id)).toMatchObject({ disabledReason: null });
  });

  it('ends within five seconds when no gateway hears of the removal, and is recorded at the next look', async () => {
    const maker = await colleague('admin');
    const { id, key } = await gateway.createKey(maker, ['agent:read']);
    expect(await working(key)).toEqual([200, 200]);
    await db.query('delete from member where id = $1', [maker.userId]);
    await eventually(async () => expect(await working(key)).toEqual([401, 401]), { timeoutMs: 60_000 });
    expect(await shown(id)).toMatchObject({ disabledReason: 'maker_removed' });
  });
});

describe('a key from before the gateway kept facts of keys', () => {
  it('works from anywhere, without an end, and its maker is known from what better-auth kept', async () => {
    const { id, key } = await gateway.createKey(owner);
    await db.query('delete from api_key_facts where key_id = $1', [id]);
    await db.query('update apikey set "expiresAt" = null where id = $1', [id]);
    expect(await statusWith(other, key)).toBe(200);
    expect(await shown(id)).toMatchObject({ createdBy: owner.userId, expiresAt: null, disabledReason: null });
    expect((await post('/api-key/delete', { keyId: id })).status).toBe(200);
    expect(await shown(id)).toMatchObject({ createdBy: owner.userId, disabledReason: 'revoked' });
  });
});

describe('rotating a key', () => {
  it('makes the next with the same rights, and keeps the previous for the chosen time', async () => {
    const made = await create({
      name: 'sync',
      permissions: ['agent:read'],
      expiresInDays: 30,
      allowedAddresses: ['127.0.0.0/8'],
    });
    const reply = await post('/api-key/rotate', { keyId: made.body.id, keepPreviousForSeconds: 3_600 });
    expect(reply.status).toBe(200);
    const { key, ...next } = reply.body;
    expect(next).toMatchObject({
      name: 'sync',
      permissions: ['agent:read'],
      createdBy: owner.userId,
      allowedAddresses: ['127.0.0.0/8'],
    });
    expect(Math.round((Date.parse(next.expiresAt) - Date.now()) / 86_400_000)).toBe(30);
    expect([await statusWith(gateway, key), await statusWith(gateway, made.body.key)]).toEqual([200, 200]);
    const { rows } = await db.query<{ seconds: number }>(
      `select extract(epoch from "expiresAt" - now())::int as seconds from apikey where id = $1`,
      [made.body.id],
    );
    expect(rows[0]?.seconds).toBeGreaterThan(3_500);
    expect(rows[0]?.seconds).toBeLessThanOrEqual(3_600);
  });

  it('ends the previous at once when it is not to be kept', async () => {
    const { id, key } = await gateway.createKey(owner);
    expect(await statusWith(gateway, key)).toBe(200);
    const { body: next } = await post('/api-key/rotate', { keyId: id, keepPreviousForSeconds: 0 });
    expect(await statusWith(gateway, key)).toBe(401);
    expect(await statusWith(gateway, next.key)).toBe(200);
  });

  it('happens once, although three people ask for it at the same moment', async () => {
    const { id } = await gateway.createKey(owner);
    // A good key shows it best, because an ended one is refused anyway.
    const wish = { keyId: id, keepPreviousForSeconds: 3_600 };
    const replies = await Promise.all([1, 2, 3].map(() => post('/api-key/rotate', wish)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  });

  it.each([
    { keepPreviousForSeconds: -1 },
    { keepPreviousForSeconds: 604_801 },
    { keyId: 'x' },
    { name: 'y' },
  ])('is refused with %j', async (change) => {
    const { id } = await gateway.createKey(owner);
    expect((await post('/api-key/rotate', { keyId: id, ...change })).status).toBe(400);
  });

  it('is for owners and admins of its own organization', async () => {
    const { id } = await gateway.createKey(owner);
    const stranger = await gateway.signUp();
    expect((await post('/api-key/rotate', { keyId: id }, stranger.session)).status).toBe(404);
  });
});

describe('a key with addresses', () => {
  it('is good from them alone, and from elsewhere it is like an unknown key', async () => {
    const inside = await create({ name: 'here', permissions: ['*'], allowedAddresses: ['127.0.0.1'] });
    expect(inside.body.allowedAddresses).toEqual(['127.0.0.1/32']);
    expect(await statusWith(gateway, inside.body.key)).toBe(200);
    const outside = await create({ name: 'there', permissions: ['*'], allowedAddresses: ['10.0.0.0/8'] });
    const send = (key: string) => gateway.send('/agents', { headers: { 'x-api-key': key } });
    const said = ({ status, body: { error, ...body } }: Reply) => [status, body, error.code, error.details];
    const unknown = `parl_live_${'a'.repeat(12)}_${'b'.repeat(43)}`;
    expect(said(await send(outside.body.key))).toEqual(said(await send(unknown)));
    const opened = await post('/api-key/update', { keyId: outside.body.id, allowedAddresses: null });
    expect([opened.status, opened.body.allowedAddresses]).toEqual([200, null]);
    await eventually(async () => expect(await statusWith(gateway, outside.body.key)).toBe(200));
  });
});

describe('confirmations over MCP', () => {
  const callerWith = (headers: Readonly<Record<string, string>>) => gateway.send('/caller', { headers });

  it('are on unless the maker of the key switches them off, and the next key keeps that choice', async () => {
    const usual = await create({ name: 'usual', permissions: ['agent:read'] });
    const quick = await create({ name: 'quick', permissions: ['agent:read'], mcpConfirm: 'never' });
    const next = await post('/api-key/rotate', { keyId: quick.body.id });
    const listed = await gateway.send('/auth/api-key/list', { headers: owner.session });
    const shown = new Map(
      listed.body.apiKeys.map(({ id, mcpConfirm }: { id: string; mcpConfirm: string }) => [id, mcpConfirm]),
    );
    expect([usual, quick, next].map(({ body }) => [body.mcpConfirm, shown.get(body.id)])).toEqual([
      ['always', 'always'],
      ['never', 'never'],
      ['never', 'never'],
    ]);
    const { body } = await callerWith({ 'x-api-key': next.body.key });
    expect(body.data).toEqual({
      organizationId: owner.organizationId,
      actor: { type: 'key', id: next.body.id },
      role: 'key',
      permissions: ['agent:read'],
      mcpConfirm: 'never',
    });
    expect((await callerWith(owner.session)).body.data).toMatchObject({
      role: 'owner',
      mcpConfirm: 'always',
    });
  });

  it('refuses a choice that there is not', async () => {
    const reply = await create({ name: 'x', permissions: ['agent:read'], mcpConfirm: 'sometimes' });
    expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('a key is good as a bearer token too, and a token that is none opens nothing', async () => {
    const { key } = await gateway.createKey(owner);
    expect((await callerWith({ authorization: `Bearer ${key}` })).status).toBe(200);
    for (const authorization of [`Bearer ${key}x`, 'Bearer x.y.z', `Basic ${key}`])
      expect((await callerWith({ authorization })).status).toBe(401);
  });
});

describe('a key of release 0.2.0', () => {
  it('keeps the right to decide where secrets go, if it may make them, and gets no other', async () => {
    const migration = readFileSync(
      new URL('../../migrations/0010_allowing_origins.sql', import.meta.url),
      'utf8',
    );
    const kinds = [['secrets:create', 'tools:create'], ['secrets:read', 'tools:create'], ['*']];
    const made = await Promise.all(kinds.map((permissions) => create({ name: 'old', permissions })));
    for (let time = 1; time <= 2; time += 1) await db.query(migration);
    const { body } = await gateway.send('/auth/api-key/list', { headers: owner.session });
    const shown = made.map((each) =>
      body.apiKeys.find(({ id }: { id: string }) => id === each.body.id).permissions.toSorted(),
    );
    expect(shown).toEqual([
      ['secrets:create', 'secrets:use', 'tools:create'],
      ['secrets:read', 'tools:create'],
      ['*'],
    ]);
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
