// The answer to the voice runtime, beside the configuration: tools, knowledge, and the token of its call.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CallFacts, contract, serviceRequests, type ToolForRuntime } from '@parlance/contracts';
import { callerEnvOf } from '@parlance/fixtures';
import { ownerOf } from '@parlance/fixtures/service';
import { CallTokens } from '@parlance/rpc';
import { World } from '../testing/world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world?.stop());
beforeEach(() => {
  world.tools = [];
  world.knowledge = { mode: 'none', prompt: null };
  world.callFacts = [];
});

const newAgent = async (change: object = {}) => {
  const org = world.organization();
  const agent = await org.create();
  await org.save(agent.id, change);
  return { org, agent };
};
const ask = (agentId: string, callId?: string) =>
  world.ask(
    contract.internalAgentConfig,
    { params: { agentId }, query: callId === undefined ? {} : { callId } },
    ownerOf('', []),
  );
const tool: ToolForRuntime = {
  name: 'find_order',
  description: 'Finds an order.',
  parameters: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
  executionMode: 'immediate',
  fillerMessage: null,
  interruptible: true,
  timeoutMs: 10_000,
};
const mcpTool = { ...tool, name: 'shop_find_order', serverName: 'Shop' };
const factsOf = (callId: string, change: Partial<CallFacts> = {}): CallFacts => ({
  callId,
  outboundCallId: null,
  status: 'in_progress',
  outcome: null,
  endedReason: null,
  answeredBy: null,
  startedAt: '2026-03-01T10:00:00.000Z',
  answeredAt: null,
  endedAt: null,
  durationSeconds: null,
  costMicros: null,
  ...change,
});

describe('the answer to the voice runtime', () => {
  it('holds the tools of both kinds, each name once, the knowledge, and nothing of the webhooks', async () => {
    world.tools = [tool];
    world.mcpTools = [mcpTool, { ...mcpTool, name: tool.name }];
    world.knowledge = { mode: 'prompt', prompt: 'Open from nine to five.' };
    const url = 'https://example.com/hook?key=planted-in-url';
    const webhook = { url, headers: { authorization: 'planted-in-header' }, body: { a: 'planted-in-body' } };
    const { agent } = await newAgent({
      initiation_webhook: { ...webhook, enabled: false },
      post_call_webhook: webhook,
    });
    const found = await ask(agent.id);
    expect(found).toMatchObject({
      tools: [tool],
      mcpTools: [mcpTool],
      knowledge: { mode: 'prompt', prompt: 'Open from nine to five.' },
      warnings: [expect.stringContaining('names of other tools')],
    });
    expect(JSON.stringify(found)).not.toContain('planted');
  });

  it.each(['tools', 'mcpTools', 'knowledge'] as const)(
    'comes without %s while their service is away, and says so',
    async (part) => {
      world.tools = [tool];
      world.mcpTools = [mcpTool];
      world.knowledge = { mode: 'none', prompt: null };
      world[part] = undefined;
      const { agent } = await newAgent();
      const found = await ask(agent.id, randomUUID());
      expect(found.warnings).toEqual([expect.stringContaining(part)]);
      expect(found.tools).toEqual(part === 'tools' ? [] : [tool]);
      expect(found.mcpTools).toEqual(part === 'mcpTools' ? [] : [mcpTool]);
      expect(found.runtime.callToken).not.toBeNull();
    },
  );
});

describe('the token of a call', () => {
  const limits = { maxDurationSeconds: 60 };

  it('is good for that call of that agent, until the call must be over and for a while after', async () => {
    const { org, agent } = await newAgent({ limits });
    const callId = randomUUID();
    world.callFacts = [factsOf(callId, { agentId: agent.id })];
    const { runtime } = await ask(agent.id, callId);
    expect(runtime.baseUrl).toBe('https://runtime.example.com/api/v1');
    expect(await new CallTokens(callerEnvOf('gateway')).verify(runtime.callToken ?? '')).toEqual({
      ...{ organizationId: org.id, agentId: agent.id, callId },
    });
    const seconds = (Date.parse(runtime.expiresAt ?? '') - Date.now()) / 1_000;
    expect(seconds).toBeGreaterThan(60 + 600);
    expect(seconds).toBeLessThan(60 + 600 + 300);
  });

  it.each<[string, Partial<CallFacts>]>([
    ['has ended', { status: 'completed', endedAt: '2026-03-01T10:01:00.000Z' }],
    ['is another agent’s', { agentId: randomUUID() }],
  ])('is not given for a call that %s', async (_, change) => {
    const { agent } = await newAgent({ limits });
    const callId = randomUUID();
    world.callFacts = [factsOf(callId, { agentId: agent.id, ...change })];
    expect((await ask(agent.id, callId)).runtime).toMatchObject({ callToken: null, expiresAt: null });
  });

  it('is not given for the call of another organization, on record or of a preview alone', async () => {
    const { agent } = await newAgent({ limits });
    const callId = randomUUID();
    world.foreignCalls.add(callId);
    expect((await ask(agent.id, callId)).runtime).toMatchObject({ callToken: null, expiresAt: null });
    const other = await newAgent({ limits });
    const { callId: previewed } = await world.ask(
      contract.agentsPreviewSession,
      { params: { agentId: other.agent.id }, body: {} },
      other.org.who,
    );
    expect((await ask(agent.id, previewed)).runtime.callToken).toBeNull();
    expect((await ask(other.agent.id, previewed)).runtime.callToken).not.toBeNull();
  });

  it('is given for a call that is not on record yet, also while calls-logs is away; never without a call', async () => {
    const { agent } = await newAgent({ limits });
    expect((await ask(agent.id, 'new')).runtime.callToken).not.toBeNull();
    world.callFacts = undefined;
    expect((await ask(agent.id, 'new')).runtime.callToken).not.toBeNull();
    expect((await ask(agent.id)).runtime.callToken).toBeNull();
  });

  it('depends on the call that the gateway sends along, and calls-logs is not requested for it', async () => {
    const { org, agent } = await newAgent({ limits });
    const callId = randomUUID();
    // A request of calls-logs would refuse each of these tokens.
    world.foreignCalls.add(callId);
    const own = { organizationId: org.id, agentId: agent.id, isOver: false };
    const tokenFor = async (call: typeof own | null) => {
      const body = { agentId: agent.id, call: { callId } };
      const request = { body, composed: { call } };
      return (await world.ask(serviceRequests.agentsAtStart, request, ownerOf('', []))).runtime.callToken;
    };
    expect(await tokenFor(own)).not.toBeNull();
    expect(await tokenFor(null)).not.toBeNull();
    expect(await tokenFor({ ...own, isOver: true })).toBeNull();
    expect(await tokenFor({ ...own, agentId: randomUUID() })).toBeNull();
    expect(await tokenFor({ ...own, organizationId: randomUUID() })).toBeNull();
  });

  it('is not given for the preview of another organization, whatever the gateway sends along', async () => {
    const [one, other] = [await newAgent({ limits }), await newAgent({ limits })];
    const { callId } = await world.ask(
      contract.agentsPreviewSession,
      { params: { agentId: other.agent.id }, body: {} },
      other.org.who,
    );
    const tokenFor = async (agentId: string) => {
      const request = { body: { agentId, call: { callId } }, composed: { call: null } };
      return (await world.ask(serviceRequests.agentsAtStart, request, ownerOf('', []))).runtime.callToken;
    };
    expect(await tokenFor(one.agent.id)).toBeNull();
    expect(await tokenFor(other.agent.id)).not.toBeNull();
  });
});
