// Executions of tools: in calls and outside, once each, on record, and deleted together with their connection or
// organization.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { events, type McpConnection } from '@parlance/contracts';
import { eventually, tellRemoval } from '@parlance/fixtures';
import { refusalCode } from '@parlance/fixtures/service';
import { parseJson, stringifyJson } from '@parlance/json';
import { newAgentId, newOrganization, type Organization } from '../testing/organization.js';
import { bigOrder, findOrder, type ShopTool } from '../testing/shop-server.js';
import { World } from '../testing/world.js';

let world: World;
let org: Organization;
let connection: McpConnection;
let call: { agentId: string; callId: string };
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world?.stop());

/** Waits until the test lets it answer. */
const slow = (): { readonly tool: ShopTool; readonly waiting: (() => void)[] } => {
  const waiting: (() => void)[] = [];
  const answer = () =>
    new Promise<{ content: [] }>((resolve) => waiting.push(() => resolve({ content: [] })));
  return { tool: { ...findOrder, name: 'slow', inputSchema: { type: 'object' }, answer }, waiting };
};
const no: ShopTool = {
  ...findOrder,
  name: 'no',
  inputSchema: { type: 'object' },
  answer: () => ({ content: [{ type: 'text', text: 'No such order.' }], isError: true }),
};
const crash: ShopTool = {
  ...no,
  name: 'crash',
  answer: () => {
    throw new Error('database of the shop is away');
  },
};

beforeEach(async () => {
  world.shop.tools = [findOrder, bigOrder, no, crash];
  world.shop.executed.length = 0;
  org = newOrganization(world);
  connection = await org.connect();
  call = { agentId: newAgentId(), callId: `call_${randomUUID()}` };
  await org.attach(connection, call.agentId);
});

const statuses = async () => {
  const { rows } = await world.db.query<{ status: string }>(
    'select status from mcp_executions where organization_id = $1 order by started_at',
    [org.id],
  );
  return rows.map(({ status }) => status);
};

describe('an execution', () => {
  it('in a call gives the model its result, and the record of the call hears of it', async () => {
    const result = await org.executeInCall(call, 'shop_find_order', { number: 'A-7' });
    expect(result).toMatchObject({
      result: { number: 'A-7', state: 'sent' },
      isError: false,
      assignments: {},
    });
    await eventually(async () => expect(await statuses()).toEqual(['ok']));
    await eventually(() =>
      expect(world.eventsOf(org.id, events.mcpToolExecuted)).toMatchObject([
        { data: { ...call, name: 'shop_find_order', arguments: { number: 'A-7' }, status: 'ok' } },
      ]),
    );
  });

  it('gets the real words where the agent hides personal data, and no record has them', async () => {
    world.hiding.add(call.agentId);
    const number = '4111 1111 1111 1111';
    expect(await org.executeInCall(call, 'shop_find_order', { number })).toMatchObject({
      result: { number },
    });
    await eventually(() =>
      expect(world.eventsOf(org.id, events.mcpToolExecuted)[0]?.data).toMatchObject({
        arguments: { number: '[card number]' },
        result: { number: '[card number]' },
      }),
    );
    const { rows } = await world.db.query<{ row: string }>(
      'select t::text as row from mcp_executions t where organization_id = $1',
      [org.id],
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('4111');
  });

  it('keeps every digit of numbers in arguments and results, in a call and outside', async () => {
    const given = '{"ids":[9007199254740993,1.0,-0,1E400]}';
    const args = parseJson(given) as Record<string, number[]>;
    const { result } = await org.executeInCall(call, 'shop_big_order', args);
    expect(stringifyJson(result)).toBe('{"orderId":7615917337495251231,"total":10.50}');
    const outside = await org.execute(connection, 'big_order', args);
    expect(stringifyJson(outside)).toContain('{"orderId":7615917337495251231,"total":10.50}');
    expect(world.shop.bodies.filter((body) => body.includes(`"arguments":${given}`))).toHaveLength(2);
    await eventually(() =>
      expect(stringifyJson(world.eventsOf(org.id, events.mcpToolExecuted)[0]?.data.arguments)).toBe(given),
    );
  });

  it('that a server refuses is a result, in a call and outside', async () => {
    expect(await org.execute(connection, 'no')).toMatchObject({ isError: true });
    expect(await org.execute(connection, 'crash')).toMatchObject({ isError: true });
    expect(await org.executeInCall(call, 'shop_no')).toMatchObject({
      isError: true,
      result: 'No such order.',
    });
    await eventually(async () => expect(await statuses()).toEqual(['error', 'error', 'error']));
  });

  it('with unfit arguments tells the model what is wrong, and nothing is sent', async () => {
    const result = await org.executeInCall(call, 'shop_find_order', { number: 7 });
    expect(result).toMatchObject({ isError: true, result: expect.stringContaining('arguments.number') });
    expect(world.shop.executed).toEqual([]);
  });

  it('that is named runs once, however often it is asked for', async () => {
    const { tool, waiting } = slow();
    world.shop.tools = [tool];
    await org.refresh(connection);
    const executionId = randomUUID();
    const asked = [1, 2, 3].map(() => org.executeInCall(call, 'shop_slow', {}, executionId));
    await eventually(() => expect(waiting).toHaveLength(1));
    waiting[0]?.();
    const answers = await Promise.all(asked);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(world.shop.executed).toEqual(['slow']);
    expect(await refusalCode(org.executeInCall(call, 'shop_slow', { n: 2 }, executionId))).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    );
    const commandId = randomUUID();
    const again = [1, 2].map(() => org.execute(connection, 'slow', {}, { commandId }));
    await eventually(() => expect(waiting).toHaveLength(2));
    waiting[1]?.();
    await Promise.all(again);
    expect(world.shop.executed).toEqual(['slow', 'slow']);
  });

  it('is refused for an agent that does not use the connection, and long after the end of its call', async () => {
    const stranger = { agentId: newAgentId(), callId: call.callId };
    expect(await refusalCode(org.executeInCall(stranger, 'shop_find_order', { number: 'A' }))).toBe(
      'TOOL_NOT_FOUND',
    );
    expect(await refusalCode(newOrganization(world).executeInCall(call, 'shop_find_order'))).toBe(
      'TOOL_NOT_FOUND',
    );
    const more = { agentId: stranger.agentId };
    expect(await refusalCode(org.execute(connection, 'find_order', { number: 'A' }, more))).toBe(
      'MCP_TOOL_NOT_FOUND',
    );
    await org.endCall(call, new Date(Date.now() - 660_000));
    await eventually(async () =>
      expect(await refusalCode(org.executeInCall(call, 'shop_find_order', { number: 'A' }))).toBe(
        'UNAUTHENTICATED',
      ),
    );
  });

  it('whose process died is ended by another, and announced', async () => {
    await org.executeInCall(call, 'shop_find_order', { number: 'A-7' });
    await eventually(async () => expect(await statuses()).toEqual(['ok']));
    await world.db.query(
      `update mcp_executions set status = 'running', ends_by = now() - interval '2 minutes' where organization_id = $1`,
      [org.id],
    );
    const told = () => world.eventsOf(org.id, events.mcpToolExecuted).map(({ data }) => data.status);
    await eventually(() => expect(told()).toEqual(['ok', 'error']), { timeoutMs: 60_000 });
    expect(await statuses()).toEqual(['error']);
  });
});

describe('nothing is left', () => {
  const tables = [
    ...['mcp_connections', 'mcp_tools', 'mcp_agents', 'mcp_attachments', 'mcp_executions', 'ended_calls'],
  ];
  const left = async () => {
    const counts = await Promise.all(
      tables.map((table) => world.db.query(`select 1 from ${table} where organization_id = $1`, [org.id])),
    );
    return tables.filter((_, index) => (counts[index]?.rows.length ?? 0) > 0);
  };

  it('of the attachments of an agent that is deleted, and a late attachment is refused', async () => {
    await world.announce(events.agentDeleted, org.id, { agentId: call.agentId, name: 'Desk' });
    await eventually(async () => expect((await org.get(connection.id)).agentIds).toEqual([]));
    expect(await org.toolsOf(call.agentId)).toEqual([]);
    expect(await refusalCode(org.attach(connection, call.agentId))).toBe('AGENT_NOT_FOUND');
  });

  it('of an organization that is removed, though a call of it was just executed', async () => {
    await org.executeInCall(call, 'shop_find_order', { number: 'A-7' });
    await org.endCall(call, new Date());
    await eventually(async () => expect(await left()).toEqual(tables));
    await tellRemoval(world.nats, org.id);
    await eventually(async () => expect(await left()).toEqual([]));
    expect(await refusalCode(org.connect())).toBe('CONFLICT');
    expect(await left()).toEqual([]);
  });
});
