import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Callable,
  type Caller,
  contract,
  serviceRequests,
  type ToolResult,
  type ToolRunFacts,
} from '@parlance/contracts';
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
/** Responses of the services that know of the tool and its call, by the id of the row. */
let responses: Record<string, () => unknown>;
/** The facts that tools-secrets got with each execution. */
let composed: unknown[];
let redaction: ToolRunFacts['redaction'];

const answer = (response: ToolResult | ErrorCode): ToolResult => {
  if (typeof response === 'string') throw new AppError(response);
  return response;
};

const options: ToolRunsOptions = {
  rpc: {
    dispatch: async (_row: Callable, input: { readonly composed?: unknown }) => {
      composed.push(input.composed);
      return { json: Buffer.from(JSON.stringify(answer(tool))) };
    },
    call: async (row: Callable, { body }: { body?: unknown }, context: { caller: Caller }) => {
      const response = responses[row.id];
      if (response !== undefined) return { data: response() };
      if (row.id !== serviceRequests.mcpExecuteInCall.id) throw new AppError('SERVICE_UNAVAILABLE');
      executions.push({ row, body, caller: context.caller });
      return { data: answer(server) };
    },
  } as unknown as ToolRunsOptions['rpc'],
  agents: { redaction: async () => redaction },
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
  composed = [];
  redaction = null;
  responses = { 'tools.needs': () => ({ isTool: true, needsValues: false }) };
});

describe('a tool in a call', () => {
  it('is run by tools-secrets where it is an HTTP tool, and mcp-hub hears nothing of it', async () => {
    tool = resultOf('from the tool');
    expect(await run()).toEqual(tool);
    expect(executions).toEqual([]);
  });

  it('has with it what records of the execution hide', async () => {
    tool = resultOf('from the tool');
    redaction = { language: 'de', timezone: 'Europe/Berlin', kinds: ['card'] };
    await run();
    expect(composed).toEqual([{ values: null, redaction }]);
  });

  it('is run at the server at once where the agent has no HTTP tool of this name', async () => {
    responses['tools.needs'] = () => ({ isTool: false, needsValues: false });
    expect(await run()).toEqual(server);
    expect(composed).toEqual([]);
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

describe('the values for the placeholders of a tool', () => {
  const log = {
    configVersion: 4,
    campaignId: null,
    direction: 'inbound',
    fromNumber: '+14155550100',
    toNumber: '+14155550199',
    startedAt: '2026-11-28T10:00:00.000Z',
    answeredAt: null,
    dynamicVariables: { customer: 'Ada' },
  };
  const { configVersion: _version, ...call } = log;
  const agent = { variables: { city: 'Paris' }, timezone: 'Europe/Paris' };
  const refusing = (code: ErrorCode) => () => {
    throw new AppError(code);
  };

  beforeEach(() => {
    tool = resultOf('from the tool');
    responses = {
      'tools.needs': () => ({ isTool: true, needsValues: true }),
      [contract.callsGet.id]: () => ({ ...log, transcript: 'not for the tool' }),
      [serviceRequests.agentsPostCallWebhook.id]: () => ({ ...agent, webhook: { url: 'https://a.example' } }),
    };
  });

  const values = async (): Promise<unknown> => {
    await run();
    const [facts] = composed;
    return (facts as { readonly values: unknown } | undefined)?.values;
  };

  it('are sent along with the execution, without the rest of the call and of the agent', async () => {
    expect(await values()).toEqual({ call, agent });
  });

  it('are read of no service for a tool without placeholders', async () => {
    responses = { 'tools.needs': () => ({ isTool: true, needsValues: false }) };
    expect(await values()).toBeNull();
  });

  it('have no call where the call is in no log, and no defaults where the agent has no configuration', async () => {
    responses[contract.callsGet.id] = refusing('CALL_NOT_FOUND');
    responses[serviceRequests.agentsPostCallWebhook.id] = refusing('CONFIG_NOT_FOUND');
    expect(await values()).toEqual({ call: null, agent: { variables: {}, timezone: 'UTC' } });
  });

  it.each(['UPSTREAM_TIMEOUT', 'SERVICE_UNAVAILABLE', 'AGENT_NOT_FOUND'] as const)(
    'are missing after %s, and tools-secrets decides what becomes of the execution',
    async (code) => {
      responses[serviceRequests.agentsPostCallWebhook.id] = refusing(code);
      expect(await values()).toBeNull();
    },
  );

  it('are left to tools-secrets of 0.2.0, which does not know what a tool needs', async () => {
    delete responses['tools.needs'];
    expect(await run()).toEqual(tool);
    expect(composed).toEqual([undefined]);
  });
});
