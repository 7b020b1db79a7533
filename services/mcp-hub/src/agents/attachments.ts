// Gives connections to agents and takes them away. Each change is announced with the number of connections that the agent
// then has.
import { events } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { announce, type Tx } from '@parlance/persistence';
import type { Parts } from '../parts.js';

const maxConnectionsPerAgent = 20;

/** Locks the agents' rows against other changes of their connections, in one order, so that two changes never deadlock. */
const holdAgents = async (tx: Tx, organizationId: string, agentIds: readonly string[]): Promise<void> => {
  await tx.query(
    'select 1 from mcp_agents where organization_id = $1 and agent_id = any($2::uuid[]) order by agent_id for update',
    [organizationId, agentIds],
  );
};

const countOf = async (tx: Tx, agentId: string): Promise<number> => {
  const { rows } = await tx.query<{ count: number }>(
    'select count(*)::int as count from mcp_attachments where agent_id = $1',
    [agentId],
  );
  return rows[0]?.count ?? 0;
};

const announceConnections = async (
  tx: Tx,
  parts: Pick<Parts, 'clock' | 'ids'>,
  organizationId: string,
  agentId: string,
): Promise<void> => {
  const { rows } = await tx.query<{ version: number }>(
    'update mcp_agents set version = version + 1 where organization_id = $1 and agent_id = $2 returning version',
    [organizationId, agentId],
  );
  const [row] = rows;
  if (row === undefined) return;
  const data = { agentId, mcpConnections: await countOf(tx, agentId), version: row.version };
  await announce(tx, parts, events.agentConnectionsChanged, organizationId, data);
};

export interface Attachment {
  readonly mcpConnectionId: string;
  readonly agentId: string;
}

/**
 * Attaches the connection to the agent. A second call changes nothing.
 * @throws AppError AGENT_NOT_FOUND for an agent that was deleted; CONFLICT with the limit
 */
export const attach = async (
  tx: Tx,
  parts: Pick<Parts, 'clock' | 'ids'>,
  organizationId: string,
  { mcpConnectionId, agentId }: Attachment,
): Promise<void> => {
  await tx.query(
    'insert into mcp_agents (agent_id, organization_id) values ($1, $2) on conflict (agent_id) do nothing',
    [agentId, organizationId],
  );
  const { rows } = await tx.query<{ is_deleted: boolean }>(
    'select is_deleted from mcp_agents where organization_id = $1 and agent_id = $2 for update',
    [organizationId, agentId],
  );
  if (rows[0]?.is_deleted !== false) throw new AppError('AGENT_NOT_FOUND');
  const { rowCount } = await tx.query(
    `insert into mcp_attachments (agent_id, connection_id, organization_id, attached_at) values ($1, $2, $3, $4)
     on conflict do nothing`,
    [agentId, mcpConnectionId, organizationId, parts.clock.now()],
  );
  if (rowCount === 0) return;
  if ((await countOf(tx, agentId)) > maxConnectionsPerAgent) {
    throw new AppError('CONFLICT', { details: { maxConnectionsPerAgent } });
  }
  await announceConnections(tx, parts, organizationId, agentId);
};

/** True when the agent had the connection. */
export const detach = async (
  tx: Tx,
  parts: Pick<Parts, 'clock' | 'ids'>,
  organizationId: string,
  { mcpConnectionId, agentId }: Attachment,
): Promise<boolean> => {
  await holdAgents(tx, organizationId, [agentId]);
  const { rowCount } = await tx.query(
    'delete from mcp_attachments where organization_id = $1 and agent_id = $2 and connection_id = $3',
    [organizationId, agentId, mcpConnectionId],
  );
  if (rowCount > 0) await announceConnections(tx, parts, organizationId, agentId);
  return rowCount > 0;
};

/** Takes the connection away from every agent. The caller holds the connection's row. */
export const detachFromAll = async (
  tx: Tx,
  parts: Pick<Parts, 'clock' | 'ids'>,
  organizationId: string,
  mcpConnectionId: string,
): Promise<void> => {
  const { rows } = await tx.query<{ agent_id: string }>(
    'select agent_id from mcp_attachments where organization_id = $1 and connection_id = $2 order by agent_id',
    [organizationId, mcpConnectionId],
  );
  const agentIds = rows.map((row) => row.agent_id);
  await holdAgents(tx, organizationId, agentIds);
  await tx.query('delete from mcp_attachments where organization_id = $1 and connection_id = $2', [
    organizationId,
    mcpConnectionId,
  ]);
  for (const agentId of agentIds) await announceConnections(tx, parts, organizationId, agentId);
};

/** A deleted agent loses its connections. Nothing is announced, because their number is gone with the agent. */
export const forgetAgent = async (tx: Tx, organizationId: string, agentId: string): Promise<void> => {
  await tx.query(
    `insert into mcp_agents (agent_id, organization_id, is_deleted) values ($1, $2, true)
     on conflict (agent_id) do update set is_deleted = true where mcp_agents.organization_id = $2`,
    [agentId, organizationId],
  );
  await tx.query('delete from mcp_attachments where organization_id = $1 and agent_id = $2', [
    organizationId,
    agentId,
  ]);
};
