// Connections with OAuth, against a real authorization server. Tested are the right to log in, the use of tokens, and
// the secrets that never appear.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Caller, contract } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import {
  type SignIn,
  signIn,
  startAuthorizationServer,
  startProtectedServer,
} from '@parlance/fake-mcp/oauth';
import { eventually, sealedPlaces } from '@parlance/fixtures';
import { sealing } from '../sealed-columns.js';
import { callerOf, OAuthWorld } from '../testing/oauth-world.js';

let world: OAuthWorld;

beforeAll(async () => {
  world = await OAuthWorld.start();
});

afterAll(() => world?.stop());

const refusal = (asked: Promise<unknown>): Promise<unknown> =>
  asked.then(
    () => undefined,
    (error: unknown) => (error instanceof AppError ? { code: error.code, details: error.details } : error),
  );

interface Connected {
  readonly owner: Caller;
  readonly id: string;
}

const connected = async (): Promise<Connected> => {
  const owner = callerOf(randomUUID(), 'u1');
  return { owner, id: (await world.connect(owner)).id };
};

/** The address with which a person comes back from the authorization server. */
const answerFor = async (caller: Caller, id: string, person: SignIn = { login: 'ada' }): Promise<URL> =>
  signIn((await world.authorize(caller, id)).authorizationUrl, person);

const loggedIn = async (): Promise<Connected> => {
  const connection = await connected();
  const { owner, id } = connection;
  expect(await world.finish(owner, await answerFor(owner, id))).toBe('authorized');
  return connection;
};

const tokenRequests = (): number => world.issuer.requests.filter((path) => path === '/token').length;

describe('a login', () => {
  it('lets the connection use the server as the person who signed in', async () => {
    const { owner, id } = await connected();
    expect(await world.get(owner, id)).toMatchObject({
      status: 'auth_required',
      health: { state: 'auth_expired', advice: expect.stringContaining('authorize') },
    });
    expect(await world.finish(owner, await answerFor(owner, id))).toBe('authorized');
    expect(await world.get(owner, id)).toMatchObject({
      status: 'connected',
      health: { state: 'ok' },
      tools: [{ name: 'whoami' }],
    });
    expect(await world.whoAmI(owner, id)).toBe('ada');
  });

  it('asks for a code with PKCE, for this resource, and to be sent back to the gateway', async () => {
    const { owner, id } = await connected();
    const { authorizationUrl, expiresAt } = await world.authorize(owner, id);
    const asked = new URL(authorizationUrl);
    expect(asked.origin).toBe(world.issuer.issuer);
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      resource: world.server.url,
      redirect_uri: 'https://parlance.example/hooks/mcp/oauth',
      state: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(600_000);
  });

  it('is finished once: a replayed answer finds nothing', async () => {
    const { owner, id } = await connected();
    const back = await answerFor(owner, id);
    const outcomes = await Promise.all([world.finish(owner, back), world.finish(owner, back)]);
    expect(outcomes.sort()).toEqual(['authorized', 'unknown']);
    expect(await world.finish(owner, back)).toBe('unknown');
  });

  it('is finished by nobody else, and waits for the person who began it', async () => {
    const { owner, id } = await connected();
    const back = await answerFor(owner, id);
    expect(await world.finish(callerOf(randomUUID(), 'u1'), back)).toBe('unknown');
    expect(await world.finish(callerOf(owner.organizationId, 'u2'), back)).toBe('unknown');
    expect((await world.get(owner, id)).status).toBe('auth_required');
    expect(await world.finish(owner, back)).toBe('authorized');
  });

  it('that began with an API key is finished by a person of the organization', async () => {
    const { owner, id } = await connected();
    const back = await answerFor(callerOf(owner.organizationId, 'k1', 'key'), id);
    expect(await world.finish(callerOf(randomUUID(), 'u1'), back)).toBe('unknown');
    expect(await world.finish(owner, back)).toBe('authorized');
  });

  it('that is too old is unknown', async () => {
    const { owner, id } = await connected();
    const back = await answerFor(owner, id);
    await world.db.query(`update mcp_oauth_logins set expires_at = now() where organization_id = $1`, [
      owner.organizationId,
    ]);
    expect(await world.finish(owner, back)).toBe('unknown');
  });

  it('that the person declines leaves the connection as it was', async () => {
    const { owner, id } = await connected();
    const back = await answerFor(owner, id, { login: 'ada', declines: true });
    expect(await world.finish(owner, back)).toBe('declined');
    expect((await world.get(owner, id)).status).toBe('auth_required');
  });

  it.each([
    ['another issuer', 'https://attacker.example'],
    ['no issuer', null],
  ])('whose answer names %s sends its code nowhere', async (_, iss) => {
    const { owner, id } = await connected();
    const back = await answerFor(owner, id);
    if (iss === null) back.searchParams.delete('iss');
    else back.searchParams.set('iss', iss);
    const before = tokenRequests();
    expect(await world.finish(owner, back)).toBe('other_issuer');
    expect(tokenRequests()).toBe(before);
    expect((await world.get(owner, id)).status).toBe('auth_required');
  });

  it('does not begin at a server whose metadata names another issuer or another resource', async () => {
    const liar = await startAuthorizationServer({ claimedIssuer: 'https://honest.example' });
    const servers = [
      await startProtectedServer({ authorizationServer: world.issuer, namedIssuers: [liar.issuer] }),
      await startProtectedServer({
        authorizationServer: world.issuer,
        claimedResource: 'https://other.example/mcp',
      }),
    ];
    try {
      const owner = callerOf(randomUUID(), 'u1');
      const refusals = await Promise.all(
        servers.map(async ({ url }) => refusal(world.authorize(owner, (await world.connect(owner, url)).id))),
      );
      expect(refusals).toEqual([
        { code: 'MCP_SERVER_ERROR', details: { reason: 'other_issuer' } },
        { code: 'MCP_SERVER_ERROR', details: { reason: 'other_resource' } },
      ]);
    } finally {
      await Promise.all([liar, ...servers].map((each) => each.stop()));
    }
  });

  it('uses a client that was registered by hand, where the server registers nobody', async () => {
    const redirectOfClientByHand = 'https://parlance.example/hooks/mcp/oauth';
    const issuer = await startAuthorizationServer({ registersClients: false, redirectOfClientByHand });
    const server = await startProtectedServer({ authorizationServer: issuer });
    try {
      const owner = callerOf(randomUUID(), 'u1');
      const { id: unknown } = await world.connect(owner, server.url);
      expect(await refusal(world.authorize(owner, unknown))).toEqual({
        code: 'MCP_SERVER_ERROR',
        details: { reason: 'not_supported' },
      });
      const auth = { type: 'oauth2' as const, clientId: 'by-hand' };
      const params = { mcpConnectionId: unknown };
      expect(await world.ask(contract.mcpUpdate, { params, body: { auth } }, owner)).toMatchObject({ auth });
      expect(await world.finish(owner, await answerFor(owner, unknown))).toBe('authorized');
      expect(await world.whoAmI(owner, unknown)).toBe('ada');
    } finally {
      await Promise.all([server.stop(), issuer.stop()]);
    }
  });

  it('is for connections with OAuth alone, and for those of the own organization', async () => {
    const { owner, id } = await connected();
    expect(await refusal(world.authorize(callerOf(randomUUID(), 'u1'), id))).toMatchObject({
      code: 'MCP_CONNECTION_NOT_FOUND',
    });
    const body = { name: 'Open', url: world.server.url };
    const { id: open } = await world.ask(contract.mcpConnect, { body }, owner);
    expect(await refusal(world.authorize(owner, open))).toMatchObject({ code: 'CONFLICT' });
  });
});

describe('tokens', () => {
  it('are refreshed once for twenty calls at two copies whose token the server refuses', async () => {
    const { owner, id } = await loggedIn();
    await world.issuer.expireAccessTokens();
    const before = tokenRequests();
    const answers = await Promise.all(Array.from({ length: 20 }, () => world.whoAmI(owner, id)));
    expect(new Set(answers)).toEqual(new Set(['ada']));
    expect(tokenRequests()).toBe(before + 1);
  });

  it('are refreshed before they end, so that the server refuses none', async () => {
    const { owner, id } = await loggedIn();
    await world.db.query(`update mcp_oauth_tokens set refresh_at = now() where connection_id = $1`, [id]);
    const [requests, refused] = [tokenRequests(), world.server.refused()];
    expect(await world.whoAmI(owner, id)).toBe('ada');
    expect([tokenRequests(), world.server.refused()]).toEqual([requests + 1, refused]);
  });

  it('are refreshed at the issuer that gave them, whatever the server names by now', async () => {
    const stranger = await startAuthorizationServer();
    try {
      const { owner, id } = await loggedIn();
      world.server.nameIssuers([stranger.issuer]);
      await world.issuer.expireAccessTokens();
      expect(await world.whoAmI(owner, id)).toBe('ada');
      expect(stranger.requests).toEqual([]);
    } finally {
      world.server.nameIssuers([world.issuer.issuer]);
      await stranger.stop();
    }
  });

  it('that the person has withdrawn ask for another login, with the address to open', async () => {
    const { owner, id } = await loggedIn();
    await world.issuer.withdrawGrants();
    expect(await refusal(world.whoAmI(owner, id))).toMatchObject({
      code: 'MCP_AUTH_REQUIRED',
      details: { authorizationUrl: expect.stringContaining(world.issuer.issuer) },
    });
    const params = { mcpConnectionId: id };
    expect((await world.ask(contract.mcpRefresh, { params }, owner)).status).toBe('auth_required');
    expect(await world.finish(owner, await answerFor(owner, id))).toBe('authorized');
    expect(await world.whoAmI(owner, id)).toBe('ada');
  });

  it('are revoked and forgotten when the connection ends', async () => {
    const { owner, id } = await loggedIn();
    const [access = '', refresh = ''] = world.issuer.issued.slice(-2);
    expect(await world.issuer.verify(access)).toBeDefined();
    await world.ask(contract.mcpDisconnect, { params: { mcpConnectionId: id } }, owner);
    await eventually(async () => expect(await world.issuer.verify(access)).toBeUndefined());
    await eventually(async () => {
      const { rowCount } = await world.db.query('select 1 from mcp_oauth_tokens where connection_id = $1', [
        id,
      ]);
      expect(rowCount).toBe(0);
    });
    expect(await world.issuer.knowsRefreshToken(refresh)).toBe(false);
  });
});

it('shows no token and no code in logs, on the broker, or in a column', async () => {
  const { owner, id } = await loggedIn();
  await world.issuer.expireAccessTokens();
  expect(await world.whoAmI(owner, id)).toBe('ada');
  const { issued } = world.issuer;
  expect(issued.length).toBeGreaterThan(30);
  const seen = { logs: world.logs, crossed: world.crossed, stored: await world.stored() };
  expect(seen.crossed).toContain(id);
  expect(seen.stored).toContain(id);
  expect(seen.logs).toContain(id);
  for (const [place, text] of Object.entries(seen)) {
    expect([place, issued.filter((value) => text.includes(value))]).toEqual([place, []]);
  }
});

// Of all that the tests above have stored.
it('lists every column where the service seals values, and opens all of them', async () => {
  const found = await sealedPlaces(world.db, sealing.sealedColumns, world.keyring);
  expect(found).toEqual({
    sealed: expect.arrayContaining(['mcp_oauth_clients.sealed', 'mcp_oauth_tokens.sealed']),
    unlisted: [],
    unopened: [],
  });
});
