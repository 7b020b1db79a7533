// Connections of agents: attached, detached, listed, and offered to the voice runtime.
import { Controller } from '@nestjs/common';
import type { contract, McpConnection, Result, serviceRequests } from '@parlance/contracts';
import { Cursors, refuseClosed, wholeList } from '@parlance/postgres';
import { type Answer, answer, type RpcRequest, Serves } from '@parlance/rpc';
import { Host, refuseUnknownAgent } from '@parlance/service-host';
import { connectionAttachments } from '../agents/attachments.js';
import { isOffered, toToolForRuntime } from '../tools/tool-record.js';
import { toolsOf } from '../tools/tools-repository.js';
import { getConnection, listConnectionsOfAgent, lockConnection } from './connections-repository.js';
import { shownConnections } from './shown.js';

type Contract = typeof contract;
type ForAgent = (typeof serviceRequests)['mcpForAgent'];
type Attached = Result<Contract['mcpAttach']>;

const attachmentOf = ({ mcpConnectionId, agentId }: Omit<Attached, 'attached'>) => ({
  agentId,
  thingId: mcpConnectionId,
});

@Controller()
@Serves()
export class AttachmentsController {
  constructor(
    private readonly host: Host,
    private readonly cursors: Cursors,
  ) {}

  async 'mcp.listForAgent'({
    params: { agentId },
    query,
    caller,
    requestId,
  }: RpcRequest<Contract['mcpListForAgent']>): Promise<Answer<McpConnection[]>> {
    const { organizationId } = caller;
    const { db } = this.host;
    await refuseUnknownAgent(this.host, organizationId, agentId, requestId);
    const scope = { organizationId, route: 'mcp.listForAgent', filters: { agentId } };
    const { rows, next } = await this.cursors.page(scope, query, (keyset) =>
      listConnectionsOfAgent(db, organizationId, agentId, keyset),
    );
    return answer(await shownConnections(db, organizationId, rows), next);
  }

  /** A server that cannot be reached now may be well again when the call needs it, so its tools are offered. */
  async 'mcp.forAgent'({ body, caller }: RpcRequest<ForAgent>): Promise<Result<ForAgent>> {
    const { organizationId } = caller;
    const rows = await listConnectionsOfAgent(this.host.db, organizationId, body.agentId, wholeList());
    const connections = new Map(rows.map((row) => [row.id, row]));
    const tools = await toolsOf(this.host.db, organizationId, [...connections.keys()]);
    return tools.flatMap((tool) => {
      const connection = connections.get(tool.connection_id);
      if (connection === undefined || !isOffered(tool, connection.approval_policy)) return [];
      const { name, timeout_ms: timeoutMs } = connection;
      return [toToolForRuntime(tool, { name, timeoutMs })];
    });
  }

  async 'mcp.attach'({ params, caller, requestId }: RpcRequest<Contract['mcpAttach']>): Promise<Attached> {
    const { organizationId } = caller;
    await getConnection(this.host.db, organizationId, params.mcpConnectionId);
    await refuseUnknownAgent(this.host, organizationId, params.agentId, requestId);
    await this.host.db.transaction(async (tx) => {
      await refuseClosed(tx, organizationId);
      await lockConnection(tx, organizationId, params.mcpConnectionId);
      await connectionAttachments.attach(tx, this.host, organizationId, attachmentOf(params));
    });
    return { ...params, attached: true };
  }

  async 'mcp.detach'({ params, caller, requestId }: RpcRequest<Contract['mcpDetach']>): Promise<Attached> {
    const { organizationId } = caller;
    await getConnection(this.host.db, organizationId, params.mcpConnectionId);
    const wasAttached = await this.host.db.transaction(async (tx) => {
      await lockConnection(tx, organizationId, params.mcpConnectionId);
      return connectionAttachments.detach(tx, this.host, organizationId, attachmentOf(params));
    });
    if (!wasAttached) await refuseUnknownAgent(this.host, organizationId, params.agentId, requestId);
    return { ...params, attached: false };
  }
}
