// How many knowledge sources agents have. The sources are those of knowledge; here is the number that it told.
import type { EventOf, events } from '@parlance/contracts';
import type { Tx } from '@parlance/persistence';

/**
 * Of two announcements about one agent the newer holds, in whatever order they come. One about an agent that was deleted
 * changes nothing.
 */
export const noteSources = async (
  tx: Tx,
  { organizationId, data }: EventOf<typeof events.agentKnowledgeChanged>,
): Promise<void> => {
  await tx.query(
    `insert into agent_sources (agent_id, organization_id, sources, version)
     select id, organization_id, $3, $4 from agents where organization_id = $1 and id = $2 for key share
     on conflict (agent_id) do update set sources = excluded.sources, version = excluded.version
       where agent_sources.version < excluded.version`,
    [organizationId, data.agentId, data.sources, data.version],
  );
};
