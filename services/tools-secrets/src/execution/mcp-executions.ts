// Requests executions of mcp-hub for gateways of 0.2.0: a name that is no tool here may be a tool of a connected MCP server. A gateway
// of this release does so itself.
import { type RequestOf, serviceRequests, type ToolResult } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Parts } from '../parts.js';
import { failed } from './executions.js';
import { asResult } from './runner.js';

type Body = RequestOf<typeof serviceRequests.mcpExecuteInCall>['body'];

/** Codes that the runtime gets as they are; another failure becomes a result, so that the call goes on. */
const forRuntime = new Set(['TOOL_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED', 'UNAUTHENTICATED']);

/** @throws AppError TOOL_NOT_FOUND for a name that no server of the agent has either; IDEMPOTENCY_KEY_REUSED */
export const executeAtServer = async (
  { rpc, callerFor, logger }: Pick<Parts, 'rpc' | 'callerFor' | 'logger'>,
  {
    organizationId,
    requestId,
    ...body
  }: Body & { readonly organizationId: string; readonly requestId: string },
): Promise<ToolResult> => {
  const caller = callerFor(organizationId);
  try {
    return (await rpc.call(serviceRequests.mcpExecuteInCall, { body }, { caller, requestId })).data;
  } catch (err) {
    if (err instanceof AppError && forRuntime.has(err.code)) throw err;
    logger.warn({ err, callId: body.callId }, 'a tool of an MCP server could not be run');
    return failed(asResult(err));
  }
};
