-- Removals of organizations that are under way. The row goes in the transaction that deletes the organization, or when the
-- services that were closed to it are open again; whoever finds one that its gateway has left takes it back.
create table organization_removals (
  -- names its closures in the services
  id uuid primary key,
  -- one at a time
  organization_id text not null unique,
  deleted_by text not null,
  state text not null check (state in ('closing', 'reopening')),
  -- nobody else takes it in hand before
  lease_until timestamptz not null
);
create index organization_removals_lease on organization_removals (lease_until);
