// The hub against the Model Context Protocol's reference servers, each over both transports.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type RealServerName,
  type RealServers,
  realServerNames,
  startRealServers,
} from '@parlance/fake-mcp/real';
import { eventually } from '@parlance/fixtures';
import { newOrganization, type Organization } from '../testing/organization.js';
import { World } from '../testing/world.js';

interface Use {
  readonly tool: string;
  readonly arguments: (folder: string) => Parameters<Organization['execute']>[2];
  readonly answer: RegExp;
}

const uses: Readonly<Record<RealServerName, Use>> = {
  everything: { tool: 'echo', arguments: () => ({ message: 'good day' }), answer: /good day/ },
  filesystem: {
    tool: 'read_text_file',
    arguments: (folder) => ({ path: `${folder}/greeting.txt` }),
    answer: /good day/,
  },
  memory: { tool: 'search_nodes', arguments: () => ({ query: 'Ada' }), answer: /entities/ },
  'sequential-thinking': {
    tool: 'sequentialthinking',
    arguments: () => ({ thought: 'one', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }),
    answer: /thoughtHistoryLength/,
  },
};

let world: World;
let real: RealServers;

beforeAll(async () => {
  [world, real] = await Promise.all([World.start(), startRealServers()]);
});

afterAll(async () => {
  await world?.stop();
  await real?.stop();
});

describe.each(realServerNames)('the %s server', (name) => {
  it.each(['streamable_http', 'sse'] as const)('gives its tools and answers over %s', async (transport) => {
    const { tool, arguments: argumentsIn, answer } = uses[name];
    const server = real.servers[name];
    const organization = newOrganization(world);
    const url = transport === 'sse' ? server.sseUrl : server.url;
    const connection = await organization.connect({ name, url, transport });
    expect(connection).toMatchObject({ status: 'connected', health: { state: 'ok' }, lastError: null });
    expect(connection.warnings).toEqual([]);
    expect(connection.tools.find((each) => each.name === tool)).toMatchObject({ offered: true });
    const result = await organization.execute(connection, tool, argumentsIn(real.folder));
    expect(result.isError).toBe(false);
    expect(JSON.stringify(result.content)).toMatch(answer);
  });
});

it('passes on the refusal of a server as a result, and keeps the connection', async () => {
  const organization = newOrganization(world);
  const { url } = real.servers.filesystem;
  const connection = await organization.connect({ name: 'Files', url });
  const read = (path: string) => organization.execute(connection, 'read_text_file', { path });
  const refused = await read('/etc/hostname');
  expect(refused.isError).toBe(true);
  expect(JSON.stringify(refused.content)).toMatch(/outside allowed directories/);
  await expect(read(`${real.folder}/greeting.txt`)).resolves.toMatchObject({ isError: false });
});

it('makes the connection anew for the next call when its server was started again', async () => {
  const organization = newOrganization(world);
  const { url } = real.servers.memory;
  const connection = await organization.connect({ name: 'Memory', url });
  const execute = () => organization.execute(connection, 'search_nodes', { query: 'Ada' });
  expect((await execute()).isError).toBe(false);
  for (const pid of real.servers.memory.children()) process.kill(pid, 'SIGKILL');
  // A call that is under way at the death may have been done, so it is not sent again. Here the death comes first.
  await eventually(async () => expect(real.servers.memory.children()).toEqual([]));
  await expect(execute()).resolves.toMatchObject({ isError: false });
});
