-- What the dashboard answers from: sums over counted calls (ended, not deleted, no previews) by the moment they started,
-- kept for quarters of an hour, hours, days and weeks of UTC, of which the days of any time zone can be put together
-- (ADR 13). `grain` is the length of the bucket in minutes: 15, 60, 1440 or 10080; `at` its first moment. What comes to
-- zero is removed.

create table call_rollups (
  organization_id text not null,
  grain smallint not null check (grain in (15, 60, 1440, 10080)),
  at timestamptz not null,
  calls integer not null,
  answered integer not null,
  voicemail integer not null,
  transferred integer not null,
  failed integer not null,
  -- of those whose success was judged
  succeeded integer not null,
  unsuccessful integer not null,
  talk_ms bigint not null,
  answered_talk_ms bigint not null,
  cost_micros bigint not null,
  primary key (organization_id, grain, at)
) with (fillfactor = 80);

create table agent_rollups (
  organization_id text not null,
  grain smallint not null check (grain in (15, 60, 1440, 10080)),
  at timestamptz not null,
  agent_id text not null,
  calls integer not null,
  answered integer not null,
  succeeded integer not null,
  unsuccessful integer not null,
  answered_talk_ms bigint not null,
  cost_micros bigint not null,
  primary key (organization_id, grain, at, agent_id)
) with (fillfactor = 80);

-- How many calls had which outcome, reason, direction, channel, and latency (as the number of a bucket of its histogram).
create table call_tallies (
  organization_id text not null,
  grain smallint not null check (grain in (15, 60, 1440, 10080)),
  at timestamptz not null,
  kind text not null,
  value text not null,
  calls integer not null,
  primary key (organization_id, grain, at, kind, value)
) with (fillfactor = 80);

-- Calls in progress: by how much their number changes within an hour or a day (`net`), and how far it rises above what it
-- was before (`peak`, at the start of a minute). `minutes` has the change at the start of each minute of an hour.
create table concurrency_rollups (
  organization_id text not null,
  grain smallint not null check (grain in (60, 1440)),
  at timestamptz not null,
  net integer not null,
  peak integer not null,
  minutes integer[] check ((grain = 60) = (minutes is not null)),
  primary key (organization_id, grain, at)
) with (fillfactor = 80);

-- The name that the newest call of an agent told.
create table called_agents (
  organization_id text not null,
  agent_id text not null,
  name text not null,
  named_at timestamptz not null,
  primary key (organization_id, agent_id)
);

-- The call log by direction, which neither of the two values leaves to filtering.
create index call_index_direction on call_index (organization_id, direction, started_at desc, call_id desc)
  where deleted_at is null;

-- The index is made again from the streams, and the rollups with it.
truncate call_index;
delete from projection_checkpoints where id = 'call-index';
delete from projection_dead_letters where projection_id = 'call-index';

-- What agents-config announced of the organization; not a read model of the streams.
create table organization_settings (
  organization_id text primary key,
  version integer not null,
  timezone text not null
);
