-- The number of tools of each agent, as tools-secrets announced it last. The row is deleted with its agent.
create table agent_tools (
  agent_id uuid primary key references agents (id) on delete cascade,
  organization_id text not null,
  tools integer not null,
  version integer not null
);
