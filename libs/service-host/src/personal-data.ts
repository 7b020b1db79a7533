// The kinds of personal data that an agent hides, for services that record what was said or sent in its calls.
import { type Caller, type Result, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { personalKinds, type RedactionOptions } from '@parlance/redaction';
import type { RpcClient } from '@parlance/rpc';
import { LRUCache } from 'lru-cache';

interface AgentOfRecord {
  readonly organizationId: string;
  readonly agentId: string;
  readonly requestId: string;
}

export interface PersonalDataOptions {
  readonly rpc: Pick<RpcClient, 'call'>;
  readonly callerFor: (organizationId: string) => Caller;
}

const cachedMs = 10_000;
const mostCached = 10_000;

/** Of an agent that cannot be asked for: it may hide anything. */
const everything: RedactionOptions = { language: 'en', timezone: 'UTC', kinds: personalKinds };

/** Undefined where nothing is hidden. */
export const redactionOf = ({
  language,
  redaction,
}: Pick<Result<typeof serviceRequests.agentsForCall>, 'language' | 'redaction'>):
  | RedactionOptions
  | undefined =>
  redaction === undefined || redaction.kinds.length === 0
    ? undefined
    : { language: language ?? everything.language, timezone: redaction.timezone, kinds: redaction.kinds };

export class PersonalDataOfAgents {
  readonly #options: PersonalDataOptions;
  readonly #cache = new LRUCache<string, { readonly found: RedactionOptions | undefined }>({
    max: mostCached,
    ttl: cachedMs,
  });

  constructor(options: PersonalDataOptions) {
    this.#options = options;
  }

  /** Undefined where nothing is hidden. An agent that is gone, or cannot be asked for now, hides everything. */
  async optionsFor({
    organizationId,
    agentId,
    requestId,
  }: AgentOfRecord): Promise<RedactionOptions | undefined> {
    const key = `${organizationId} ${agentId}`;
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached.found;
    const { rpc, callerFor } = this.#options;
    const context = { caller: callerFor(organizationId), requestId };
    try {
      const { data } = await rpc.call(serviceRequests.agentsForCall, { body: { agentId } }, context);
      const found = redactionOf(data);
      this.#cache.set(key, { found });
      return found;
    } catch (error) {
      if (error instanceof AppError) return everything;
      throw error;
    }
  }
}
