// An organization of a test: the requests of its people, and of the runtimes of its calls.

import { randomUUID } from 'node:crypto';
import {
  type Caller,
  contract,
  events,
  type McpConnection,
  type RequestOf,
  rolePermissions,
  serviceRequests,
  type ToolResult,
} from '@parlance/contracts';
import { endedCall } from '@parlance/fixtures/service';
import type { World } from './world.js';

type Contract = typeof contract;
type ConnectBody = Extract<RequestOf<Contract['mcpConnect']>['body'], { url: string }>;
type Args = RequestOf<Contract['mcpExecute']>['body']['arguments'];

const ownerOf = (organizationId: string): Caller => ({
  organizationId,
  actor: { type: 'user', id: 'u1' },
  role: 'owner',
  permissions: [...rolePermissions.owner],
});

/** The id of an agent that agents-config knows. */
export const newAgentId = (): string => `a${randomUUID().slice(1)}`;

/** An organization that nothing has heard of yet. */
export const newOrganization = (world: World): Organization => new Organization(world, randomUUID());

export class Organization {
  readonly caller: Caller;

  constructor(
    readonly world: World,
    readonly id: string,
  ) {
    this.caller = ownerOf(id);
  }

  /** Connects the shop's server, unless another address is given. */
  connect(change: Partial<ConnectBody> = {}, commandId?: string): Promise<McpConnection> {
    const body = { name: 'Shop', url: this.world.shop.url, ...change };
    return this.world.ask(contract.mcpConnect, { body }, this.caller, commandId);
  }

  list(): Promise<McpConnection[]> {
    return this.world.ask(contract.mcpConnections, { query: {} }, this.caller);
  }

  async get(mcpConnectionId: string): Promise<McpConnection> {
    const found = (await this.list()).find(({ id }) => id === mcpConnectionId);
    if (found === undefined) throw new Error('no such connection');
    return found;
  }

  refresh({ id: mcpConnectionId }: Connected): Promise<McpConnection> {
    return this.world.ask(contract.mcpRefresh, { params: { mcpConnectionId } }, this.caller);
  }

  update(
    { id: mcpConnectionId }: Connected,
    body: RequestOf<Contract['mcpUpdate']>['body'],
  ): Promise<McpConnection> {
    return this.world.ask(contract.mcpUpdate, { params: { mcpConnectionId }, body }, this.caller);
  }

  approve({ id: mcpConnectionId }: Connected, toolName: string, hash: string): Promise<McpConnection> {
    const params = { mcpConnectionId, toolName };
    return this.world.ask(contract.mcpApprove, { params, body: { hash } }, this.caller);
  }

  disconnect({ id: mcpConnectionId }: Connected) {
    return this.world.ask(contract.mcpDisconnect, { params: { mcpConnectionId } }, this.caller);
  }

  attach({ id: mcpConnectionId }: Connected, agentId: string) {
    return this.world.ask(contract.mcpAttach, { params: { mcpConnectionId, agentId } }, this.caller);
  }

  detach({ id: mcpConnectionId }: Connected, agentId: string) {
    return this.world.ask(contract.mcpDetach, { params: { mcpConnectionId, agentId } }, this.caller);
  }

  execute(
    { id: mcpConnectionId }: Connected,
    toolName: string,
    args: Args = {},
    more: { agentId?: string; commandId?: string } = {},
  ) {
    const { agentId, commandId } = more;
    const body = { arguments: args, ...(agentId === undefined ? {} : { agentId }) };
    const params = { mcpConnectionId, toolName };
    return this.world.ask(contract.mcpExecute, { params, body }, this.caller, commandId);
  }

  /** The tools that the voice runtime is told of. */
  toolsOf(agentId: string) {
    return this.world.ask(serviceRequests.mcpForAgent, { body: { agentId } }, this.caller);
  }

  /** Executes a tool like tools-secrets, for the runtime of a call. */
  executeInCall(
    call: { readonly agentId: string; readonly callId: string },
    offeredName: string,
    args: Args = {},
    executionId?: string,
  ): Promise<ToolResult> {
    const named = { executionId: executionId ?? randomUUID(), isNamed: executionId !== undefined };
    const body = { ...call, ...named, offeredName, arguments: args };
    return this.world.ask(serviceRequests.mcpExecuteInCall, { body }, this.caller);
  }

  /** A secret that tools-secrets knows. */
  secret(value: string, name = 'KEY'): string {
    const id = randomUUID();
    this.world.secrets.set(id, { organizationId: this.id, name, value });
    return id;
  }

  endCall(call: { agentId: string; callId: string }, endedAt: Date): Promise<void> {
    return this.world.announce(events.callEnded, this.id, endedCall(call, endedAt.toISOString()));
  }
}

type Connected = Pick<McpConnection, 'id'>;
