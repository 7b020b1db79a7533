-- Agents and the immutable versions of what they run with.
create table agents (
  id uuid primary key,
  organization_id text not null,
  name text not null,
  is_active boolean not null,
  template_id text,
  config_version integer,
  last_call_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index agents_of_organization on agents (organization_id, created_at desc, id desc);

create table agent_configurations (
  agent_id uuid not null references agents (id) on delete cascade,
  version integer not null,
  organization_id text not null,
  document jsonb not null,
  created_at timestamptz not null,
  primary key (agent_id, version)
);
