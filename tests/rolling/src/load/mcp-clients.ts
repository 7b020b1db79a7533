// Programs that use the platform over MCP: each asks a tool or a resource, a few times a second.
import { setTimeout as pause } from 'node:timers/promises';
import { connectMcp, type Reachable, type Sample } from '@parlance/tests-e2e';
import type { Tenant } from './tenant.js';

const everyMs = 300;

type McpClient = Awaited<ReturnType<typeof connectMcp>>;

/** A read, a list and a write. */
const asks: readonly ((client: McpClient, agentId: string) => Promise<{ readonly isError?: boolean }>)[] = [
  async (client) => {
    await client.readResource({ uri: 'parlance://list_agents' });
    return {};
  },
  async (client) => {
    await client.listTools();
    return {};
  },
  async (client, agentId) => {
    const given = { agentId, name: 'Front desk over MCP' };
    const { isError = false } = await client.callTool({ name: 'update-agent', arguments: given });
    return { isError };
  },
];

export class McpClients {
  readonly #platform: Reachable;
  readonly #tenant: Pick<Tenant, 'headers' | 'agentId'>;
  readonly #running: Promise<void>[] = [];
  readonly samples: Sample[] = [];
  #isStopping = false;

  constructor(platform: Reachable, tenant: Pick<Tenant, 'headers' | 'agentId'>) {
    this.#platform = platform;
    this.#tenant = tenant;
  }

  async start(clients: number): Promise<void> {
    for (let index = 0; index < clients; index += 1) {
      const client = await connectMcp(this.#platform.url, this.#tenant.headers);
      this.#running.push(this.#use(client).finally(() => client.close()));
    }
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#running);
  }

  async #use(client: McpClient): Promise<void> {
    for (let turn = 0; !this.#isStopping; turn += 1) {
      const ask = asks[turn % asks.length];
      if (ask !== undefined) this.samples.push(await this.#ask(client, ask));
      await pause(everyMs);
    }
  }

  async #ask(client: McpClient, ask: (typeof asks)[number]): Promise<Sample> {
    const sentAt = performance.now();
    const facts = { errand: 'mcp', sentAt };
    try {
      const { isError = false } = await ask(client, this.#tenant.agentId);
      const ms = performance.now() - sentAt;
      return isError ? { ...facts, ms, status: 200, broken: 'a tool failed' } : { ...facts, ms, status: 200 };
    } catch (error) {
      return { ...facts, ms: performance.now() - sentAt, status: undefined, broken: String(error) };
    }
  }
}
