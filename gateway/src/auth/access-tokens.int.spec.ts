// Access tokens of a real authorization server at a real gateway.
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contract } from '@parlance/contracts';
import { serveOperation, testEngines } from '@parlance/fixtures';
import { createDatabase, type Database } from '@parlance/postgres';
import { decodeJwt, exportSPKI } from 'jose';
import { AuthorizationServer } from '../testing/authorization-server.js';
import { type Fixture, startFixture } from '../testing/fixture.js';
import type { Person, Reply, TestGateway } from '../testing/test-gateway.js';

const publicUrl = 'http://127.0.0.1:4999';
const resource = `${publicUrl}/mcp`;
const scopes = ['agent:read', 'agent:create', 'agent:delete', 'secrets:read', 'phoneNumber:delete'];

let server: AuthorizationServer;
let other: AuthorizationServer;
let fixture: Fixture;
let gateway: TestGateway;
let db: Database;
let owner: Person;

beforeAll(async () => {
  server = await AuthorizationServer.start(scopes);
  other = await AuthorizationServer.start(scopes);
  fixture = await startFixture(await testEngines({ postgres: true, nats: true }), {
    PUBLIC_URL: publicUrl,
    MCP_OAUTH_ISSUER: server.issuer,
    EGRESS_ALLOW_PRIVATE: new URL(server.issuer).host,
  });
  ({ gateway, person: owner } = fixture);
  db = createDatabase({ url: fixture.postgresUrl, applicationName: 'test', max: 2 });
  await serveOperation(fixture.nats, contract.agentsList, () => ({ data: [] }));
});

afterAll(async () => {
  await db?.end();
  await fixture?.stop();
  await server?.stop();
  await other?.stop();
});

const claimsOf = ({ email }: Pick<Person, 'email'>) => ({ email, email_verified: true });
const ask = (path: string, token: string, method = 'GET'): Promise<Reply> =>
  gateway.send(path, { method, headers: gateway.overMcp({ authorization: `Bearer ${token}` }) });
const issue = (scope: string, claims: Readonly<Record<string, string | boolean>> = claimsOf(owner)) =>
  server.issue(claims, { resource, scope });
const status = async (token: string): Promise<number> => (await ask('/agents', token)).status;

describe('a token of the authorization server', () => {
  it('stands for a member, and may what the member may and its scopes name', async () => {
    const token = await issue('agent:read agent:delete');
    expect((await ask('/caller', token)).body.data).toEqual({
      organizationId: owner.organizationId,
      actor: { type: 'user', id: owner.userId },
      role: 'key',
      permissions: ['agent:read', 'agent:delete'],
      mcpConfirm: 'always',
    });
    expect(await status(token)).toBe(200);
    const refused = await ask('/secrets', token);
    expect([refused.status, refused.body.error]).toEqual([
      403,
      expect.objectContaining({ code: 'PERMISSION_DENIED', details: { required: ['secrets:read'] } }),
    ]);
  });

  it('never gives more than the member may, nor what takes an owner or admin in person', async () => {
    const viewer = await gateway.signUp();
    await db.query('update member set role = $2 where "userId" = $1', [viewer.userId, 'viewer']);
    const token = await issue('agent:read agent:delete', claimsOf(viewer));
    expect((await ask('/caller', token)).body.data.permissions).toEqual(['agent:read']);
    const asOwner = await issue('agent:read phoneNumber:delete');
    expect((await ask('/caller', asOwner)).body.data.permissions).toEqual(['agent:read']);
    const reply = await ask('/auth/api-key/list', asOwner);
    expect([401, 403]).toContain(reply.status);
  });

  it('without a scope of ours opens nothing', async () => {
    const token = await issue('');
    expect((await ask('/caller', token)).body.data.permissions).toEqual([]);
    expect(await status(token)).toBe(403);
  });

  it('names the organization of a person who belongs to several', async () => {
    const second = await gateway.signUp();
    await db.query(
      'insert into member (id, "organizationId", "userId", role, "createdAt") values ($1, $2, $1, $3, now())',
      [second.userId, owner.organizationId, 'member'],
    );
    const unnamed = await ask('/caller', await issue('agent:read', claimsOf(second)));
    expect([unnamed.status, unnamed.body.error.code]).toEqual([403, 'NO_ACTIVE_ORGANIZATION']);
    const named = { ...claimsOf(second), organization_id: owner.organizationId };
    expect((await ask('/caller', await issue('agent:read', named))).body.data.organizationId).toBe(
      owner.organizationId,
    );
    const foreign = { ...claimsOf(owner), organization_id: second.organizationId };
    expect((await ask('/caller', await issue('agent:read', foreign))).status).toBe(403);
  });

  it.each([
    ['an address that nobody has verified', () => ({ email: owner.email, email_verified: false })],
    ['an address that does not say whether it is verified', () => ({ email: owner.email })],
    ['an address of nobody here', () => ({ email: 'stranger@example.com', email_verified: true })],
    ['no address', () => ({})],
  ])('with %s opens nothing', async (_, claims) => {
    expect(await status(await issue('agent:read', claims()))).toBe(401);
  });

  it('for another resource opens nothing', async () => {
    const token = await server.issue(claimsOf(owner), {
      resource: 'https://other.example/mcp',
      scope: 'agent:read',
    });
    expect(await status(token)).toBe(401);
  });

  it('of another server opens nothing, also under the name of ours', async () => {
    expect(await status(await other.issue(claimsOf(owner), { resource, scope: 'agent:read' }))).toBe(401);
    const claims = decodeJwt(await issue('agent:read'));
    expect(await status(await other.sign({ ...claims, iss: server.issuer }))).toBe(401);
  });
});

describe('a token outside of MCP', () => {
  const plainly = async (path: string, headers: Readonly<Record<string, string>>) => {
    const { status: answered, body } = await gateway.send(path, { headers });
    return [answered, body.error?.code];
  };

  it('opens nothing, and is told from a token that is not good', async () => {
    const bearer = { authorization: `Bearer ${await issue('agent:read')}` };
    expect(await plainly('/agents', bearer)).toEqual([403, 'TOKEN_FOR_MCP_ONLY']);
    expect(await plainly('/caller', bearer)).toEqual([403, 'TOKEN_FOR_MCP_ONLY']);
    expect(await plainly('/agents', { authorization: 'Bearer x' })).toEqual([401, 'UNAUTHENTICATED']);
  });

  it('opens nothing with the statement of another request', async () => {
    const [one, two] = [await issue('agent:read'), await issue('agent:read agent:create')];
    const { 'x-parlance-address': statement = '' } = gateway.overMcp({ authorization: `Bearer ${one}` });
    const bearer = { authorization: `Bearer ${two}` };
    expect(await plainly('/agents', { ...bearer, 'x-parlance-address': statement })).toEqual([
      403,
      'TOKEN_FOR_MCP_ONLY',
    ]);
  });
});

describe('a token for an organization that requires a second factor', () => {
  const requires = (isRequired: boolean) =>
    db.query('update organization set "secondFactorRequired" = $2 where id = $1', [
      owner.organizationId,
      isRequired,
    ]);
  const verdictOf = async (claims: object) => {
    const issued = decodeJwt(await issue('agent:read'));
    const { status: answered, body } = await ask('/agents', await server.sign({ ...issued, ...claims }));
    return [answered, body.error?.code];
  };
  afterAll(() => requires(false));

  it('has to say that there was one', async () => {
    await requires(true);
    const missing = [403, 'SECOND_FACTOR_REQUIRED'];
    expect(await verdictOf({ jti: 'none' })).toEqual(missing);
    expect(await verdictOf({ amr: ['pwd', 'otp'] })).toEqual(missing);
    expect(await verdictOf({ acr: '1' })).toEqual(missing);
    expect(await verdictOf({ amr: 'mfa' })).toEqual([401, 'UNAUTHENTICATED']);
    expect(await verdictOf({ amr: ['pwd', 'mfa'] })).toEqual([200, undefined]);
    expect(await verdictOf({ acr: 'phr' })).toEqual([200, undefined]);
    await requires(false);
    expect(await verdictOf({ jti: 'not required' })).toEqual([200, undefined]);
  });
});

describe('a forged or stale token', () => {
  it('that has expired, or is not good yet, opens nothing', async () => {
    const claims = decodeJwt(await issue('agent:read'));
    const now = Math.floor(Date.now() / 1_000);
    expect(await status(await server.sign(claims))).toBe(200);
    expect(await status(await server.sign({ ...claims, exp: now - 60 }))).toBe(401);
    expect(await status(await server.sign({ ...claims, nbf: now + 60 }))).toBe(401);
    const { exp: _, ...endless } = claims;
    expect(await status(await server.sign(endless))).toBe(401);
  });

  it('without a signature, or signed with the public key as a secret, opens nothing', async () => {
    const [, payload = ''] = (await issue('agent:read')).split('.');
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const secret = await exportSPKI(server.publicKey);
    const signed = (alg: string, signature: (text: string) => string): string => {
      const text = `${part({ alg, kid: 'the-key', typ: 'at+jwt' })}.${payload}`;
      return `${text}.${signature(text)}`;
    };
    const hmac = (text: string): string => createHmac('sha256', secret).update(text).digest('base64url');
    expect(await status(signed('none', () => ''))).toBe(401);
    expect(await status(signed('HS256', hmac))).toBe(401);
    expect(await status(signed('RS256', hmac))).toBe(401);
  });

  it('that is no token at all is answered like an unknown key', async () => {
    for (const token of ['x', 'a.b.c', `${'a'.repeat(4_000)}`]) expect(await status(token)).toBe(401);
  });
});

describe('a gateway without an authorization server', () => {
  it('knows no access tokens', async () => {
    const engines = await testEngines({ postgres: true, nats: true });
    const plain = await startFixture(engines, { PUBLIC_URL: publicUrl });
    try {
      const token = await issue('agent:read', claimsOf(plain.person));
      const reply = await plain.gateway.send('/caller', { headers: { authorization: `Bearer ${token}` } });
      expect([reply.status, reply.body.error.code]).toEqual([401, 'UNAUTHENTICATED']);
    } finally {
      await plain.stop();
    }
  });
});
