-- How many tools each agent has, as tools-secrets told it. With the agent, its count goes.
create table agent_tools (
  agent_id uuid primary key references agents (id) on delete cascade,
  organization_id text not null,
  tools integer not null,
  version integer not null
);
