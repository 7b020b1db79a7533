// A thousand executions over twenty connections of one organization, one of which is dead and one of which hangs.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { McpConnection } from '@parlance/contracts';
import { type HostileServer, startHostileServer } from '@parlance/fake-mcp/hostile';
import { eventually } from '@parlance/fixtures';
import { newOrganization } from '../testing/organization.js';
import { ShopServer } from '../testing/shop-server.js';
import { World } from '../testing/world.js';

const connections = 20;
const executions = 1_000;
/** Fewer than the executions that hang in all: at times most workers wait for the hanging server. */
const atOnce = 40;

let world: World;
let hostile: HostileServer;
beforeAll(async () => {
  [world, hostile] = await Promise.all([World.start(), startHostileServer()]);
});
afterAll(() => Promise.all([hostile?.stop(), world?.stop()]));

it('the eighteen others lose nothing', async () => {
  const org = newOrganization(world);
  const dying = new ShopServer();
  await dying.listen();
  const well = await Promise.all(
    Array.from({ length: connections - 2 }, (_, index) => org.connect({ name: `Shop ${index}` })),
  );
  const dead = await org.connect({ name: 'Dead', url: dying.url });
  const hanging = await org.connect({ name: 'Hanging', url: hostile.url('hang-on-call'), timeoutMs: 5_000 });
  await dying.stop();
  const all = [...well, dead, hanging];
  const outcomes = new Map<McpConnection, string[]>(all.map((one) => [one, []]));

  const execute = async (index: number): Promise<void> => {
    const connection = all[index % all.length];
    if (connection === undefined) throw new Error('no such connection');
    const [tool, args] =
      connection === hanging ? ['echo', { text: 'x' }] : ['find_order', { number: `A-${index}` }];
    const outcome = await org.execute(connection, String(tool), Object(args)).then(
      ({ structuredContent, isError }) => (isError ? 'error' : String(structuredContent?.number)),
      ({ code }) => String(code),
    );
    outcomes.get(connection)?.push(outcome);
  };
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < executions) await execute(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));

  const each = executions / connections;
  for (const [index, connection] of well.entries()) {
    const expected = Array.from({ length: each }, (_, turn) => `A-${turn * connections + index}`);
    expect([...(outcomes.get(connection) ?? [])].sort()).toEqual(expected.sort());
  }
  expect(new Set(outcomes.get(dead))).toEqual(new Set(['MCP_SERVER_ERROR']));
  expect(new Set(outcomes.get(hanging))).toEqual(new Set(['MCP_TIMEOUT']));
  await eventually(async () => {
    const { rows } = await world.db.query(
      'select status, count(*)::int from mcp_executions where organization_id = $1 group by 1 order by 1',
      [org.id],
    );
    expect(rows).toEqual([
      { status: 'error', count: each },
      { status: 'ok', count: each * well.length },
      { status: 'timeout', count: each },
    ]);
  });
});
