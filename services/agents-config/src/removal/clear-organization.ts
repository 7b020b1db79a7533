// Deletes the data of a removed organization: its settings, agents, versions of configurations and preview calls. Also
// deletes the names of deleted agents, the numbers of agents, the variables of initiation webhooks, and its models. Calls keep the names that their agents had.
import { type Database, deleteOfOrganization } from '@parlance/postgres';

/** Few enough that deleting them with their configurations stays far below the limit of a statement. */
const agentsAtOnce = 100;

/** Deletes a part; resolves with true when nothing is left. */
export const clearOrganization = async (db: Database, organizationId: string): Promise<boolean> => {
  const { rowCount } = await db.query(
    `delete from agents where id in (select id from agents where organization_id = $1 limit ${agentsAtOnce})`,
    [organizationId],
  );
  if (rowCount === agentsAtOnce) return false;
  return deleteOfOrganization(db, organizationId, [
    'call_initiations',
    'secret_saves',
    'organization_models',
    'deleted_agents',
    'agent_numbers',
    'organization_settings',
  ]);
};
