-- How many slots the last reservation got: what was reserved is from `next_at` back.
alter table pacing add column granted int not null default 0;

-- Quick calls, and what a person asked for again, that count as calls in progress of their organization from before they
-- are recorded. One is over when the read model knows of an end after `revision`.
create table call_slots (
  outbound_call_id uuid primary key,
  organization_id text not null,
  revision bigint not null,
  taken_at timestamptz not null
);
create index call_slots_of_organization on call_slots (organization_id);

-- Attempts that reached the dial on one day of the organization, while it limits them.
create table daily_attempts (
  organization_id text not null,
  phone_number text not null,
  day date not null,
  attempt_ids uuid[] not null,
  primary key (organization_id, phone_number, day)
);
create index daily_attempts_day on daily_attempts (day);

-- What became of a campaign's calls lately, for its circuit breaker.
create index outbound_calls_campaign_recent on outbound_calls (campaign_id, updated_at desc) where campaign_id is not null;
