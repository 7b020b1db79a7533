// Servers that follow the protocol in most of what they send. One odd tool is one odd tool, and a result that came is a result.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { McpConnection } from '@parlance/contracts';
import { OddServer } from '@parlance/fake-mcp/hostile';
import { newOrganization, type Organization } from '../testing/organization.js';
import { World } from '../testing/world.js';

let world: World;
let server: OddServer;
let org: Organization;
beforeAll(async () => {
  [world, server] = await Promise.all([World.start(), OddServer.start()]);
  org = newOrganization(world);
});
afterAll(() => Promise.all([server?.stop(), world?.stop()]));
beforeEach(() => server.behave());

const good = { name: 'good', description: 'd', inputSchema: { type: 'object', properties: {} } };
const odd = { ...good, name: 'odd' };

const connect = () => org.connect({ name: 'Odd', url: server.url, timeoutMs: 5_000 });
const connected = async (list: unknown): Promise<McpConnection> => {
  server.list = () => list;
  return connect();
};
const namesOf = ({ tools }: McpConnection) => tools.map(({ name }) => name);
const findingsOf = ({ warnings }: McpConnection) => warnings.map(({ tool, field }) => `${tool} ${field}`);

describe('a connection', () => {
  it('has the good tools of a list with odd ones, and a warning that names the tool and the field of each', async () => {
    const connection = await connected({
      tools: [
        { ...odd, outputSchema: { type: 'array' } },
        { ...odd, name: 'any', inputSchema: { anyOf: [{ type: 'object' }] } },
        { ...odd, name: 'hinted', annotations: { readOnlyHint: 'true' } },
        { ...odd, name: 'silent', description: null, title: null, annotations: null },
        { ...odd, name: 'text', inputSchema: { type: 'string' } },
        null,
        good,
      ],
      nextCursor: null,
      _meta: 'm',
    });
    expect(connection).toMatchObject({ status: 'connected', lastError: null });
    expect(namesOf(connection)).toEqual(['odd', 'any', 'hinted', 'silent', 'good']);
    expect(findingsOf(connection)).toEqual([
      'text inputSchema',
      'tools[5] tools[5]',
      'odd outputSchema.type',
      'any inputSchema.type',
      'hinted annotations.readOnlyHint',
      'silent title',
    ]);
    expect(connection.warnings.at(-1)?.message).toMatch(
      /title is null .*description is null .*annotations is null/,
    );
    expect((await org.get(connection.id)).warnings).toEqual(connection.warnings);
    expect(await org.execute(connection, 'any', {})).toMatchObject({ isError: false });
  });

  it.each<[string, () => void]>([
    ['answers by a stream', () => Object.assign(server, { streams: true })],
    [
      'has a handshake of its own',
      () =>
        Object.assign(server, {
          handshake: () => ({
            protocolVersion: '2025-06-18',
            capabilities: { tools: { listChanged: null }, logging: null, prompts: 'none' },
            serverInfo: { name: 'odd', version: 2, icons: 'i', title: null },
            instructions: null,
            _meta: null,
          }),
        }),
    ],
    [
      'says nothing of itself',
      () =>
        Object.assign(server, { handshake: () => ({ protocolVersion: '2024-11-05', capabilities: null }) }),
    ],
    [
      'wraps its results in its own way',
      () =>
        Object.assign(server, {
          envelope: (id: number, result: unknown) => ({ id: String(id), result, error: null, more: 1 }),
        }),
    ],
  ])('is used when its server %s', async (_, misbehave) => {
    misbehave();
    const connection = await connected({ tools: [good] });
    expect([connection.lastError, namesOf(connection)]).toEqual([null, ['good']]);
    server.result = () => ({ content: [{ type: 'text', text: 'sent' }] });
    expect(await org.execute(connection, 'good', {})).toMatchObject({
      content: [{ type: 'text', text: 'sent' }],
    });
  });

  it('has the tools before a cursor that never ends, in bounded requests, and says so', async () => {
    let pages = 0;
    server.list = () => {
      pages += 1;
      return { tools: [{ ...good, name: `tool_${pages}` }], nextCursor: `cursor_${pages}` };
    };
    const connection = await connect();
    expect(pages).toBe(20);
    expect(connection).toMatchObject({
      status: 'connected',
      warnings: [{ tool: '', code: 'list_incomplete' }],
    });
    expect(connection.tools).toHaveLength(20);
    server.list = () => ({ tools: [good], nextCursor: 'again' });
    const repeated = await org.refresh(connection);
    expect([namesOf(repeated), findingsOf(repeated)]).toEqual([['good'], [' nextCursor']]);
  });

  it('has the good tool beside 5,000 odd ones, with bounded warnings', async () => {
    const many = Array.from({ length: 5_000 }, (_, at) => ({ ...odd, name: `odd_${at}`, inputSchema: [] }));
    const connection = await connected({ tools: [...many, good] });
    expect([connection.status, namesOf(connection)]).toEqual(['connected', ['good']]);
    expect(connection.warnings).toHaveLength(64);
    expect(connection.warnings.at(-1)).toMatchObject({ code: 'more_warnings' });
  });

  it('has the good tool beside one that is nested without end', async () => {
    const depth = 20_000;
    const deepest = 'as deep as it goes';
    const nested = `${'{"a":'.repeat(depth)}{}${'}'.repeat(depth)}`;
    server.list = () => ({ tools: [{ ...odd, inputSchema: { deepest } }, good] });
    server.rewrite = (text) => text.replace(JSON.stringify(deepest), nested);
    const connection = await connect();
    expect([connection.lastError, namesOf(connection)]).toEqual([null, ['good']]);
    expect(connection.warnings).toMatchObject([
      { tool: 'odd', code: 'schema_too_deep', field: 'inputSchema' },
    ]);
  });
});

describe('an execution', () => {
  it.each<[string, unknown, object]>([
    ['null', null, { content: [] }],
    ['a string', 'sent', { content: [{ type: 'text', text: 'sent' }] }],
    ['a text without its text', { content: [{ type: 'text' }] }, { content: [{ type: 'text', text: '' }] }],
    [
      'an unknown kind of content',
      { content: [{ type: 'map', at: [1] }] },
      { content: [{ type: 'map', at: [1] }] },
    ],
    ['the shape of 2024', { toolResult: 7 }, { content: [{ type: 'text', text: '7' }] }],
    [
      'structured content that its schema does not allow',
      { content: [], structuredContent: { total: 'many' } },
      { structuredContent: { total: 'many' } },
    ],
    [
      'structured content that is an array',
      { structuredContent: [1] },
      { structuredContent: { result: [1] } },
    ],
    [
      'odd members beside its content',
      { content: [], _meta: 1, nextCursor: 7, isError: null },
      { isError: false },
    ],
  ])('hands on a result that is %s', async (_, result, shown) => {
    const outputSchema = { type: 'object', properties: { total: { type: 'integer' } }, required: ['total'] };
    const connection = await connected({ tools: [{ ...good, outputSchema }] });
    server.result = () => result;
    expect(await org.execute(connection, 'good', {})).toMatchObject({ isError: false, ...shown });
  });

  it('hands on the refusal of a server that gives its reason in its own way', async () => {
    const connection = await connected({ tools: [good] });
    server.envelope = (id) => ({ jsonrpc: '2.0', id, result: null, error: 'No such order.' });
    expect(await org.execute(connection, 'good', {})).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining('No such order.') }],
    });
  });

  it('hides a secret in a result of any shape', async () => {
    const secretId = org.secret('planted-token-99');
    server.list = () => ({ tools: [{ ...good, description: null, title: 'planted-token-99' }] });
    const connection = await org.connect({ url: server.url, auth: { type: 'bearer', secretId } });
    expect(JSON.stringify(connection)).not.toContain('planted-token-99');
    server.result = () => ({ toolResult: [{ said: 'planted-token-99' }] });
    const result = JSON.stringify(await org.execute(connection, 'good', {}));
    expect(result).toContain('•••');
    expect(result).not.toContain('planted-token-99');
  });
});
