// Connections against an MCP server of the official library.

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type Caller, contract, events, rolePermissions, serviceRequests } from '@parlance/contracts';
import { eventually, sealedPlaces, secretReportOf } from '@parlance/fixtures';
import { refusalCode } from '@parlance/fixtures/service';
import { sealing } from '../sealed-columns.js';
import { newAgentId, newOrganization, type Organization } from '../testing/organization.js';
import { findOrder, ShopServer, type ShopTool } from '../testing/shop-server.js';
import { World } from '../testing/world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world?.stop());

const usual = (): ShopTool[] => [findOrder];
afterEach(() => {
  world.shop.wants = undefined;
  world.beforeNote = undefined;
});

const shop = async (change: Parameters<Organization['connect']>[0] = {}) => {
  world.shop.tools = usual();
  const org = newOrganization(world);
  const connection = await org.connect(change);
  return { org, connection };
};

describe('a connection', () => {
  it('reads the tools of its server, and offers them to its agents alone', async () => {
    const { org, connection } = await shop();
    expect(connection).toMatchObject({
      ...{ status: 'connected', lastError: null, catalogSlug: null, warnings: [] },
      health: { state: 'ok', advice: null },
      serverInfo: { name: 'shop', version: '1.2.3', protocolVersion: '2026-07-28' },
      tools: [{ name: 'find_order', enabled: true, offered: true, offeredName: 'shop_find_order' }],
    });
    const [agentId, other] = [newAgentId(), newAgentId()];
    expect(await org.attach(connection, agentId)).toMatchObject({ attached: true });
    expect(await org.toolsOf(agentId)).toMatchObject([{ name: 'shop_find_order', serverName: 'Shop' }]);
    expect(await org.toolsOf(other)).toEqual([]);
    await org.detach(connection, agentId);
    expect(await org.toolsOf(agentId)).toEqual([]);
  });

  it('executes a tool and hands its result on', async () => {
    const { org, connection } = await shop();
    const result = await org.execute(connection, 'find_order', { number: 'A-7' });
    expect(result).toMatchObject({ structuredContent: { number: 'A-7', state: 'sent' }, isError: false });
  });

  it('sends its secret, and takes it out of all that comes back', async () => {
    world.shop.wants = 'Bearer planted-token-77';
    const org = newOrganization(world);
    const secretId = org.secret('planted-token-77');
    const echo: ShopTool = {
      ...findOrder,
      name: 'echo',
      description: 'Says planted-token-77.',
      inputSchema: { type: 'object' },
      answer: (_args, headers) => ({
        content: [{ type: 'text', text: `You sent ${headers.authorization}` }],
      }),
    };
    world.shop.tools = [echo];
    const connection = await org.connect({ auth: { type: 'bearer', secretId } });
    expect(connection.tools).toMatchObject([{ name: 'echo', description: 'Says •••.' }]);
    const { content } = await org.execute(connection, 'echo');
    expect(content).toEqual([{ type: 'text', text: 'You sent Bearer •••' }]);
    expect(world.referred).toContain(secretId);
  });

  it('fills the secrets that its headers mention by name, keeps them from being deleted, and hides them', async () => {
    world.shop.wants = 'Bearer planted-named-55';
    const org = newOrganization(world);
    const id = org.secret('planted-named-55', 'SHOP_TOKEN');
    const headers = { Authorization: 'Bearer {{secrets.SHOP_TOKEN}}' };
    world.shop.tools = [{ ...findOrder, description: 'Says planted-named-55.' }];
    const connection = await org.connect({ headers });
    expect(connection).toMatchObject({ headers, status: 'connected' });
    expect(connection.tools).toMatchObject([{ description: 'Says •••.' }]);
    expect(world.referred).toContain(id);
    const params = { mcpConnectionId: connection.id };
    expect(await world.ask(serviceRequests.mcpSecretReferences, { body: params }, org.caller)).toMatchObject({
      ids: [],
      names: ['SHOP_TOKEN'],
    });
    const { origin } = new URL(connection.url);
    expect(
      await secretReportOf(world.nats, org.id, { type: 'mcp_connection', id: connection.id }),
    ).toMatchObject({ names: ['SHOP_TOKEN'], uses: [{ origin, names: ['SHOP_TOKEN'] }] });
    world.secrets.set(id, { organizationId: org.id, name: 'SHOP_TOKEN', value: 'rotated-named-56' });
    world.shop.wants = 'Bearer rotated-named-56';
    expect(await org.execute(connection, 'find_order', { number: 'A' })).toMatchObject({ isError: false });
  });

  it('counts the secrets of a save under way as mentioned, for a new connection and for a changed one', async () => {
    const org = newOrganization(world);
    const [first, second] = [org.secret('planted-first-31'), org.secret('planted-second-32')];
    const seen: unknown[] = [];
    world.beforeNote = async (mcpConnectionId) => {
      const body = { mcpConnectionId };
      seen.push((await world.ask(serviceRequests.mcpSecretReferences, { body }, org.caller)).ids);
    };
    const connection = await org.connect({ auth: { type: 'bearer', secretId: first } });
    await org.update(connection, { auth: { type: 'bearer', secretId: second } });
    expect(seen).toEqual([[first], [first, second]]);
    const body = { mcpConnectionId: connection.id };
    expect(await world.ask(serviceRequests.mcpSecretReferences, { body }, org.caller)).toMatchObject({
      ids: [second],
    });
  });

  it('is not saved when the note of its secrets is too old to count', async () => {
    const org = newOrganization(world);
    const secretId = org.secret('planted-late-33');
    world.beforeNote = async (id) => {
      await world.db.query(`update secret_saves set until = now() where user_id = $1`, [id]);
    };
    expect(await refusalCode(org.connect({ auth: { type: 'bearer', secretId } }))).toBe(
      'SERVICE_UNAVAILABLE',
    );
    expect(await org.list()).toEqual([]);
    const left = await world.db.query('select 1 from secret_saves where organization_id = $1', [org.id]);
    expect(left.rowCount).toBe(0);
  });

  it('is given a secret for a new server by somebody who may allow it, and by nobody else', async () => {
    const org = newOrganization(world);
    const member = { ...org.caller, permissions: [...rolePermissions.member] };
    const secretId = org.secret('planted-bound-11');
    const connectAs = (caller: Caller, more: object) =>
      world.ask(contract.mcpConnect, { body: { name: 'Shop', url: world.shop.url, ...more } }, caller);
    const auth = { type: 'bearer', secretId };
    expect(await refusalCode(connectAs(member, { auth }))).toBe('SECRET_ORIGIN_NOT_ALLOWED');
    expect(await refusalCode(connectAs(member, { headers: { 'x-key': { secretId } } }))).toBe(
      'SECRET_ORIGIN_NOT_ALLOWED',
    );
    // Which authorization server gets it is known at the login.
    const oauth = { type: 'oauth2', clientId: 'by-hand', secretId };
    expect(await refusalCode(connectAs(member, { auth: oauth }))).toBe('SECRET_ORIGIN_NOT_ALLOWED');
    expect(await org.list()).toEqual([]);
    world.shop.wants = 'Bearer planted-bound-11';
    const connection = await connectAs(org.caller, { auth });
    expect(connection.status).toBe('connected');
    expect((await connectAs(member, { auth })).status).toBe('connected');

    world.allowed.delete(secretId);
    const { lastError, status } = await org.refresh(connection);
    expect([status, lastError]).toEqual([
      'auth_required',
      'A secret of this connection is not allowed for the origin of the server.',
    ]);
  });

  it.each([
    [{ A: '{{secrets.UNKNOWN}}' }, 'SECRET_NOT_FOUND'],
    [{ A: 'Bearer {{secrets.}}' }, 'SECRET_REFERENCE_NOT_ALLOWED'],
    [{ A: '{{ secrets.lower }}' }, 'SECRET_REFERENCE_NOT_ALLOWED'],
    [{ A: '{{secrets.KEY}} {{secrets' }, 'SECRET_REFERENCE_NOT_ALLOWED'],
    [{ A: '{{secrets.KEY}} {{name}}' }, 'VALIDATION_ERROR'],
    [{ Host: '{{secrets.KEY}}' }, 'VALIDATION_ERROR'],
  ])('is refused with the headers %j', async (headers, code) => {
    const org = newOrganization(world);
    org.secret('planted');
    expect(await refusalCode(org.connect({ headers }))).toBe(code);
    expect(await org.list()).toEqual([]);
  });

  it('needs credentials when the server wants others, and is well again with them', async () => {
    world.shop.wants = 'Bearer right-token';
    const org = newOrganization(world);
    const secretId = org.secret('wrong-token');
    const connection = await org.connect({ auth: { type: 'bearer', secretId } });
    expect(connection).toMatchObject({ status: 'auth_required', health: { state: 'auth_expired' } });
    const right = org.secret('right-token');
    expect(await org.update(connection, { auth: { type: 'bearer', secretId: right } })).toMatchObject({
      status: 'connected',
      health: { state: 'ok' },
    });
  });

  it('is gone when it is disconnected, with its tools and executions', async () => {
    const { org, connection } = await shop();
    const agentId = newAgentId();
    await org.attach(connection, agentId);
    await org.execute(connection, 'find_order', { number: 'A-7' });
    await org.disconnect(connection);
    expect(await org.list()).toEqual([]);
    expect(await org.toolsOf(agentId)).toEqual([]);
    for (const table of ['mcp_connections', 'mcp_tools', 'mcp_attachments', 'mcp_executions']) {
      const { rows } = await world.db.query(`select 1 from ${table} where organization_id = $1`, [org.id]);
      expect([table, rows]).toEqual([table, []]);
    }
  });
});

/** The number of statements of this service that wait for a locked row. */
const waitingForLocks = async (): Promise<number> => {
  const { rowCount } = await world.db.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
     and query like 'update mcp_connections c set refresh_lease%'`,
  );
  return rowCount;
};

describe('a refresh', () => {
  it('is one for all who ask at the same moment', async () => {
    const { org, connection } = await shop();
    const before = world.shop.listed;
    const listingsGoOn = world.shop.holdListings();
    // The locked row holds all four at the same step, and the server answers after each of them has passed it. So none of them
    // comes so late that the refresh of the others has ended.
    const asked = await world.db.transaction(async (tx) => {
      await tx.query('select 1 from mcp_connections where id = $1 for update', [connection.id]);
      const all = Promise.all([1, 2, 3, 4].map(() => org.refresh(connection)));
      await eventually(async () => expect(await waitingForLocks()).toBe(4));
      return { all };
    });
    await eventually(async () => expect(await waitingForLocks()).toBe(0));
    listingsGoOn();
    const answers = await asked.all;
    expect(answers.map(({ status }) => status)).toEqual(Array(4).fill('connected'));
    expect(world.shop.listed).toBe(before + 1);
  });

  it('follows when the server says that its tools have changed, and when it is well again', async () => {
    const { org, connection } = await shop();
    world.shop.tools = [findOrder, { ...findOrder, name: 'new' }];
    world.shop.tellToolsChanged();
    const namesAre = (names: string[]) =>
      eventually(async () =>
        expect((await org.get(connection.id)).tools.map(({ name }) => name)).toEqual(names),
      );
    await namesAre(['find_order', 'new']);
    world.shop.wants = 'Bearer other';
    expect(await org.refresh(connection)).toMatchObject({ status: 'auth_required' });
    world.shop.wants = undefined;
    const soon = `update mcp_connections set refresh_due_at = now() where id = $1`;
    await world.db.query(soon, [connection.id]);
    await eventually(async () => expect(await org.get(connection.id)).toMatchObject({ status: 'connected' }));
  });
});

describe('the state of a connection', () => {
  it('is told to others when it changes, and not while it stays', async () => {
    const away = new ShopServer();
    await away.listen();
    const org = newOrganization(world);
    const told = () => world.eventsOf(org.id, events.mcpConnectionSaved);
    const connection = await org.connect({ url: away.url });
    await eventually(() => expect(told()).toHaveLength(2));
    await away.stop();
    expect(await org.refresh(connection)).toMatchObject({ status: 'error' });
    await eventually(() => expect(told()).toHaveLength(3));
    await org.refresh(connection);
    await org.update(connection, { name: 'Away' });
    // The new name, and nothing of the second failure.
    await eventually(() => expect(told().length).toBeGreaterThan(3));
    expect(told().map(({ data }) => data)).toEqual(Array(4).fill({ mcpConnectionId: connection.id }));
  });
});

describe('the settings of a connection', () => {
  it('keep a literal header sealed: readers see a mask, the server gets the value, and a mask keeps it', async () => {
    const said: ShopTool = {
      ...findOrder,
      name: 'said',
      inputSchema: { type: 'object' },
      answer: (_args, headers) => ({
        content: [{ type: 'text', text: headers['x-shop'] === 'planted-header-9' ? 'right' : 'wrong' }],
      }),
    };
    world.shop.tools = [said];
    const org = newOrganization(world);
    const connection = await org.connect({ headers: { 'X-Shop': 'planted-header-9' } });
    expect(connection.headers).toEqual({ 'X-Shop': '•••' });
    const kept = await org.update(connection, { headers: { 'X-Shop': '•••' }, name: 'Store' });
    expect(kept).toMatchObject({ name: 'Store', headers: { 'X-Shop': '•••' }, status: 'connected' });
    expect(await org.execute(connection, 'said')).toMatchObject({ content: [{ text: 'right' }] });
    const { rows } = await world.db.query('select * from mcp_connections where organization_id = $1', [
      org.id,
    ]);
    expect(JSON.stringify(rows)).not.toContain('planted-header-9');
    for (const headers of [{ 'X-New': '•••' }, { 'mcp-session-id': 'x' }, { Host: 'x' }])
      expect([headers, await refusalCode(org.update(connection, { headers }))]).toEqual([
        headers,
        'VALIDATION_ERROR',
      ]);
  });

  it('keep what was approved of a tool beside what it is now', async () => {
    world.shop.tools = usual();
    const org = newOrganization(world);
    const connection = await org.connect({ approvalPolicy: 'per_tool' });
    expect(connection.tools).toMatchObject([{ approvedDefinition: null }]);
    const { description, title } = findOrder;
    const approve = async ([tool]: readonly { readonly hash: string }[]) =>
      (await org.approve(connection, 'find_order', tool?.hash ?? '')).tools;
    expect(await approve(connection.tools)).toMatchObject([{ approvedDefinition: { title, description } }]);
    world.shop.tools = [{ ...findOrder, description: 'Deletes an order.' }];
    const changed = await org.refresh(connection);
    expect(changed.tools).toMatchObject([
      { description: 'Deletes an order.', changedSinceApproval: true, approvedDefinition: { description } },
    ]);
    expect(await approve(changed.tools)).toMatchObject([
      { changedSinceApproval: false, approvedDefinition: { description: 'Deletes an order.' } },
    ]);
  });

  it('switch single tools off, and per_tool keeps what was offered until then', async () => {
    world.shop.tools = [findOrder, { ...findOrder, name: 'other' }];
    const org = newOrganization(world);
    const connection = await org.connect();
    const agentId = newAgentId();
    await org.attach(connection, agentId);
    const names = async () => (await org.toolsOf(agentId)).map(({ name }) => name);
    await org.update(connection, { tools: [{ name: 'other', enabled: false }] });
    expect(await names()).toEqual(['shop_find_order']);
    expect(await refusalCode(org.execute(connection, 'other', { number: 'A' }))).toBe('MCP_TOOL_NOT_FOUND');
    await org.update(connection, { approvalPolicy: 'per_tool' });
    expect(await names()).toEqual(['shop_find_order']);
    world.shop.tools = [{ ...findOrder, name: 'new' }, findOrder];
    await org.refresh(connection);
    expect(await names()).toEqual(['shop_find_order']);
    const unknown = { tools: [{ name: 'nothing', enabled: true }] };
    expect(await refusalCode(org.update(connection, unknown))).toBe('MCP_TOOL_NOT_FOUND');
  });

  it('keep the last good tools while the server is away, and a name of its own for each connection', async () => {
    const away = new ShopServer();
    await away.listen();
    const org = newOrganization(world);
    const connection = await org.connect({ url: away.url });
    const second = await org.connect();
    const offered = [connection, second].flatMap(({ tools }) => tools.map(({ offeredName }) => offeredName));
    expect(new Set(offered).size).toBe(offered.length);
    await away.stop();
    const refreshed = await org.refresh(connection);
    expect(refreshed).toMatchObject({
      ...{ status: 'error', lastError: expect.any(String), tools: connection.tools },
      health: { state: 'unreachable', advice: expect.any(String) },
    });
    expect(await refusalCode(org.execute(connection, 'find_order', { number: 'A' }))).toBe(
      'MCP_SERVER_ERROR',
    );
  });
});

describe('what is refused', () => {
  it('is an address that leads inside, or holds a credential', async () => {
    const org = newOrganization(world);
    for (const url of [
      'https://10.0.0.1/mcp',
      'http://localhost:9/mcp',
      'https://me:word@example.com/mcp',
      'https://example.com/mcp?api_key=1',
      'https://example.com/mcp?access_token=1',
      'https://example.com/s/sk-abcdef/mcp',
      'file:///etc/passwd',
    ])
      expect([url, await refusalCode(org.connect({ url }))]).toEqual([url, 'URL_NOT_ALLOWED']);
    expect(await org.list()).toEqual([]);
  });

  it('is what another organization has, as if it did not exist', async () => {
    const { connection } = await shop();
    const other = newOrganization(world);
    const asked = [
      other.refresh(connection),
      other.disconnect(connection),
      other.attach(connection, newAgentId()),
      other.execute(connection, 'find_order'),
      other.update(connection, { name: 'Theirs' }),
      other.approve(connection, 'find_order', '0'.repeat(64)),
    ];
    const answers = await Promise.all(asked.map(refusalCode));
    expect(answers).toEqual(asked.map(() => 'MCP_CONNECTION_NOT_FOUND'));
  });

  it('is an unknown tool, and arguments that do not fit, before anything is sent', async () => {
    const { org, connection } = await shop();
    const before = world.shop.executed.length;
    expect(await refusalCode(org.execute(connection, 'nothing'))).toBe('MCP_TOOL_NOT_FOUND');
    for (const args of [{}, { number: 7 }, { number: 'A', lines: 10 }, { number: 'A', more: true }])
      expect([args, await refusalCode(org.execute(connection, 'find_order', args))]).toEqual([
        args,
        'VALIDATION_ERROR',
      ]);
    expect(world.shop.executed.length).toBe(before);
  });

  it('is a secret or an agent that does not exist, and a catalog entry that nobody knows', async () => {
    const { org, connection } = await shop();
    expect(await refusalCode(org.attach(connection, randomUUID().replace(/^./, 'b')))).toBe(
      'AGENT_NOT_FOUND',
    );
    const auth = { type: 'bearer' as const, secretId: randomUUID() };
    expect(await refusalCode(org.connect({ auth }))).toBe('SECRET_NOT_FOUND');
    expect(await org.list()).toHaveLength(1);
  });
});

// Of all that the tests above have stored.
it('lists every column where the service seals values, and opens all of them', async () => {
  const found = await sealedPlaces(world.db, sealing.sealedColumns, world.keyring);
  expect(found).toEqual({
    sealed: expect.arrayContaining(['mcp_connections.headers']),
    unlisted: [],
    unopened: [],
  });
});
