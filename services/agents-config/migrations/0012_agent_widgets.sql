-- The number of widgets of each agent, as the service widgets announced it last. The row is deleted with its agent.
create table agent_widgets (
  agent_id uuid primary key references agents (id) on delete cascade,
  organization_id text not null,
  widgets integer not null,
  version integer not null
);
