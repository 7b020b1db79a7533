import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Callable } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { platformCaller, type RpcContext } from '@parlance/rpc';
import { RuntimeConfigs, type RuntimeConfigsOptions } from './runtime-configs.js';

type Response = () => unknown;

const [agentId, organizationId] = [randomUUID(), 'o1'];
const context: RpcContext = { caller: platformCaller('gateway', ''), requestId: 'r1' };
const atStart = { agent: { id: agentId, organizationId }, config: {}, initiation: null, runtime: {} };
const phoneNumber = '+14155550100';

let asked: { readonly id: string; readonly organizationId: string; readonly input: unknown }[];
let responses: Record<string, Response>;
let configs: RuntimeConfigs;

const respond = async (row: Callable, input: unknown, { caller }: RpcContext): Promise<unknown> => {
  asked.push({ id: row.id, organizationId: caller.organizationId, input });
  const response = responses[row.id];
  if (response === undefined) throw new AppError('SERVICE_UNAVAILABLE');
  return response();
};

const rpc = {
  call: async (row: Callable, request: unknown, of: RpcContext) => ({
    data: await respond(row, request, of),
  }),
  dispatch: async (row: Callable, input: unknown, of: RpcContext) => ({
    json: Buffer.from(JSON.stringify(await respond(row, input, of))),
  }),
} as unknown as RuntimeConfigsOptions['rpc'];

beforeEach(() => {
  asked = [];
  responses = {
    'agents.atStart': () => atStart,
    'tools.forAgent': () => [{ name: 'weather' }],
    'mcp.forAgent': () => [{ name: 'weather' }, { name: 'orders' }],
    'knowledge.forAgent': () => ({ mode: 'search', prompt: null }),
  };
  configs = new RuntimeConfigs({ rpc, logger: { warn: () => undefined } });
});

const ofAgent = (query: object = {}) => configs.ofAgent({ params: { agentId }, query, body: {} }, context);
const ofNumber = () => configs.ofNumber({ params: { phoneNumber }, query: {}, body: {} }, context);
const ids = () => asked.map(({ id }) => id);

describe('the configuration of a call', () => {
  it('has the parts of all services, and no tool of an MCP server with the name of another tool', async () => {
    const config = await ofAgent({ dynamicVariables: { name: 'Ada' } });
    expect(config).toMatchObject({
      ...atStart,
      tools: [{ name: 'weather' }],
      mcpTools: [{ name: 'orders' }],
      knowledge: { mode: 'search' },
    });
    expect(config.warnings).toHaveLength(1);
    expect(asked[0]?.input).toMatchObject({ body: { call: { dynamicVariables: { name: 'Ada' } } } });
    const others = asked.filter(({ id }) => id.endsWith('.forAgent'));
    expect(others.map((request) => request.organizationId)).toEqual(Array(3).fill(organizationId));
  });

  it('starts without a part whose service is away, and names it', async () => {
    delete responses['knowledge.forAgent'];
    const config = await ofAgent();
    expect(config).toMatchObject({ tools: [{ name: 'weather' }], knowledge: { mode: 'none', prompt: null } });
    expect(config.warnings.join()).toContain('knowledge of the agent could not be read in time');
  });

  it('is read at the same time from all services for an agent that was called before', async () => {
    await ofAgent();
    asked = [];
    await ofAgent();
    expect(ids()).toEqual(['tools.forAgent', 'mcp.forAgent', 'knowledge.forAgent', 'agents.atStart']);
  });

  it('is refused with the reason of agents-config, which is requested once', async () => {
    responses['agents.atStart'] = () => {
      throw new AppError('AGENT_INACTIVE');
    };
    await expect(ofAgent()).rejects.toMatchObject({ code: 'AGENT_INACTIVE' });
    expect(ids()).toEqual(['agents.atStart']);
  });

  it('is the whole of agents-config 0.2.0, which does not know the request for a part', async () => {
    delete responses['agents.atStart'];
    const whole = { ...atStart, tools: [], mcpTools: [], warnings: [] };
    responses['internal.agentConfig'] = () => whole;
    expect(await ofAgent()).toEqual(whole);
  });
});

describe('the call of a configuration', () => {
  const callId = 'call-1';
  const factsSent = () =>
    asked.flatMap(({ id, input }) =>
      id === 'agents.atStart' ? [(input as { readonly composed?: unknown }).composed] : [],
    );

  it('is read of calls-logs and sent to agents-config, which gives the token', async () => {
    const standing = { organizationId, agentId, isOver: false };
    responses['calls.standing'] = () => ({ standing });
    await ofAgent({ callId });
    expect(factsSent()).toEqual([{ call: standing }]);
  });

  it('is unknown where calls-logs does not answer in time', async () => {
    responses['calls.standing'] = () => {
      throw new AppError('UPSTREAM_TIMEOUT');
    };
    await ofAgent({ callId });
    expect(factsSent()).toEqual([{ call: null }]);
  });

  it('is left to agents-config where calls-logs does not know the request', async () => {
    await ofAgent({ callId });
    expect(factsSent()).toEqual([undefined]);
  });

  it('is not read without an id', async () => {
    await ofAgent();
    expect(ids()).not.toContain('calls.standing');
  });
});

describe('the configuration of a called number', () => {
  it('is that of its agent, read from all services at the same time', async () => {
    responses['numbers.agentOf'] = () => ({ agentId, organizationId, phoneNumber });
    expect(await ofNumber()).toMatchObject({ ...atStart, phoneNumber, tools: [{ name: 'weather' }] });
    expect(ids()).toEqual([
      'numbers.agentOf',
      'tools.forAgent',
      'mcp.forAgent',
      'knowledge.forAgent',
      'agents.atStart',
    ]);
  });

  it('is refused for an agent of another organization', async () => {
    responses['numbers.agentOf'] = () => ({ agentId, organizationId: 'o2', phoneNumber });
    await expect(ofNumber()).rejects.toMatchObject({ code: 'AGENT_NOT_FOUND' });
  });

  it('is refused beyond the pace of the number, which is counted once', async () => {
    responses['numbers.agentOf'] = () => {
      throw new AppError('RATE_LIMITED', { retryAfterSeconds: 60 });
    };
    await expect(ofNumber()).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 60 });
    expect(ids()).toEqual(['numbers.agentOf']);
  });

  it('is the whole of telephony-numbers 0.2.0', async () => {
    const whole = { ...atStart, phoneNumber };
    responses['internal.numberConfig'] = () => whole;
    expect(await ofNumber()).toEqual(whole);
  });
});
