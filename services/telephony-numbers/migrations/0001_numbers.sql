-- Numbers, from the moment somebody wants to buy one; what prices were made of, which quotes were used, who did what.
create table numbers (
  id uuid primary key,
  organization_id text not null,
  provider text not null check (provider in ('TWILIO', 'TELNYX')),
  phone_number text not null,
  friendly_name text not null,
  iso_country text not null,
  locality text,
  region text,
  sms boolean not null,
  status text not null check (status in ('provisioning', 'active', 'releasing', 'released', 'failed')),
  -- While provisioning: how far the purchase has come.
  step text not null check (step in ('ordering', 'bought', 'configured', 'routed', 'done')),
  -- The provider's id of the number; null until it is known to be bought.
  provider_number_id text,
  agent_id uuid,
  agent_name text,
  -- When the name was read at its agent's, or told: an older one does not replace it.
  agent_named_at timestamptz,
  provider_monthly_cost_micros bigint not null check (provider_monthly_cost_micros >= 0),
  monthly_price_micros bigint not null check (monthly_price_micros >= 0),
  currency text not null,
  rate_catalog_version text not null,
  purchased_by text not null,
  purchased_at timestamptz,
  -- Why it failed, or has to be given back without ever having worked.
  failure_code text,
  -- Grows with everything that others are told.
  version integer not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Who works on it right now, until when, and when it is looked at again.
  claimed_by text,
  claimed_until timestamptz,
  tries integer not null default 0,
  next_try_at timestamptz not null,
  check (status in ('provisioning', 'failed') or provider_number_id is not null)
);
-- A provider takes a second purchase of one number for a change of it: that nobody else has it is only known here.
create unique index one_owner_of_a_number on numbers (phone_number)
  where status in ('provisioning', 'active', 'releasing');
create index numbers_of_organization on numbers (organization_id, created_at desc, id desc);
create index numbers_of_agent on numbers (agent_id) where agent_id is not null;
create index numbers_unfinished on numbers (next_try_at) where status in ('provisioning', 'releasing');

-- A quote buys one number. A purchase that was certainly refused gives it back.
create table used_quotes (
  nonce text primary key,
  number_id uuid not null references numbers (id) deferrable initially deferred,
  expires_at timestamptz not null
);
create index used_quotes_of_number on used_quotes (number_id);

-- What the versions of the catalog in quotes and numbers stood for.
create table rate_catalogs (
  version text primary key,
  rules jsonb not null,
  first_used_at timestamptz not null
);

-- Agents that are gone: a number that was being given to one while it was deleted must not keep it.
create table deleted_agents (
  agent_id uuid primary key,
  deleted_at timestamptz not null
);

-- Where a provider's inventory and ours differ, as the last audit found it.
create table inventory_findings (
  provider text not null,
  kind text not null check (kind in ('orphan', 'ghost')),
  -- orphan: a number at the provider that is ours, and nobody's here; ghost: an active number that the provider does not have.
  provider_number_id text not null,
  phone_number text not null,
  marker text,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (provider, kind, provider_number_id)
);

-- Who spent or gave up money. Nothing in it is ever changed.
create table audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  organization_id text not null,
  actor text not null,
  request_id text,
  action text not null,
  number_id uuid,
  details jsonb not null
);
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is not changed';
end $$;
create trigger audit_log_is_kept before update or delete or truncate on audit_log
  for each statement execute function refuse_change();
