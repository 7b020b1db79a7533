-- The number of MCP connections of each agent, as mcp-hub announced it last. The row is deleted with its agent.
create table agent_connections (
  agent_id uuid primary key references agents (id) on delete cascade,
  organization_id text not null,
  connections integer not null,
  version integer not null
);
