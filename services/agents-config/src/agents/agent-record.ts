// A row of the table `agents`, and the agent as callers read it.
import type { Agent } from '@parlance/contracts';
import { AppError } from '@parlance/errors';

export interface AgentRow {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly is_active: boolean;
  readonly template_id: string | null;
  readonly config_version: number | null;
  readonly last_call_at: Date | null;
  readonly phone_numbers: Agent['phoneNumbers'];
  readonly tools: number;
  readonly knowledge_sources: number;
  readonly connections: number;
  readonly widgets: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** The columns of an agent that this service decides itself. */
export const ownColumns =
  'id, organization_id, name, is_active, template_id, config_version, last_call_at, created_at, updated_at';

/** An agent that was just created: no other service has announced anything about it. */
export const withoutAnnouncements = {
  phone_numbers: [],
  tools: 0,
  knowledge_sources: 0,
  connections: 0,
  widgets: 0,
} as const satisfies Partial<AgentRow>;

/** The columns of the table `agents` under this name, with the announcements of other services about each agent. */
export const agentColumns = `${ownColumns},
  (select coalesce(json_agg(json_build_object('id', n.number_id, 'phoneNumber', n.phone_number) order by n.phone_number), '[]')
   from agent_numbers n where n.agent_id = agents.id and n.organization_id = agents.organization_id) as phone_numbers,
  coalesce((select t.tools from agent_tools t where t.agent_id = agents.id), 0) as tools,
  coalesce((select s.sources from agent_sources s where s.agent_id = agents.id), 0) as knowledge_sources,
  coalesce((select m.connections from agent_connections m where m.agent_id = agents.id), 0) as connections,
  coalesce((select w.widgets from agent_widgets w where w.agent_id = agents.id), 0) as widgets`;

export const toAgent = (row: AgentRow): Agent => ({
  id: row.id,
  name: row.name,
  isActive: row.is_active,
  templateId: row.template_id,
  hasConfig: row.config_version !== null,
  configVersion: row.config_version,
  phoneNumbers: row.phone_numbers,
  counts: {
    tools: row.tools,
    knowledgeSources: row.knowledge_sources,
    mcpConnections: row.connections,
    widgets: row.widgets,
  },
  lastCallAt: row.last_call_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

/** The agent, if it may take a call. @throws AppError AGENT_INACTIVE or AGENT_NOT_CONFIGURED */
export const ready = (row: AgentRow): AgentRow & { readonly config_version: number } => {
  if (!row.is_active) throw new AppError('AGENT_INACTIVE');
  if (row.config_version === null) throw new AppError('AGENT_NOT_CONFIGURED');
  return { ...row, config_version: row.config_version };
};
