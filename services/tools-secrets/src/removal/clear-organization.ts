// Deletes the data of a removed organization.
import { type Database, deleteOfOrganization } from '@parlance/postgres';

/** Deletes a part; resolves with true when nothing is left. Attachments go with their tools, and versions with their secrets. */
export const clearOrganization = async (db: Database, organizationId: string): Promise<boolean> => {
  const areCleared = await deleteOfOrganization(db, organizationId, [
    'secret_references',
    'secret_reference_checks',
    'tool_runs',
    'tool_run_counts',
    'ended_calls',
  ]);
  // A secret that is still referred to cannot be deleted.
  return areCleared && deleteOfOrganization(db, organizationId, ['tools', 'tool_agents', 'secrets'], 100);
};
