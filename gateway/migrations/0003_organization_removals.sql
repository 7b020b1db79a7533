-- Removals of organizations that are under way. The row goes in the transaction that deletes the organization. The row
-- of a removal that is taken back goes when the services that were closed to the organization are open again. A gateway
-- that finds a removal left by another gateway takes the removal back.
create table organization_removals (
  -- The id names the closures of this removal in the services.
  id uuid primary key,
  -- An organization has one removal at a time.
  organization_id text not null unique,
  deleted_by text not null,
  state text not null check (state in ('closing', 'reopening')),
  -- No other gateway takes the removal in hand before this time.
  lease_until timestamptz not null
);
create index organization_removals_lease on organization_removals (lease_until);
