// Servers of npm packages answer a client of the SDK over both transports, and leave no process behind.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type RealServerName, type RealServers, realServerNames, startRealServers } from './index.js';

/** A tool of each server, with arguments, and the text that its answer holds. */
const calls: Readonly<Record<RealServerName, readonly [string, Record<string, unknown>, RegExp]>> = {
  everything: ['echo', { message: 'good day' }, /good day/],
  filesystem: ['read_text_file', { path: 'FOLDER/greeting.txt' }, /good day/],
  memory: ['search_nodes', { query: 'Ada' }, /entities/],
  'sequential-thinking': [
    'sequentialthinking',
    { thought: 'one', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    /thoughtHistoryLength/,
  ],
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

let real: RealServers;
const seen: number[] = [];

beforeAll(async () => {
  real = await startRealServers();
});

afterAll(() => real?.stop());

describe.each(realServerNames)('the %s server', (name) => {
  it.each(['url', 'sseUrl'] as const)('answers a call over its %s', async (transport) => {
    const server = real.servers[name];
    const client = new Client({ name: 'spec', version: '1' });
    const url = new URL(server[transport]);
    await client.connect(
      transport === 'url' ? new StreamableHTTPClientTransport(url) : new SSEClientTransport(url),
    );
    try {
      const [tool, args, answer] = calls[name];
      const { tools } = await client.listTools();
      expect(tools.map((each) => each.name)).toContain(tool);
      const told = JSON.parse(JSON.stringify(args).replaceAll('FOLDER', real.folder));
      const result = await client.callTool({ name: tool, arguments: told });
      expect(JSON.stringify(result)).toMatch(answer);
      seen.push(...server.children());
    } finally {
      await client.close();
    }
  });
});

it('answers 405 to a POST on the older address, so that clients do not take it for the newer transport', async () => {
  const answer = await fetch(real.servers.memory.sseUrl, { method: 'POST', body: '{}' });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET']);
});

it('leaves no process behind', async () => {
  expect(new Set(seen).size).toBeGreaterThanOrEqual(2 * 3);
  await real.stop();
  expect(seen.filter(isAlive)).toEqual([]);
});
