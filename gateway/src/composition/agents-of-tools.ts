// Reads of agents-config what tools-secrets has to know of an agent, so that tools-secrets requests nothing of agents-config.
import {
  type AgentFacts,
  PersonalKind,
  type Result,
  serviceRequests,
  type ToolRunFacts,
  type ToolTestFacts,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { LRUCache } from 'lru-cache';
import { type ReadingContext, type ReadingOptions, readingFor } from './reading.js';

interface AgentOfTool {
  readonly organizationId: string;
  readonly agentId: string;
}

type Agent = Result<(typeof serviceRequests)['agentsForCall']>;
type Redaction = ToolRunFacts['redaction'];

const patienceMs = 2_500;
const cachedMs = 10_000;
const mostCached = 10_000;

/** Of an agent that is gone or cannot be read: it may hide anything. */
const everything: Redaction = { language: 'en', timezone: 'UTC', kinds: [...PersonalKind.options] };

const redactionIn = ({ language, redaction }: Agent): Redaction =>
  redaction === undefined || redaction.kinds.length === 0
    ? null
    : { language: language ?? 'en', timezone: redaction.timezone, kinds: redaction.kinds };

export class AgentsOfTools {
  readonly #options: ReadingOptions;
  readonly #redactions = new LRUCache<string, { readonly redaction: Redaction }>({
    max: mostCached,
    ttl: cachedMs,
  });

  constructor(options: ReadingOptions) {
    this.#options = options;
  }

  async facts(of: AgentOfTool, context: ReadingContext): Promise<AgentFacts> {
    const agent = await this.#read(of, context);
    return { agent: typeof agent === 'string' ? agent : 'exists' };
  }

  async testFacts(of: AgentOfTool, context: ReadingContext): Promise<ToolTestFacts> {
    const agent = await this.#read(of, context);
    if (typeof agent === 'string') return { agent, values: null };
    const { variables = {}, redaction: { timezone } = { timezone: 'UTC' } } = agent;
    return { agent: 'exists', values: { call: null, agent: { variables, timezone } } };
  }

  /** What records of the agent's calls hide. */
  async redaction(of: AgentOfTool, context: ReadingContext): Promise<Redaction> {
    const key = `${of.organizationId} ${of.agentId}`;
    const cached = this.#redactions.get(key);
    if (cached !== undefined) return cached.redaction;
    const agent = await this.#read(of, context);
    if (typeof agent === 'string') return everything;
    const redaction = redactionIn(agent);
    this.#redactions.set(key, { redaction });
    return redaction;
  }

  async #read(
    { organizationId, agentId }: AgentOfTool,
    context: ReadingContext,
  ): Promise<Agent | 'unknown' | 'unread'> {
    try {
      const { data } = await this.#options.rpc.call(
        serviceRequests.agentsForCall,
        { body: { agentId } },
        readingFor(organizationId, context, patienceMs),
      );
      return data;
    } catch (err) {
      if (!(err instanceof AppError)) throw err;
      if (err.code === 'AGENT_NOT_FOUND') return 'unknown';
      this.#options.logger.warn({ err, agentId }, 'agent of a tool unavailable');
      return 'unread';
    }
  }
}
