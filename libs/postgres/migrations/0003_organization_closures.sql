-- Closures of organizations. A closed organization begins nothing here while the gateway asks whether it can be
-- removed; a removed one begins nothing for good. One row per removal: a closure that arrives after it was taken back
-- closes nothing.
create table organization_closures (
  organization_id text not null,
  removal_id uuid not null,
  state text not null check (state in ('closed', 'reopened', 'removed')),
  changed_at timestamptz not null default now(),
  -- time at which this service next clears away the remains of a removed organization; null when nothing remains
  next_clearing_at timestamptz,
  primary key (organization_id, removal_id)
);
create index organization_closures_clearing on organization_closures (next_clearing_at)
  where next_clearing_at is not null;
