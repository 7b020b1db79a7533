// Deletes the widgets of a deleted agent.
import type { Tx } from '@parlance/persistence';
import { forgetSessionsOfWidget } from '../sessions/session-rows.js';
import { deleteWidgetRow, listWidgets } from '../widgets/widgets-repository.js';

/** Deletes all widgets of the agent and ends their sessions. No widget can be made for the agent afterwards. */
export const forgetAgent = async (tx: Tx, organizationId: string, agentId: string): Promise<void> => {
  await tx.query(
    `insert into widget_agents (organization_id, agent_id, is_deleted) values ($1, $2, true)
     on conflict (organization_id, agent_id) do update set is_deleted = true`,
    [organizationId, agentId],
  );
  for (const { id } of await listWidgets(tx, organizationId, agentId)) {
    await deleteWidgetRow(tx, organizationId, id);
    await forgetSessionsOfWidget(tx, organizationId, id);
  }
};
