// Deletes the sources of a deleted agent.
import type { Tx } from '@parlance/postgres';
import { deleteSource } from './sources-repository.js';

/** Deletes all sources of the agent. No source can be made for the agent afterwards. */
export const forgetAgent = async (tx: Tx, organizationId: string, agentId: string): Promise<void> => {
  await tx.query(
    `insert into knowledge_agents (organization_id, agent_id, is_deleted) values ($1, $2, true)
     on conflict (organization_id, agent_id) do update set is_deleted = true`,
    [organizationId, agentId],
  );
  const { rows } = await tx.query<{ id: string }>(
    'select id from knowledge_sources where organization_id = $1 and agent_id = $2',
    [organizationId, agentId],
  );
  for (const { id } of rows) await deleteSource(tx, organizationId, id);
};
