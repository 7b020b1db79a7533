-- Read model of campaigns, folded from streams `campaign-*`. Can be emptied and made again from them.
create table campaigns (
  id uuid primary key,
  organization_id text not null,
  agent_id uuid not null,
  status text not null,
  scheduled_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision bigint not null,
  -- the whole state, as the decider knows it
  state jsonb not null
);
create index campaigns_list on campaigns (organization_id, created_at desc, id desc);
create index campaigns_open on campaigns (status, scheduled_at) where status in ('validating', 'scheduled', 'running', 'paused');
create index campaigns_of_agent on campaigns (organization_id, agent_id) where status in ('validating', 'scheduled', 'running', 'paused');

-- Whom a campaign calls: one row for every row of its file that was accepted. Owned: a recipient has no stream until its
-- turn comes, so these rows are not made again from streams.
create table campaign_recipients (
  campaign_id uuid not null,
  -- as a person sees it in the file: the header is row 1
  row_number int not null,
  organization_id text not null,
  phone_number text not null,
  -- of the number, the strictest applies; or the one that the file says
  time_zones text[] not null,
  -- variables, and what is said otherwise to this one
  row jsonb not null,
  -- its stream is begun when the recipient's turn comes
  outbound_call_id uuid not null,
  -- pending, queued, in_progress, completed, voicemail, no_answer, busy, failed, cancelled or skipped
  state text not null default 'pending',
  -- why it ended
  reason text,
  attempts int not null default 0,
  cost_micros bigint not null default 0,
  -- a pending one is not dialled before; null is at once
  not_before timestamptz,
  -- lease of the dialer that has it in hand
  claimed_by text,
  claimed_until timestamptz,
  -- of the outbound call's stream, as far as it was heard of
  revision bigint not null default -1,
  updated_at timestamptz not null default now(),
  primary key (campaign_id, row_number),
  constraint campaign_recipients_state check (state in ('pending', 'queued', 'in_progress', 'completed', 'voicemail',
    'no_answer', 'busy', 'failed', 'cancelled', 'skipped'))
);
create unique index campaign_recipients_call on campaign_recipients (outbound_call_id);
create index campaign_recipients_pending on campaign_recipients (campaign_id, not_before, row_number) where state = 'pending';
create index campaign_recipients_queued on campaign_recipients (campaign_id, claimed_until) where state = 'queued';

-- How many recipients of a campaign are in which state: kept by the triggers below and by nothing else, so that it says
-- at every instant what counting the rows would say.
create table campaign_counts (
  campaign_id uuid not null,
  state text not null,
  recipients bigint not null,
  attempts bigint not null,
  cost_micros bigint not null,
  primary key (campaign_id, state)
) with (fillfactor = 50);

-- Takes the counts of these campaigns for the rest of the transaction, always in the same order.
create function lock_campaign_counts(ids uuid[]) returns void language plpgsql as $$
declare
  id uuid;
begin
  for id in select distinct u.id from unnest(ids) as u (id) order by u.id loop
    perform pg_advisory_xact_lock(hashtextextended('campaign_counts:' || id::text, 0));
  end loop;
end $$;

create function count_recipients_inserted() returns trigger language plpgsql as $$
begin
  perform lock_campaign_counts(array(select distinct campaign_id from added));
  insert into campaign_counts as c (campaign_id, state, recipients, attempts, cost_micros)
    select campaign_id, state, count(*), sum(attempts), sum(cost_micros) from added
    group by campaign_id, state order by campaign_id, state
  on conflict (campaign_id, state) do update set recipients = c.recipients + excluded.recipients,
    attempts = c.attempts + excluded.attempts, cost_micros = c.cost_micros + excluded.cost_micros;
  return null;
end $$;

create function count_recipients_updated() returns trigger language plpgsql as $$
begin
  perform lock_campaign_counts(array(select distinct campaign_id from added));
  insert into campaign_counts as c (campaign_id, state, recipients, attempts, cost_micros)
    select campaign_id, state, sum(recipients), sum(attempts), sum(cost_micros) from (
      select campaign_id, state, 1 as recipients, attempts, cost_micros from added
      union all
      select campaign_id, state, -1, -attempts, -cost_micros from removed) as changes
    group by campaign_id, state
    having sum(recipients) <> 0 or sum(attempts) <> 0 or sum(cost_micros) <> 0
    order by campaign_id, state
  on conflict (campaign_id, state) do update set recipients = c.recipients + excluded.recipients,
    attempts = c.attempts + excluded.attempts, cost_micros = c.cost_micros + excluded.cost_micros;
  return null;
end $$;

create function count_recipients_deleted() returns trigger language plpgsql as $$
begin
  perform lock_campaign_counts(array(select distinct campaign_id from removed));
  insert into campaign_counts as c (campaign_id, state, recipients, attempts, cost_micros)
    select campaign_id, state, -count(*), -sum(attempts), -sum(cost_micros) from removed
    group by campaign_id, state order by campaign_id, state
  on conflict (campaign_id, state) do update set recipients = c.recipients + excluded.recipients,
    attempts = c.attempts + excluded.attempts, cost_micros = c.cost_micros + excluded.cost_micros;
  return null;
end $$;

create trigger campaign_recipients_inserted after insert on campaign_recipients
  referencing new table as added for each statement execute function count_recipients_inserted();
create trigger campaign_recipients_updated after update on campaign_recipients
  referencing old table as removed new table as added for each statement execute function count_recipients_updated();
create trigger campaign_recipients_deleted after delete on campaign_recipients
  referencing old table as removed for each statement execute function count_recipients_deleted();

-- Campaigns of which no recipient may be claimed any more. Written before anybody is told that one was cancelled, so that
-- what was shown as cancelled does not come back.
create table campaign_stops (campaign_id uuid primary key);

-- Numbers that an organization never calls.
create table suppressions (
  id uuid primary key,
  organization_id text not null,
  phone_number text not null,
  reason text,
  created_at timestamptz not null,
  unique (organization_id, phone_number)
);
create index suppressions_list on suppressions (organization_id, created_at desc, id desc);

-- Settings of organizations as agents-config last told them.
create table organization_settings (
  organization_id text primary key,
  version int not null,
  settings jsonb not null
);

-- When the next call may begin through a provider's account; shared by every copy of the dialer.
create table pacing (
  account text primary key,
  next_at timestamptz not null
);

-- Who reads a campaign's file right now, and how often that was tried.
create table file_claims (
  campaign_id uuid primary key,
  holder text not null,
  claimed_until timestamptz not null,
  tries int not null default 0
);

-- The campaign whose dialers attempt the call; null for quick calls and for what a person asked for again.
alter table outbound_calls add column campaign_id uuid;
drop index outbound_calls_due;
create index outbound_calls_due on outbound_calls (not_before) where phase = 'queued' and campaign_id is null;
create index outbound_calls_of_campaign on outbound_calls (campaign_id) where phase <> 'ended' and campaign_id is not null;
