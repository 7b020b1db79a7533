-- Secrets of organizations, and the resources that mention them. No column holds a value in clear.
create table secrets (
  id uuid primary key,
  organization_id text not null,
  name text not null,
  description text,
  -- the version in force; grows with every new value
  version integer not null check (version > 0),
  -- the last four characters of the value in force; null where the value is too short to show a part of it
  last_characters text,
  -- the last request that this secret was opened for
  last_used_at timestamptz,
  created_by text not null,
  created_at timestamptz not null,
  constraint one_secret_per_name unique (organization_id, name)
);
create index secrets_of_organization on secrets (organization_id, created_at desc, id desc);

create table secret_versions (
  secret_id uuid not null references secrets (id) on delete cascade,
  version integer not null check (version > 0),
  -- an envelope, bound to organization, secret and version
  sealed text not null,
  -- null for the version in force; the version before it is deleted at this moment
  good_until timestamptz,
  -- the command that made this version, if it had an Idempotency-Key: a second try finds the version of the first
  command_id uuid,
  created_at timestamptz not null,
  primary key (secret_id, version),
  constraint one_version_per_command unique (secret_id, command_id)
);
create index secret_versions_that_end on secret_versions (good_until) where good_until is not null;

-- A secret that a row here names cannot be deleted.
create sequence secret_references_noted;
create table secret_references (
  organization_id text not null,
  user_type text not null,
  user_id text not null,
  user_name text not null,
  secret_id uuid not null references secrets (id),
  -- grows each time the mention is noted; an answer of agents-config removes no mention noted after its question
  noted bigint not null default nextval('secret_references_noted'),
  primary key (organization_id, user_type, user_id, secret_id)
);
create index secret_references_of_secret on secret_references (secret_id);

-- Agents whose mentions have to be checked: agents-config says which secrets they mention now.
create table secret_reference_checks (
  organization_id text not null,
  agent_id uuid not null,
  due_at timestamptz not null,
  -- the claim of the process that asks; a new announcement clears it, so that the agent is asked about again
  claim uuid,
  primary key (organization_id, agent_id)
);
create index secret_reference_checks_due on secret_reference_checks (due_at);
