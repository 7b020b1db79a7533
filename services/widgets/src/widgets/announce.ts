// Tells the other services the number of widgets of an agent.
import { events } from '@parlance/contracts';
import { announce, type Tx } from '@parlance/postgres';
import type { Host } from '@parlance/service-host';

/**
 * Holds the agent until the transaction ends, so that announcements have the order of the changes.
 * Resolves with true for an agent that was deleted.
 */
export const holdAgent = async (tx: Tx, organizationId: string, agentId: string): Promise<boolean> => {
  const { rows } = await tx.query<{ is_deleted: boolean }>(
    `insert into widget_agents as known (organization_id, agent_id) values ($1, $2)
     on conflict (organization_id, agent_id) do update set version = known.version returning is_deleted`,
    [organizationId, agentId],
  );
  return rows[0]?.is_deleted === true;
};

/** Announces the number of widgets when the transaction commits. The agent must be held. */
export const announceWidgets = async (
  tx: Tx,
  host: Pick<Host, 'clock' | 'ids'>,
  organizationId: string,
  agentId: string,
): Promise<void> => {
  const { rows } = await tx.query<{ version: number; widgets: number }>(
    `update widget_agents set version = version + 1 where organization_id = $1 and agent_id = $2
     returning version, (select count(*)::int from widgets
       where organization_id = $1 and agent_id = $2) as widgets`,
    [organizationId, agentId],
  );
  const { version, widgets } = rows[0] ?? { version: 1, widgets: 0 };
  await announce(tx, host, events.agentWidgetsChanged, organizationId, { agentId, widgets, version });
};
