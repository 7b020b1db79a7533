// The connections of agents.
import { events } from '@parlance/contracts';
import { announce } from '@parlance/postgres';
import { Attachments } from '@parlance/service-host';

export const connectionAttachments = new Attachments({
  tables: { agents: 'mcp_agents', attachments: 'mcp_attachments', thing: 'connection_id' },
  limit: { name: 'maxConnectionsPerAgent', most: 20 },
  announce: (tx, parts, organizationId, { agentId, count, version }) =>
    announce(tx, parts, events.agentConnectionsChanged, organizationId, {
      agentId,
      mcpConnections: count,
      version,
    }),
});
