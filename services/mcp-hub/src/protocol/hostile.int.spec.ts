// Connections to a server that misbehaves in every way that a client fears.

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { McpConnection } from '@parlance/contracts';
import { type HostileMode, type HostileServer, startHostileServer } from '@parlance/fake-mcp/hostile';
import { eventually } from '@parlance/fixtures';
import { refusalCode } from '@parlance/fixtures/service';
import { newOrganization, type Organization } from '../testing/organization.js';
import { World } from '../testing/world.js';

let world: World;
let hostile: HostileServer;
let org: Organization;
beforeAll(async () => {
  world = await World.start();
  // The operator has not named this address, so the platform does not call it.
  hostile = await startHostileServer({ redirectTo: 'http://127.0.0.2:9/mcp' });
  org = newOrganization(world);
});
afterAll(async () => {
  await hostile?.stop();
  await world?.stop();
});

const connect = (mode: HostileMode, change: Parameters<Organization['connect']>[0] = {}) =>
  org.connect({ name: mode, url: hostile.url(mode), timeoutMs: 5_000, ...change });
const stateOf = ({ status, lastError }: McpConnection) => [status, lastError];
const namesOf = ({ tools }: McpConnection) => tools.map(({ name }) => name);
const echo = (connection: McpConnection) => org.execute(connection, 'echo', { text: 'good day' });
const failureOf = async (connection: McpConnection) =>
  echo(connection).then(
    () => undefined,
    ({ code, details }) => [code, ...(details === undefined ? [] : [details.reason])],
  );

describe('a server', () => {
  it('that behaves is used, which shows that the others fail for their own reasons', async () => {
    const connection = await connect('honest');
    expect(stateOf(connection)).toEqual(['connected', null]);
    expect(await echo(connection)).toMatchObject({ content: [{ text: 'good day' }], isError: false });
  });

  it('that is far away is used: an answer that has come is not taken for lost while the next is on its way', async () => {
    const connection = await connect('distant');
    expect(stateOf(connection)).toEqual(['connected', null]);
    expect(await echo(connection)).toMatchObject({ content: [{ text: 'good day' }], isError: false });
  });

  it.each<[HostileMode, RegExp]>([
    ['no-json', /not MCP/],
    ['no-json-rpc', /not MCP/],
    ['redirect', /another place/],
    ['huge-list', /too large/],
    ['ten-thousand-tools', /more than 256 tools|too large/],
  ])('with %s is no good, in our words, and the request is answered', async (mode, reason) => {
    const connection = await connect(mode);
    expect(connection).toMatchObject({ status: 'error', tools: [], health: { state: 'unreachable' } });
    expect(connection.lastError).toMatch(reason);
    expect(connection.health.advice).toEqual(expect.any(String));
  });

  it('that never answers, or not in time, costs its own request that time, and no other connection', async () => {
    const late: readonly HostileMode[] = ['hang-on-call', 'slow-loris', 'wrong-ids'];
    const [hanging, failures] = await Promise.all([
      connect('hang-on-connect'),
      Promise.all(late.map(async (mode) => failureOf(await connect(mode)))),
      connect('honest').then(async (other) => expect(await echo(other)).toMatchObject({ isError: false })),
    ]);
    expect(stateOf(hanging)).toEqual(['error', 'The server did not answer in time.']);
    expect(failures).toEqual(late.map(() => ['MCP_TIMEOUT']));
    // A call that is given up ends its request too.
    await eventually(() => expect(late.map((mode) => hostile.open(mode))).toEqual([0, 0, 0]));
  });

  it('that dies in the middle of an answer fails at once, and not by its deadline', async () => {
    const connection = await connect('die-mid-answer', { timeoutMs: 300_000 });
    expect(await failureOf(connection)).toEqual(['MCP_SERVER_ERROR', 'unreachable']);
  });

  it.each<[HostileMode, string[]]>([
    ['huge-answer', ['MCP_SERVER_ERROR', 'too_large']],
    ['endless-stream', ['MCP_SERVER_ERROR', 'too_large']],
  ])('with %s fails that call, and keeps no answer open', async (mode, failure) => {
    // A busy machine may need more than the usual time for so much.
    const connection = await connect(mode, { timeoutMs: 300_000 });
    expect(await failureOf(connection)).toEqual(failure);
    await eventually(() => expect(hostile.open(mode)).toBe(0));
  });

  it('that forgets its sessions gets a new one for the next call', async () => {
    const connection = await connect('forgets-sessions');
    for (const _ of [1, 2, 3]) expect(await echo(connection)).toMatchObject({ isError: false });
  });

  it('that floods with notifications before its answer is either read or given up, and the next is answered', async () => {
    const connection = await connect('notification-flood');
    const outcome = await echo(connection).then(
      ({ isError }) => isError,
      ({ code }) => code,
    );
    expect([false, 'MCP_SERVER_ERROR']).toContain(outcome);
    expect(await echo(await connect('honest'))).toMatchObject({ isError: false });
  });
});

describe('tools', () => {
  it('beside schemas that are too deep or too large are used', async () => {
    const connection = await connect('schema-bomb');
    expect([connection.status, namesOf(connection)]).toEqual(['connected', ['folded', 'echo', 'headers']]);
    expect(connection.warnings.map(({ tool, code }) => [tool, code])).toEqual([
      ['deep', 'schema_too_deep'],
      ['huge', 'schema_too_large'],
    ]);
  });

  it('of a list without end are those of its first pages', async () => {
    const connection = await connect('endless-pages');
    expect([connection.status, connection.tools.length]).toEqual(['connected', 20]);
    expect(connection.warnings).toMatchObject([{ tool: '', code: 'list_incomplete' }]);
    expect(hostile.asked('endless-pages').filter((method) => method === 'tools/list')).toHaveLength(20);
  });

  it('with unusable names are left out with a warning', async () => {
    const connection = await connect('unusable-names');
    for (const name of namesOf(connection)) expect(name).toMatch(/^[A-Za-z0-9_-][A-Za-z0-9_./-]*$/);
    for (const { offeredName } of connection.tools) expect(offeredName).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(connection.warnings.map(({ code }) => code)).toContain('name_not_usable');
  });

  it('with hidden instructions are held back under every policy, until a person approves them', async () => {
    const connection = await connect('hidden-instructions');
    const flagged = connection.warnings.filter(({ code }) => code === 'hidden_instructions');
    expect(flagged.length).toBeGreaterThan(0);
    const held = connection.tools.filter(({ offered }) => !offered);
    expect(held.map(({ name }) => name).sort()).toEqual(flagged.map(({ tool }) => tool).sort());
    const [tool] = held;
    if (tool === undefined) throw new Error('no tool is held back');
    expect(await refusalCode(org.execute(connection, tool.name, {}))).toBe('MCP_TOOL_NOT_APPROVED');
    const approved = await org.approve(connection, tool.name, tool.hash);
    expect(approved.tools.find(({ name }) => name === tool.name)).toMatchObject({ offered: true });
  });

  it('that read differently at each look show their drift, and wait under per_tool', async () => {
    const connection = await connect('changing-tools');
    const changed = await org.refresh(connection);
    expect(changed.health).toMatchObject({ state: 'drifted', advice: expect.any(String) });
    expect(changed.tools.some(({ changedSinceApproval, offered }) => changedSinceApproval && offered)).toBe(
      true,
    );
    const careful = await connect('changing-tools', { name: 'careful', approvalPolicy: 'per_tool' });
    const [tool] = careful.tools;
    if (tool === undefined) throw new Error('the server lists nothing');
    expect(tool).toMatchObject({ offered: false, approvedHash: null });
    const approved = await org.approve(careful, tool.name, tool.hash);
    expect(approved.tools[0]).toMatchObject({ offered: true, approvedHash: tool.hash });
    expect((await org.refresh(careful)).tools[0]).toMatchObject({
      offered: false,
      changedSinceApproval: true,
    });
    expect(await refusalCode(org.execute(careful, tool.name, { text: 'x' }))).toBe('MCP_TOOL_NOT_APPROVED');
    expect(await refusalCode(org.approve(careful, tool.name, tool.hash))).toBe('CONFLICT');
  });
});
