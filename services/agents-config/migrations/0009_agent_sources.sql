-- How many knowledge sources each agent has, as knowledge told it. With the agent, its count goes.
create table agent_sources (
  agent_id uuid primary key references agents (id) on delete cascade,
  organization_id text not null,
  sources integer not null,
  version integer not null
);
