// The list of an agent's versions. Postgres compares two versions in place, so that no document leaves it for the list.
import type { ConfigurationVersion } from '@parlance/contracts';
import type { Tx } from '@parlance/postgres';

interface VersionRow {
  readonly version: number;
  readonly created_at: Date;
  readonly saved_by: string | null;
  readonly restored_from: number | null;
  readonly changed: readonly string[];
}

export interface VersionPage {
  /** The version below which the page begins. */
  readonly before: number;
  readonly limit: number;
}

/** The agent's versions, newest first. @param inForce the version in force */
export const listVersions = async (
  tx: Tx,
  organizationId: string,
  { agentId, inForce }: { readonly agentId: string; readonly inForce: number | null },
  { before, limit }: VersionPage,
): Promise<ConfigurationVersion[]> => {
  const { rows } = await tx.query<VersionRow>({
    name: 'list_configuration_versions',
    text: `select v.version, v.created_at, v.saved_by, v.restored_from,
             case when p.version is null then '{}' else array(
               select coalesce(n.key, o.key) as name
               from jsonb_each(v.document) n full join jsonb_each(p.document) o on o.key = n.key
               where n.value is distinct from o.value order by name) end as changed
           from agent_configurations v
           left join agent_configurations p
             on p.organization_id = v.organization_id and p.agent_id = v.agent_id and p.version = v.version - 1
           where v.organization_id = $1 and v.agent_id = $2 and v.version < $3
           order by v.version desc limit $4`,
    values: [organizationId, agentId, before, limit],
  });
  return rows.map((row) => ({
    version: row.version,
    savedAt: row.created_at.toISOString(),
    savedBy: row.saved_by,
    restoredFrom: row.restored_from,
    inForce: row.version === inForce,
    changed: [...row.changed],
  }));
};
