// The tools of agents.
import { events } from '@parlance/contracts';
import { announce } from '@parlance/postgres';
import { Attachments } from '@parlance/service-host';

export const toolAttachments = new Attachments({
  tables: { agents: 'tool_agents', attachments: 'tool_attachments', thing: 'tool_id' },
  limit: { name: 'maxToolsPerAgent', most: 50 },
  announce: (tx, parts, organizationId, { agentId, count, version }) =>
    announce(tx, parts, events.agentToolsChanged, organizationId, { agentId, tools: count, version }),
});
