// Runs a tool in a call. The voice runtime has one address for HTTP tools and for tools of connected MCP servers, and two services
// have them. An HTTP tool comes before a tool of an MCP server with the same name.
import { contract, type Data, type Input, serviceRequests, type ToolResult } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Ids, Logger } from '@parlance/observability';
import { parseData, platformCaller, type RpcClient, type RpcContext } from '@parlance/rpc';

export interface ToolRunsOptions {
  readonly rpc: Pick<RpcClient, 'call' | 'dispatch'>;
  readonly ids: Ids;
  readonly logger: Pick<Logger, 'warn'>;
}

type RunInCall = (typeof contract)['toolsRunInCall'];

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

const isNotFound = (error: unknown): boolean => error instanceof AppError && error.code === 'TOOL_NOT_FOUND';

const runAtServer = async (
  { rpc, ids, logger }: ToolRunsOptions,
  { params: { callId, toolName: offeredName }, body }: Input<RunInCall>,
  { caller, ...context }: RpcContext,
): Promise<ToolResult> => {
  const { organizationId, actor } = caller;
  if (actor.type !== 'call' || actor.id !== callId) throw new AppError('UNAUTHENTICATED');
  const { executionId = ids.next(), arguments: args } = body;
  const execution = {
    ...{ callId, agentId: actor.agentId, offeredName, executionId, arguments: args },
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

/** @throws AppError TOOL_NOT_FOUND for a name that neither a tool nor a server of the agent has */
export const runInCall = async (
  options: ToolRunsOptions,
  input: Input<RunInCall>,
  context: RpcContext,
): Promise<Data<RunInCall>> => {
  try {
    const { json } = await options.rpc.dispatch(contract.toolsRunInCall, input, context);
    // The service's handler was checked against the row's type when it was compiled.
    return parseData(json) as ToolResult;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  return runAtServer(options, input, context);
};
