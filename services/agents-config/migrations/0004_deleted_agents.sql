-- Agents that were deleted: a call of theirs may be handed over later, and has to be told from one of an agent that never was.
create table deleted_agents (
  id uuid primary key,
  organization_id text not null,
  -- As it was when it was deleted.
  name text not null,
  deleted_at timestamptz not null
);
create index deleted_agents_of_organization on deleted_agents (organization_id, id);
