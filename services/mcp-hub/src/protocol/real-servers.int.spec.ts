// Connections to the Model Context Protocol's reference servers, over both transports.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { contract, RequestOf } from '@parlance/contracts';
import {
  type RealServerName,
  type RealServers,
  realServerNames,
  startRealServers,
} from '@parlance/fake-mcp/real';
import { newOrganization, type Organization } from '../testing/organization.js';
import { World } from '../testing/world.js';

type Args = RequestOf<(typeof contract)['mcpExecute']>['body']['arguments'];

let world: World;
let real: RealServers;
let org: Organization;
beforeAll(async () => {
  [world, real] = await Promise.all([World.start(), startRealServers()]);
  org = newOrganization(world);
});
afterAll(() => Promise.all([real?.stop(), world?.stop()]));

const thought = { thought: 'one', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
const calls = (): Readonly<Record<RealServerName, readonly [string, Args, RegExp]>> => ({
  everything: ['echo', { message: 'good day' }, /good day/],
  filesystem: ['read_text_file', { path: `${real.folder}/greeting.txt` }, /good day/],
  memory: ['search_nodes', { query: 'Ada' }, /entities/],
  'sequential-thinking': ['sequentialthinking', thought, /thoughtHistoryLength/],
});

describe.each(realServerNames)('the %s server', (name) => {
  it.each([
    ['streamable_http', 'url'],
    ['sse', 'sseUrl'],
  ] as const)('is read and used over %s, in one session', async (transport, address) => {
    const server = real.servers[name];
    const [tool, args, answer] = calls()[name];
    const connection = await org.connect({ name, transport, url: server[address] });
    expect(connection).toMatchObject({ status: 'connected', lastError: null });
    expect(connection.tools.find((each) => each.name === tool)).toMatchObject({ offered: true });
    const children = server.children().length;
    for (const _ of [1, 2]) {
      const result = await org.execute(connection, tool, args);
      expect(JSON.stringify(result)).toMatch(answer);
    }
    expect(server.children()).toHaveLength(children);
    await org.disconnect(connection);
  });
});
