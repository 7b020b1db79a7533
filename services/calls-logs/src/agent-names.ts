// Names of agents, for calls of which nobody told the name. A call keeps the name that its agent had.
import { serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { RpcClient } from '@parlance/rpc';
import { LRUCache } from 'lru-cache';

/** Of an agent that was deleted before any call of it was heard of. */
const deletedAgent = 'Deleted agent';

export interface AgentNamesOptions {
  readonly rpc: Pick<RpcClient, 'call'>;
  readonly platformToken: (organizationId: string) => Promise<string>;
  /** The name that the agent had in its newest call, for one that is not there any more. */
  readonly nameBefore: (organizationId: string, agentId: string) => Promise<string | undefined>;
}

export class AgentNames {
  readonly #options: AgentNamesOptions;
  readonly #cache = new LRUCache<string, string>({ max: 10_000, ttl: 60_000 });

  constructor(options: AgentNamesOptions) {
    this.#options = options;
  }

  /**
   * The agent's name now, as it was within the last minute; the name that it had for one that is not there any more.
   * @throws AppError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT when nobody can tell
   */
  async nameOf(organizationId: string, agentId: string, requestId: string): Promise<string> {
    const key = `${organizationId} ${agentId}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const name = await this.#ask(organizationId, agentId, requestId);
    this.#cache.set(key, name);
    return name;
  }

  async #ask(organizationId: string, agentId: string, requestId: string): Promise<string> {
    const caller = await this.#options.platformToken(organizationId);
    try {
      const { data } = await this.#options.rpc.call(
        serviceRequests.agentsForCall,
        { body: { agentId } },
        { caller, requestId },
      );
      return data.name;
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'AGENT_NOT_FOUND')) throw error;
      return (await this.#options.nameBefore(organizationId, agentId)) ?? deletedAgent;
    }
  }
}
