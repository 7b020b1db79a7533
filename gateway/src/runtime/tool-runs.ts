// Runs a tool in a call. The voice runtime has one address for HTTP tools and for tools of connected MCP servers, and two services
// have them. An HTTP tool comes before a tool of an MCP server with the same name.
import {
  contract,
  type Data,
  type Input,
  type Result,
  serviceRequests,
  type ToolResult,
  type ToolRunFacts,
} from '@parlance/contracts';
import { AppError, type ErrorCode } from '@parlance/errors';
import type { Ids } from '@parlance/observability';
import { parseData, platformCaller, type RpcClient, type RpcContext } from '@parlance/rpc';
import type { AgentsOfTools } from '../composition/agents-of-tools.js';
import type { ReadingOptions } from '../composition/reading.js';
import { toolValuesOf } from './tool-values.js';

export interface ToolRunsOptions extends ReadingOptions {
  readonly rpc: Pick<RpcClient, 'call' | 'dispatch'>;
  readonly agents: Pick<AgentsOfTools, 'redaction'>;
  readonly ids: Ids;
}

type RunInCall = (typeof contract)['toolsRunInCall'];
type Needs = Result<(typeof serviceRequests)['toolsNeeds']>;

/** The call whose token the runtime has. */
interface CallOfRun {
  readonly organizationId: string;
  readonly agentId: string;
  readonly callId: string;
}

/** Codes that the runtime gets as they are; another failure of a server becomes a result, so that the call continues. */
const forRuntime: ReadonlySet<string> = new Set([
  'TOOL_NOT_FOUND',
  'IDEMPOTENCY_KEY_REUSED',
  'UNAUTHENTICATED',
]);

/** The text that the model gets. */
const unusable: ToolResult = {
  result: 'This tool cannot be used at the moment. Go on without it.',
  assignments: {},
  durationMs: 0,
  isError: true,
};

const hasCode = (error: unknown, code: ErrorCode): boolean =>
  error instanceof AppError && error.code === code;

/** Undefined where tools-secrets is of 0.2.0, which reads the values itself. */
const needsOf = async (
  { rpc }: ToolRunsOptions,
  { organizationId, agentId }: CallOfRun,
  toolName: string,
  context: RpcContext,
): Promise<Needs | undefined> => {
  const caller = platformCaller('gateway', organizationId);
  try {
    const body = { agentId, toolName };
    return (await rpc.call(serviceRequests.toolsNeeds, { body }, { ...context, caller })).data;
  } catch (error) {
    if (hasCode(error, 'SERVICE_UNAVAILABLE')) return undefined;
    throw error;
  }
};

const runAtServer = async (
  { rpc, ids, logger }: ToolRunsOptions,
  { organizationId, agentId, callId }: CallOfRun,
  { params: { toolName: offeredName }, body }: Input<RunInCall>,
  context: RpcContext,
): Promise<ToolResult> => {
  const { executionId = ids.next(), arguments: args } = body;
  const execution = {
    ...{ callId, agentId, offeredName, executionId, arguments: args },
    isNamed: body.executionId !== undefined,
  };
  try {
    const toServer = { ...context, caller: platformCaller('gateway', organizationId) };
    return (await rpc.call(serviceRequests.mcpExecuteInCall, { body: execution }, toServer)).data;
  } catch (err) {
    if (err instanceof AppError && forRuntime.has(err.code)) throw err;
    logger.warn({ err, callId }, 'tool of an MCP server failed');
    return unusable;
  }
};

const factsFor = async (
  options: ToolRunsOptions,
  call: CallOfRun,
  { needsValues }: Needs,
  context: RpcContext,
): Promise<ToolRunFacts> => {
  const [values, redaction] = await Promise.all([
    needsValues ? toolValuesOf(options, call, context) : null,
    options.agents.redaction(call, context),
  ]);
  return { values, redaction };
};

/** @throws AppError TOOL_NOT_FOUND for a name that neither a tool nor a server of the agent has */
export const runInCall = async (
  options: ToolRunsOptions,
  input: Input<RunInCall>,
  context: RpcContext,
): Promise<Data<RunInCall>> => {
  const { callId, toolName } = input.params;
  const { organizationId, actor } = context.caller;
  if (actor.type !== 'call' || actor.id !== callId) throw new AppError('UNAUTHENTICATED');
  const call = { organizationId, agentId: actor.agentId, callId };
  const needs = await needsOf(options, call, toolName, context);
  if (needs?.isTool === false) return runAtServer(options, call, input, context);
  const composed = needs && (await factsFor(options, call, needs, context));
  try {
    const { json } = await options.rpc.dispatch(contract.toolsRunInCall, { ...input, composed }, context);
    // The service's handler was checked against the row's type when it was compiled.
    return parseData(json) as ToolResult;
  } catch (error) {
    if (!hasCode(error, 'TOOL_NOT_FOUND')) throw error;
  }
  return runAtServer(options, call, input, context);
};
