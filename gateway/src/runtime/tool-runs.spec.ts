import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Caller, serviceRequests, type ToolResult } from '@parlance/contracts';
import { AppError, type ErrorCode } from '@parlance/errors';
import { systemIds } from '@parlance/observability';
import { runInCall, type ToolRunsOptions } from './tool-runs.js';

const [callId, agentId, executionId] = ['call-1', randomUUID(), randomUUID()];
const caller: Caller = {
  organizationId: 'o1',
  actor: { type: 'call', id: callId, agentId },
  role: 'call',
  permissions: [],
};
const resultOf = (result: string): ToolResult => ({ result, assignments: {}, durationMs: 3, isError: false });

let tool: ToolResult | ErrorCode;
let server: ToolResult | ErrorCode;
let executions: { readonly row: unknown; readonly body: unknown; readonly caller: Caller }[];

const answer = (response: ToolResult | ErrorCode): ToolResult => {
  if (typeof response === 'string') throw new AppError(response);
  return response;
};

const options: ToolRunsOptions = {
  rpc: {
    dispatch: async () => ({ json: Buffer.from(JSON.stringify(answer(tool))) }),
    call: async (row: unknown, { body }: { body: unknown }, context: { caller: Caller }) => {
      executions.push({ row, body, caller: context.caller });
      return { data: answer(server) };
    },
  } as unknown as ToolRunsOptions['rpc'],
  ids: systemIds,
  logger: { warn: () => undefined },
};

const run = (of: Caller = caller) =>
  runInCall(
    options,
    { params: { callId, toolName: 'orders' }, query: {}, body: { arguments: { number: 'A' }, executionId } },
    { caller: of, requestId: 'r1' },
  );

beforeEach(() => {
  tool = 'TOOL_NOT_FOUND';
  server = resultOf('from the server');
  executions = [];
});

describe('a tool in a call', () => {
  it('is run by tools-secrets where it is an HTTP tool, and mcp-hub hears nothing of it', async () => {
    tool = resultOf('from the tool');
    expect(await run()).toEqual(tool);
    expect(executions).toEqual([]);
  });

  it('is run at the MCP server of the agent where it is no HTTP tool, under the id of the execution', async () => {
    expect(await run()).toEqual(server);
    expect(executions).toMatchObject([
      {
        row: serviceRequests.mcpExecuteInCall,
        body: {
          callId,
          agentId,
          offeredName: 'orders',
          executionId,
          isNamed: true,
          arguments: { number: 'A' },
        },
        caller: { organizationId: 'o1' },
      },
    ]);
  });

  it.each(['UPSTREAM_TIMEOUT', 'SERVICE_UNAVAILABLE'] as const)(
    'is not repeated at a server after %s of tools-secrets, which may have run it',
    async (code) => {
      tool = code;
      await expect(run()).rejects.toMatchObject({ code });
      expect(executions).toEqual([]);
    },
  );

  it.each(['TOOL_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED'] as const)(
    'is refused with %s of mcp-hub',
    async (code) => {
      server = code;
      await expect(run()).rejects.toMatchObject({ code });
    },
  );

  it('gives a result that the model can say something about when the server cannot be used', async () => {
    server = 'UPSTREAM_TIMEOUT';
    expect(await run()).toMatchObject({ isError: true, result: expect.stringContaining('cannot be used') });
  });

  it('is run at no server for the token of another call', async () => {
    await expect(run({ ...caller, actor: { type: 'call', id: 'call-2', agentId } })).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
    expect(executions).toEqual([]);
  });
});
