// The numbers of tools, sources, connections and widgets of each agent. Four services hold them and announce the
// numbers; this service keeps the numbers.
import type { EventDefinition, EventOf, events } from '@parlance/contracts';
import type { Tx } from '@parlance/postgres';

interface Count {
  readonly agentId: string;
  readonly count: number;
  readonly version: number;
}

interface CountTable {
  readonly table: string;
  readonly column: string;
}

/**
 * Of two announcements about one agent, the one with the higher version holds, in any order of arrival. An announcement
 * about a deleted agent changes nothing.
 */
const noteCount = async (
  tx: Tx,
  { table, column }: CountTable,
  organizationId: string,
  { agentId, count, version }: Count,
): Promise<void> => {
  await tx.query(
    `insert into ${table} (agent_id, organization_id, ${column}, version)
     select id, organization_id, $3, $4 from agents where organization_id = $1 and id = $2 for key share
     on conflict (agent_id) do update set ${column} = excluded.${column}, version = excluded.version
       where ${table}.version < excluded.version`,
    [organizationId, agentId, count, version],
  );
};

const noting =
  <T extends EventDefinition>(into: CountTable, countOf: (data: EventOf<T>['data']) => Count) =>
  (tx: Tx, { organizationId, data }: EventOf<T>): Promise<void> =>
    noteCount(tx, into, organizationId, countOf(data));

export const noteTools = noting<typeof events.agentToolsChanged>(
  { table: 'agent_tools', column: 'tools' },
  ({ tools, ...agent }) => ({ ...agent, count: tools }),
);

export const noteSources = noting<typeof events.agentKnowledgeChanged>(
  { table: 'agent_sources', column: 'sources' },
  ({ sources, ...agent }) => ({ ...agent, count: sources }),
);

export const noteConnections = noting<typeof events.agentConnectionsChanged>(
  { table: 'agent_connections', column: 'connections' },
  ({ mcpConnections, ...agent }) => ({ ...agent, count: mcpConnections }),
);

export const noteWidgets = noting<typeof events.agentWidgetsChanged>(
  { table: 'agent_widgets', column: 'widgets' },
  ({ widgets, ...agent }) => ({ ...agent, count: widgets }),
);
