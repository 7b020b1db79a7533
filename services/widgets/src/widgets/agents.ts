// The agents behind widgets, as agents-config knows them.
import { type Result, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { RedactionOptions } from '@parlance/redaction';
import { type Host, redactionOf } from '@parlance/service-host';
import { LRUCache } from 'lru-cache';

type AgentAnswer = Result<typeof serviceRequests.agentsForCall>;

/** An agent that takes calls. */
export interface ReadyAgent {
  readonly name: string;
  readonly configVersion: number;
  /** The longest that a call may last, in seconds; null where the configuration says none. */
  readonly maxDurationSeconds: number | null;
  /** BCP 47. */
  readonly language: string;
  /** The text with placeholders; empty where the agent lets others begin. */
  readonly firstMessage: string;
  /** Defaults of the variables; null where there is none. */
  readonly variables: Readonly<Record<string, string | null>>;
  /** What is hidden in the records of its conversations; null where nothing is. */
  readonly redaction: RedactionOptions | null;
}

export interface AgentKey {
  readonly organizationId: string;
  readonly agentId: string;
}

type Asking = Pick<Host, 'rpc' | 'callerFor' | 'ids'>;

/** Many visitors of one page ask for the same agent at once. */
const rememberedMs = 1_000;
const remembered = 10_000;

/** @throws AppError AGENT_NOT_FOUND; SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT while agents-config does not answer */
export const askAgent = async (
  { rpc, callerFor, ids }: Asking,
  { organizationId, agentId }: AgentKey,
): Promise<AgentAnswer> => {
  const context = { caller: callerFor(organizationId), requestId: ids.next() };
  return (await rpc.call(serviceRequests.agentsForCall, { body: { agentId } }, context)).data;
};

/** BCP 47 for a language that is not known: an older agents-config tells none. */
const unknownLanguage = 'und';

const readyOf = ({ isActive, ...agent }: AgentAnswer): ReadyAgent | null => {
  const { name, configVersion, maxDurationSeconds } = agent;
  if (!isActive || configVersion === null) return null;
  const { firstMessage = '', variables = {} } = agent;
  const known = { name, configVersion, maxDurationSeconds, firstMessage, variables };
  const redaction = redactionOf(agent) ?? null;
  return { ...known, language: agent.language ?? unknownLanguage, redaction };
};

/** @throws AppError AGENT_NOT_FOUND, AGENT_INACTIVE, AGENT_NOT_CONFIGURED; as `askAgent` while agents-config does not answer */
export const readyAgent = async (asking: Asking, key: AgentKey): Promise<ReadyAgent> => {
  const answer = await askAgent(asking, key);
  const agent = readyOf(answer);
  if (agent === null) throw new AppError(answer.isActive ? 'AGENT_NOT_CONFIGURED' : 'AGENT_INACTIVE');
  return agent;
};

interface Found {
  readonly agent: ReadyAgent | null;
}

export class KnownAgents {
  readonly #found: LRUCache<string, Found, AgentKey>;

  constructor(asking: Asking) {
    this.#found = new LRUCache({
      max: remembered,
      ttl: rememberedMs,
      fetchMethod: async (_key, _stale, { context }) => ({ agent: await this.#ask(asking, context) }),
    });
  }

  /** Null for an agent that takes no calls: it is deleted, inactive, or without a configuration. */
  async ready(key: AgentKey): Promise<ReadyAgent | null> {
    const found = await this.#found.fetch(`${key.organizationId} ${key.agentId}`, { context: key });
    return found?.agent ?? null;
  }

  async #ask(asking: Asking, key: AgentKey): Promise<ReadyAgent | null> {
    try {
      return readyOf(await askAgent(asking, key));
    } catch (error) {
      if (error instanceof AppError && error.code === 'AGENT_NOT_FOUND') return null;
      throw error;
    }
  }
}
