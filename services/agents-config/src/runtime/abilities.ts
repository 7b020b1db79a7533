// Reads the tools, the MCP tools and the knowledge of an agent from the services that keep them, for gateways of 0.2.0. A gateway of
// this release does so itself.
import {
  type KnowledgeForRuntime,
  type McpToolForRuntime,
  serviceRequests,
  type ToolForRuntime,
} from '@parlance/contracts';
import type { Parts } from '../parts.js';

/** The agent with these abilities, and the request that they are read for. */
export interface Asking {
  readonly organizationId: string;
  readonly agentId: string;
  readonly requestId: string;
  /** The end of the time for the request, in epoch milliseconds; 0 when the request has no deadline. */
  readonly deadline: number;
}

interface Abilities {
  readonly tools: ToolForRuntime[];
  readonly mcpTools: McpToolForRuntime[];
  readonly knowledge: KnowledgeForRuntime;
  readonly warnings: string[];
}

/** The telephone has been answered, and the person at it waits. */
export const patienceMs = 1_500;

export const deadlineOf = ({ deadline }: Pick<Asking, 'deadline'>): number => {
  const ours = Date.now() + patienceMs;
  return deadline > 0 ? Math.min(deadline, ours) : ours;
};

const nothingKnown: KnowledgeForRuntime = { mode: 'none', prompt: null };

/** A name that an HTTP tool of the agent has runs the HTTP tool, so the model must not see it twice. */
const withoutTaken = (
  tools: readonly ToolForRuntime[],
  offered: readonly McpToolForRuntime[],
): McpToolForRuntime[] => offered.filter(({ name }) => !tools.some((tool) => tool.name === name));

export const abilitiesOf = async (
  { rpc, callerFor, logger }: Pick<Parts, 'rpc' | 'callerFor' | 'logger'>,
  asking: Asking,
): Promise<Abilities> => {
  const { organizationId, agentId, requestId } = asking;
  const caller = callerFor(organizationId);
  const context = { caller, requestId, deadline: deadlineOf(asking) };
  const warnings: string[] = [];
  const orWithout = async <T>(part: string, asked: Promise<{ readonly data: T }>, without: T): Promise<T> => {
    try {
      return (await asked).data;
    } catch (err) {
      logger.warn({ err, agentId, part }, 'a call starts without a part of its agent');
      warnings.push(`${part} of the agent could not be read in time; the call starts without`);
      return without;
    }
  };
  const body = { agentId };
  const [tools, offered, knowledge] = await Promise.all([
    orWithout('tools', rpc.call(serviceRequests.toolsForAgent, { body }, context), []),
    orWithout('mcpTools', rpc.call(serviceRequests.mcpForAgent, { body }, context), []),
    orWithout('knowledge', rpc.call(serviceRequests.knowledgeForAgent, { body }, context), nothingKnown),
  ]);
  const mcpTools = withoutTaken(tools, offered);
  if (mcpTools.length < offered.length) {
    warnings.push(
      'tools of MCP servers have names of other tools of the agent; the call starts without them',
    );
  }
  return { tools, mcpTools, knowledge, warnings };
};
