-- Organizations that may begin nothing here any more: while the gateway asks whether one can be removed, and for good once
-- it was removed. One row per removal, so that a closure that arrives after it was taken back closes nothing.
create table organization_closures (
  organization_id text not null,
  removal_id uuid not null,
  state text not null check (state in ('closed', 'reopened', 'removed')),
  changed_at timestamptz not null default now(),
  -- of a removed one: when this service looks next for what is left of it; null when nothing is
  next_clearing_at timestamptz,
  primary key (organization_id, removal_id)
);
create index organization_closures_clearing on organization_closures (next_clearing_at)
  where next_clearing_at is not null;
