-- expand, release 0.2.0
-- Erasures that end when every service has reported that nothing is left: of a person in an organization, of an organization,
-- and of an account. Identifiers only, apart from the number of a person, which is sealed and goes with the end.
create table erasures (
  id uuid primary key,
  kind text not null check (kind in ('person', 'organization', 'account')),
  -- empty for an account
  organization_id text not null,
  -- id of the account or organization; keyed hash of the number for a person
  subject text not null,
  sealed_number text,
  requested_by text not null,
  requested_at timestamptz not null default now(),
  -- services in which something was left at the last look
  waiting_for text[] not null default '{}',
  -- time at which the log of erasures had the entry
  logged_at timestamptz,
  finished_at timestamptz,
  -- next time at which a gateway works on it; null when there is nothing more to do
  next_at timestamptz default now()
);
create index erasures_next on erasures (next_at) where next_at is not null;
create index erasures_finished on erasures (finished_at) where next_at is null;
create index erasures_of_organization on erasures (organization_id, requested_at desc);
