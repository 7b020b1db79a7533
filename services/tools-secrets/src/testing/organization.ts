// An organization of a test: the requests of its people, and of the runtimes of its calls.

import { randomUUID } from 'node:crypto';
import {
  type Caller,
  contract,
  events,
  type RequestOf,
  type Tool,
  type ToolResult,
  type ToolRunFacts,
} from '@parlance/contracts';
import { endedCall } from '@parlance/fixtures/service';
import { callerOfCall } from '@parlance/rpc';
import { ownerOf } from './owner.js';
import type { World } from './world.js';

/** The id of an agent that agents-config knows. */
export const newAgentId = (): string => `a${randomUUID().slice(1)}`;

/** The organization with this id. */
export const organizationWith = (world: World, id: string): Organization => new Organization(world, id);

/** An organization that nothing has heard of yet. */
export const newOrganization = (world: World): Organization => new Organization(world, randomUUID());

class Organization {
  readonly caller: Caller;

  constructor(
    readonly world: World,
    readonly id: string,
  ) {
    this.caller = ownerOf(id);
  }

  /** Creates a tool named `name` that calls `path` of the customer's system. */
  create(name: string, path: string, change: ToolChange = {}): Promise<Tool> {
    const { request, ...rest } = change;
    const body = {
      ...{ name, description: 'Looks something up.' },
      ...rest,
      request: { method: 'GET' as const, url: this.world.system.url(path), ...request },
    };
    return this.world.ask(contract.toolsCreate, { body }, this.caller);
  }

  update(toolId: string, body: RequestOf<(typeof contract)['toolsUpdate']>['body']): Promise<Tool> {
    return this.world.ask(contract.toolsUpdate, { params: { toolId }, body }, this.caller);
  }

  attach(toolId: string, agentId: string) {
    return this.world.ask(contract.toolsAttach, { params: { toolId, agentId } }, this.caller);
  }

  list(): Promise<Tool[]> {
    return this.world.ask(contract.toolsList, { query: {} }, this.caller);
  }

  test(toolId: string, args: Args = {}, agentId?: string) {
    const body = { arguments: args, ...(agentId === undefined ? {} : { agentId }) };
    return this.world.ask(contract.toolsTest, { params: { toolId }, body }, this.caller);
  }

  /** Runs a tool like the runtime of the agent's call. */
  run(call: { agentId: string; callId: string }, toolName: string, args: Args = {}, executionId?: string) {
    const caller = callerOfCall({ organizationId: this.id, ...call });
    const body = { arguments: args, ...(executionId === undefined ? {} : { executionId }) };
    const params = { callId: call.callId, toolName };
    return this.world.ask(contract.toolsRunInCall, { params, body }, caller) as Promise<ToolResult>;
  }

  /** The same, with the facts of a gateway of this release. */
  async runWith(
    composed: ToolRunFacts,
    call: { agentId: string; callId: string },
    toolName: string,
    args: Args = {},
  ): Promise<ToolResult> {
    const caller = callerOfCall({ organizationId: this.id, ...call });
    const params = { callId: call.callId, toolName };
    const request = { params, body: { arguments: args }, composed };
    return this.world.ask(contract.toolsRunInCall, request, caller);
  }

  /** A new call of a new agent that has these tools. */
  async inCall(...tools: readonly Tool[]): Promise<{ agentId: string; callId: string }> {
    const agentId = newAgentId();
    for (const tool of tools) await this.attach(tool.id, agentId);
    return { agentId, callId: `call_${randomUUID()}` };
  }

  async secret(name: string, value: string, allowedOrigins: string[] = []) {
    return this.world.ask(contract.secretsCreate, { body: { name, value, allowedOrigins } }, this.caller);
  }

  endCall(call: { agentId: string; callId: string }, endedAt: Date): Promise<void> {
    return this.world.announce(events.callEnded, this.id, endedCall(call, endedAt.toISOString()));
  }
}

type Args = RequestOf<(typeof contract)['toolsTest']>['body']['arguments'];
type ToolBody = RequestOf<(typeof contract)['toolsCreate']>['body'];
type ToolChange = Partial<Omit<ToolBody, 'request'>> & { readonly request?: Partial<ToolBody['request']> };
