// Deletes the data of a removed organization.
import { type Database, deleteOfOrganization } from '@parlance/postgres';

/**
 * Deletes a part; resolves with true when nothing is left. The logins, clients and attachments of a connection are few, and go with
 * it.
 */
export const clearOrganization = async (db: Database, organizationId: string): Promise<boolean> => {
  const areCleared = await deleteOfOrganization(db, organizationId, [
    'mcp_executions',
    'mcp_oauth_tokens',
    'mcp_tools',
    'secret_saves',
    'ended_calls',
  ]);
  return areCleared && deleteOfOrganization(db, organizationId, ['mcp_connections', 'mcp_agents'], 100);
};
