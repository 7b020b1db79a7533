// Reads the tools, the MCP tools and the knowledge of an agent from the services that keep them. A call starts without a part whose
// service is away: the person at the telephone waits, and an agent without a tool can still talk.
import {
  type KnowledgeForRuntime,
  type McpToolForRuntime,
  type RuntimeConfig,
  serviceRequests,
  type ToolForRuntime,
} from '@parlance/contracts';
import { type ReadingContext, type ReadingOptions, readingFor } from '../composition/reading.js';

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
  { rpc, logger }: ReadingOptions,
  { organizationId, agentId }: AgentOfCall,
  context: ReadingContext,
): Promise<Abilities> => {
  const reading = readingFor(organizationId, context, patienceMs);
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
    orWithout('tools', rpc.call(toolsForAgent, { body }, reading), []),
    orWithout('mcpTools', rpc.call(mcpForAgent, { body }, reading), []),
    orWithout('knowledge', rpc.call(knowledgeForAgent, { body }, reading), noKnowledge),
  ]);
  const mcpTools = withoutTaken(tools, offered);
  if (mcpTools.length < offered.length)
    warnings.push(
      'tools of MCP servers have names of other tools of the agent; the call starts without them',
    );
  return { tools, mcpTools, knowledge, warnings };
};
