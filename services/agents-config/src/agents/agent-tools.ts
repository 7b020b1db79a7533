// The number of tools of each agent. tools-secrets holds the tools and announces the number; this service keeps it.
import type { EventOf, events } from '@parlance/contracts';
import type { Tx } from '@parlance/persistence';

/**
 * Of two announcements about one agent, the one with the higher version holds, in any order of arrival. An announcement
 * about a deleted agent changes nothing.
 */
export const noteTools = async (
  tx: Tx,
  { organizationId, data }: EventOf<typeof events.agentToolsChanged>,
): Promise<void> => {
  await tx.query(
    `insert into agent_tools (agent_id, organization_id, tools, version)
     select id, organization_id, $3, $4 from agents where organization_id = $1 and id = $2 for key share
     on conflict (agent_id) do update set tools = excluded.tools, version = excluded.version
       where agent_tools.version < excluded.version`,
    [organizationId, data.agentId, data.tools, data.version],
  );
};
