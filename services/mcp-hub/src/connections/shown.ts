// Connections as readers see them: each with its tools and the agents that use it.
import type { McpConnection } from '@parlance/contracts';
import type { Tx } from '@parlance/postgres';
import { toolsOf } from '../tools/tools-repository.js';
import { type ConnectionRowWithAgents, toConnection } from './connection-record.js';
import { getConnectionWithAgents } from './connections-repository.js';

export const shownConnections = async (
  tx: Tx,
  organizationId: string,
  rows: readonly ConnectionRowWithAgents[],
): Promise<McpConnection[]> => {
  const tools = await toolsOf(
    tx,
    organizationId,
    rows.map(({ id }) => id),
  );
  return rows.map((row) =>
    toConnection(
      row,
      tools.filter(({ connection_id }) => connection_id === row.id),
    ),
  );
};

/** @throws AppError MCP_CONNECTION_NOT_FOUND */
export const shownConnection = async (tx: Tx, organizationId: string, id: string): Promise<McpConnection> => {
  const row = await getConnectionWithAgents(tx, organizationId, id);
  return toConnection(row, await toolsOf(tx, organizationId, [id]));
};
