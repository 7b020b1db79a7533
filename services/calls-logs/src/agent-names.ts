// Names of agents, for calls that were told without the name, and whether an agent ever was an organization's. A call keeps
// the name that its agent had.
import { type Caller, type Result, serviceRequests } from '@parlance/contracts';
import type { RpcClient } from '@parlance/rpc';
import { LRUCache } from 'lru-cache';

/** The name of an agent that is not on record, and that no earlier call named. */
const deletedAgent = 'Deleted agent';

export interface AgentNamesOptions {
  readonly rpc: Pick<RpcClient, 'call'>;
  readonly callerFor: (organizationId: string) => Caller;
  /** The name that the agent had in its newest call, for an agent that is not on record. */
  readonly nameBefore: (organizationId: string, agentId: string) => Promise<string | undefined>;
}

type Reference = Result<typeof serviceRequests.agentsReference>;

export type NamedAgent =
  | { readonly kind: 'known'; readonly name: string }
  | { readonly kind: 'unknown'; readonly isOrganizationKnown: boolean };

export class AgentNames {
  readonly #options: AgentNamesOptions;
  /** An agent that was an organization's always was; an unknown agent may be made in the next moment. */
  readonly #cache = new LRUCache<string, string>({ max: 10_000, ttl: 60_000 });

  constructor(options: AgentNamesOptions) {
    this.#options = options;
  }

  /**
   * The agent's name now, as it was within the last minute; its last name for a deleted agent.
   * @throws AppError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT when agents-config does not answer
   */
  async nameOf(organizationId: string, agentId: string, requestId: string): Promise<string> {
    const agent = await this.find(organizationId, agentId, requestId);
    return agent.kind === 'known' ? agent.name : deletedAgent;
  }

  /**
   * As `nameOf`, for an agent that may never have been the organization's.
   * @throws AppError as `nameOf` does
   */
  async find(organizationId: string, agentId: string, requestId: string): Promise<NamedAgent> {
    const key = `${organizationId} ${agentId}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return { kind: 'known', name: cached };
    const { name: onRecord, isOrganizationKnown } = await this.#ask(organizationId, agentId, requestId);
    // Agents that were deleted before they were kept on record are known by their calls.
    const name = onRecord ?? (await this.#options.nameBefore(organizationId, agentId));
    if (name === undefined) return { kind: 'unknown', isOrganizationKnown };
    this.#cache.set(key, name);
    return { kind: 'known', name };
  }

  async #ask(organizationId: string, agentId: string, requestId: string): Promise<Reference> {
    const caller = this.#options.callerFor(organizationId);
    const { data } = await this.#options.rpc.call(
      serviceRequests.agentsReference,
      { body: { agentId } },
      { caller, requestId },
    );
    return data;
  }
}
