// Deletes the data of a removed organization.
import type { Database } from '@parlance/postgres';

/** Deletes all rows of the organization. Resolves with true, because nothing is left. */
export const clearOrganization = async (db: Database, organizationId: string): Promise<boolean> => {
  await db.transaction(async (tx) => {
    await tx.query('delete from secret_references where organization_id = $1', [organizationId]);
    await tx.query('delete from secret_reference_checks where organization_id = $1', [organizationId]);
    for (const table of [
      'tool_runs',
      'tool_run_counts',
      'tool_attachments',
      'tool_agents',
      'tools',
      'ended_calls',
    ])
      await tx.query(`delete from ${table} where organization_id = $1`, [organizationId]);
    await tx.query('delete from secrets where organization_id = $1', [organizationId]);
  });
  return true;
};
