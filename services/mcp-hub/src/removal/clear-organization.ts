// Deletes the data of a removed organization.
import type { Database } from '@parlance/postgres';

/** Deletes all rows of the organization. Resolves with true, because nothing is left. */
export const clearOrganization = async (db: Database, organizationId: string): Promise<boolean> => {
  await db.transaction(async (tx) => {
    for (const table of [
      'mcp_executions',
      'mcp_oauth_tokens',
      'mcp_oauth_logins',
      'mcp_oauth_clients',
      'mcp_attachments',
      'mcp_agents',
      'mcp_tools',
      'mcp_connections',
      'ended_calls',
    ])
      await tx.query(`delete from ${table} where organization_id = $1`, [organizationId]);
  });
  return true;
};
