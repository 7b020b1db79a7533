-- Agents and the immutable versions of what they run with.
create table agents (
  id uuid primary key,
  organization_id text not null,
  name text not null,
  is_active boolean not null,
  -- As it was given: slug or uuid.
  template_id text,
  -- The version in force; null before the first save.
  config_version integer check (config_version > 0),
  last_call_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index agents_of_organization on agents (organization_id, created_at desc, id desc);

create table agent_configurations (
  agent_id uuid not null references agents (id) on delete cascade,
  version integer not null check (version > 0),
  organization_id text not null,
  document jsonb not null,
  -- Of the command that saved this version, where it came with an Idempotency-Key: the second try finds the first.
  command_id uuid,
  created_at timestamptz not null,
  primary key (agent_id, version),
  constraint one_version_per_command unique (agent_id, command_id)
);
