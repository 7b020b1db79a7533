// Runs tools: for an agent in a call, and for a person who tests a tool.
import { Controller } from '@nestjs/common';
import type { contract, Result, serviceRequests, ToolResult, ToolRun } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { refuseEndedCall } from '@parlance/postgres';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { Parts } from '../parts.js';
import { refuseUnknown } from '../tools/agent-of-request.js';
import { findActiveTool, getTool } from '../tools/tools-repository.js';
import { needsValues } from './call-values.js';
import { executeInCall } from './executions.js';
import { executeAtServer } from './mcp-executions.js';
import { executedTool } from './recording.js';
import { runTool } from './runner.js';
import { endedInCall } from './runs-repository.js';

type Contract = typeof contract;
type RunsOfCall = (typeof serviceRequests)['toolsRunsOfCall'];
type Needs = (typeof serviceRequests)['toolsNeeds'];

@Controller()
@Serves()
export class ExecutionsController {
  constructor(private readonly parts: Parts) {}

  async 'tools.test'({
    params,
    body,
    composed,
    caller,
    requestId,
  }: RpcRequest<Contract['toolsTest']>): Promise<ToolRun> {
    const { organizationId } = caller;
    const { agentId = null } = body;
    const tool = await getTool(this.parts.db, organizationId, params.toolId);
    if (agentId !== null) await refuseUnknown(this.parts, composed, { organizationId, agentId, requestId });
    const leave = this.parts.inFlight.enter(organizationId, tool.id);
    if (leave === undefined) throw new AppError('RATE_LIMITED', { retryAfterSeconds: 5 });
    const place = { organizationId, callId: null, agentId, requestId, values: composed?.values };
    const execution = { executionId: this.parts.ids.next(), place, arguments: body.arguments };
    try {
      const { httpStatus: _httpStatus, ...run } = await runTool(this.parts, tool, execution);
      return run;
    } finally {
      leave();
    }
  }

  async 'tools.runsOfCall'({
    body: { callId },
    caller: { organizationId },
  }: RpcRequest<RunsOfCall>): Promise<Result<RunsOfCall>> {
    const runs = await endedInCall(this.parts.db, organizationId, callId);
    return runs.map((run) => executedTool(callId, run));
  }

  async 'tools.needs'({
    body: { agentId, toolName },
    caller: { organizationId },
  }: RpcRequest<Needs>): Promise<Result<Needs>> {
    const tool = await findActiveTool(this.parts.db, organizationId, agentId, toolName);
    return { isTool: tool !== undefined, needsValues: tool !== undefined && needsValues(tool.document) };
  }

  async 'tools.runInCall'({
    params,
    body,
    composed,
    caller,
    requestId,
  }: RpcRequest<Contract['toolsRunInCall']>): Promise<ToolResult> {
    const { organizationId, actor } = caller;
    const { callId, toolName } = params;
    if (actor.type !== 'call' || actor.id !== callId) throw new AppError('UNAUTHENTICATED');
    const { db, clock, ids } = this.parts;
    await refuseEndedCall(db, { organizationId, callId, clock });
    const { agentId } = actor;
    const execution = {
      ...{ callId, agentId, arguments: body.arguments },
      executionId: body.executionId ?? ids.next(),
      isNamed: body.executionId !== undefined,
    };
    const tool = await findActiveTool(db, organizationId, agentId, toolName);
    if (tool === undefined) {
      return executeAtServer(this.parts, { ...execution, organizationId, requestId, offeredName: toolName });
    }
    const place = { organizationId, callId, agentId, requestId, values: composed?.values };
    return executeInCall(this.parts, tool, { ...execution, place, redaction: composed?.redaction });
  }
}
