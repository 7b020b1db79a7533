// Executes tools: for API callers, and for an agent in a call.
import { Controller } from '@nestjs/common';
import type { Caller, contract, McpExecuteResult, Result, serviceRequests } from '@parlance/contracts';
import { AppError, validationError } from '@parlance/errors';
import { refuseEndedCall } from '@parlance/postgres';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { Host, refuseUnknownAgent } from '@parlance/service-host';
import type { ConnectionRow } from '../connections/connection-record.js';
import { getConnection, isAttached } from '../connections/connections-repository.js';
import { Logins } from '../connections/logins.js';
import { issuesOf } from '../tools/arguments.js';
import { isReleased, mostMsInCall, type ToolRow } from '../tools/tool-record.js';
import { findTool, toolOfAgent } from '../tools/tools-repository.js';
import { Executions } from './executions.js';
import type { Answer, Failure } from './executions-repository.js';
import { failed, toToolResult, words } from './results.js';

type Contract = typeof contract;
type InCall = (typeof serviceRequests)['mcpExecuteInCall'];

const refuseHeldBack = (tool: ToolRow, { approval_policy }: ConnectionRow): void => {
  if (!isReleased(tool, approval_policy)) throw new AppError('MCP_TOOL_NOT_APPROVED');
};

const asError = ({ code, reason }: Failure): AppError => {
  if (code === 'SERVICE_UNAVAILABLE') return new AppError(code, { retryAfterSeconds: 5 });
  return new AppError(code, code === 'MCP_SERVER_ERROR' ? { details: { reason } } : {});
};

/** @throws AppError the failure */
const resultIn = (answer: Answer): McpExecuteResult => {
  if ('failure' in answer) throw asError(answer.failure);
  return answer.result;
};

@Controller()
@Serves()
export class ExecutionsController {
  constructor(
    private readonly host: Host,
    private readonly executions: Executions,
    private readonly logins: Logins,
  ) {}

  async 'mcp.execute'({
    params,
    body,
    caller,
    requestId,
    commandId,
  }: RpcRequest<Contract['mcpExecute']>): Promise<McpExecuteResult> {
    const { organizationId } = caller;
    const { mcpConnectionId: connectionId, toolName } = params;
    const { agentId = null } = body;
    const { db, ids } = this.host;
    const [connection, tool] = await Promise.all([
      getConnection(db, organizationId, connectionId),
      findTool(db, organizationId, connectionId, toolName),
    ]);
    if (agentId !== null) await this.#refuseStranger(organizationId, { connectionId, agentId, requestId });
    if (tool === undefined) throw new AppError('MCP_TOOL_NOT_FOUND');
    refuseHeldBack(tool, connection);
    const issues = issuesOf(tool.definition.inputSchema, body.arguments);
    if (issues.length > 0) {
      throw validationError(issues.map((issue) => ({ ...issue, path: `body.${issue.path}` })));
    }
    const answer = await this.executions.execute({
      ...{ connection, tool, agentId, callId: null, arguments: body.arguments },
      ...{ executionId: commandId ?? ids.next(), isNamed: commandId !== undefined },
      timeoutMs: connection.timeout_ms,
    });
    if ('failure' in answer && answer.failure.code === 'MCP_AUTH_REQUIRED') {
      throw new AppError('MCP_AUTH_REQUIRED', {
        details: await this.#whereToAuthorize(connection, { caller, requestId }),
      });
    }
    return resultIn(answer);
  }

  async 'mcp.executeInCall'({ body, caller }: RpcRequest<InCall>): Promise<Result<InCall>> {
    const { organizationId } = caller;
    const { agentId, callId, executionId, isNamed } = body;
    const { db, clock } = this.host;
    await refuseEndedCall(db, { organizationId, callId, clock });
    const tool = await toolOfAgent(db, organizationId, agentId, body.offeredName);
    const connection = await getConnection(db, organizationId, tool.connection_id);
    // An agent was never offered a tool that is held back.
    if (!isReleased(tool, connection.approval_policy)) throw new AppError('TOOL_NOT_FOUND');
    const issues = issuesOf(tool.definition.inputSchema, body.arguments);
    if (issues.length > 0) {
      return failed(issues.map(({ path, message }) => `${path}: ${message}`).join('\n'));
    }
    try {
      const answer = await this.executions.execute({
        ...{ connection, tool, agentId, callId, executionId, isNamed, arguments: body.arguments },
        timeoutMs: Math.min(connection.timeout_ms, mostMsInCall),
      });
      return toToolResult(answer);
    } catch (error) {
      if (error instanceof AppError && error.code === 'RATE_LIMITED') return failed(words.busy);
      throw error;
    }
  }

  /** The address for a person, if the server says where. */
  async #whereToAuthorize(
    connection: ConnectionRow,
    { caller, requestId }: { readonly caller: Caller; readonly requestId: string },
  ): Promise<{ authorizationUrl?: string }> {
    if (connection.auth.type !== 'oauth2') return {};
    try {
      // To execute a tool decides nothing about where a secret goes.
      const by = { caller: { ...caller, permissions: [] }, requestId };
      const { authorizationUrl } = await this.logins.begin(connection, by);
      return { authorizationUrl };
    } catch (error) {
      if (error instanceof AppError) return {};
      throw error;
    }
  }

  /** @throws AppError AGENT_NOT_FOUND; MCP_TOOL_NOT_FOUND for an agent that does not use the connection */
  async #refuseStranger(
    organizationId: string,
    { connectionId, agentId, requestId }: { connectionId: string; agentId: string; requestId: string },
  ): Promise<void> {
    if (await isAttached(this.host.db, organizationId, { connectionId, agentId })) return;
    await refuseUnknownAgent(this.host, organizationId, agentId, requestId);
    throw new AppError('MCP_TOOL_NOT_FOUND');
  }
}
