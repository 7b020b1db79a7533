// Reads the tools, the MCP tools and the knowledge of an agent from the services that keep them. A call starts without a part whose
// service is away: the person at the telephone waits, and an agent without a tool can still talk.
import {
  type KnowledgeForRuntime,
  type McpToolForRuntime,
  type RuntimeConfig,
  serviceRequests,
  type ToolForRuntime,
} from '@parlance/contracts';
import type { Logger } from '@parlance/observability';
import { platformCaller, type RpcClient } from '@parlance/rpc';

export interface AbilitiesOptions {
  readonly rpc: Pick<RpcClient, 'call'>;
  readonly logger: Pick<Logger, 'warn'>;
}

export interface AgentOfCall {
  readonly organizationId: string;
  readonly agentId: string;
}

type Abilities = Pick<RuntimeConfig, 'tools' | 'mcpTools' | 'knowledge' | 'warnings'>;

/** The telephone has been answered, and the person at it waits. */
const patienceMs = 1_500;

const noKnowledge: KnowledgeForRuntime = { mode: 'none', prompt: null };

/** A name that an HTTP tool of the agent has runs the HTTP tool, so the model must not see it twice. */
const withoutTaken = (
  tools: readonly ToolForRuntime[],
  offered: readonly McpToolForRuntime[],
): McpToolForRuntime[] => offered.filter(({ name }) => !tools.some((tool) => tool.name === name));

/** Never rejects: a part that cannot be read is missing, and named in the warnings. */
export const abilitiesOf = async (
  { rpc, logger }: AbilitiesOptions,
  { organizationId, agentId }: AgentOfCall,
  {
    requestId,
    deadline = Number.POSITIVE_INFINITY,
  }: { readonly requestId: string; readonly deadline?: number },
): Promise<Abilities> => {
  const context = {
    caller: platformCaller('gateway', organizationId),
    requestId,
    deadline: Math.min(deadline, Date.now() + patienceMs),
  };
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
  const { toolsForAgent, mcpForAgent, knowledgeForAgent } = serviceRequests;
  const [tools, offered, knowledge] = await Promise.all([
    orWithout('tools', rpc.call(toolsForAgent, { body }, context), []),
    orWithout('mcpTools', rpc.call(mcpForAgent, { body }, context), []),
    orWithout('knowledge', rpc.call(knowledgeForAgent, { body }, context), noKnowledge),
  ]);
  const mcpTools = withoutTaken(tools, offered);
  if (mcpTools.length < offered.length)
    warnings.push(
      'tools of MCP servers have names of other tools of the agent; the call starts without them',
    );
  return { tools, mcpTools, knowledge, warnings };
};
