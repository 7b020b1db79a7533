// Deletes the widgets of a deleted agent.
import { type Tx, wholeList } from '@parlance/postgres';
import type { Host } from '@parlance/service-host';
import { forgetPreviews, forgetSessionsOfWidget } from '../sessions/session-rows.js';
import type { AgentKey } from '../widgets/agents.js';
import { announceSaved } from '../widgets/noted-secrets.js';
import { deleteWidgetRow, listWidgets } from '../widgets/widgets-repository.js';

/** Deletes all widgets of the agent and ends their sessions. No widget can be made for the agent afterwards. */
export const forgetAgent = async (
  tx: Tx,
  host: Pick<Host, 'clock' | 'ids'>,
  { organizationId, agentId }: AgentKey,
): Promise<void> => {
  await tx.query(
    `insert into widget_agents (organization_id, agent_id, is_deleted) values ($1, $2, true)
     on conflict (organization_id, agent_id) do update set is_deleted = true`,
    [organizationId, agentId],
  );
  await forgetPreviews(tx, organizationId, agentId);
  for (const { id } of await listWidgets(tx, organizationId, agentId, wholeList('oldest first'))) {
    await deleteWidgetRow(tx, organizationId, id);
    await forgetSessionsOfWidget(tx, organizationId, id);
    await announceSaved(tx, host, organizationId, id);
  }
};
