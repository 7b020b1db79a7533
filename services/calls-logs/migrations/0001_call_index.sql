-- One row per call, from its stream: filters and order of the call log, what is open, and what the dashboard counts.
create table call_index (
  call_id text primary key,
  organization_id text not null,
  -- revision of the stream's event that wrote the row last
  revision bigint not null,
  phase text not null check (phase in ('live', 'closing', 'ended')),
  agent_id text not null,
  agent_name text not null,
  channel text not null,
  direction text not null,
  status text not null,
  outcome text,
  ended_reason text,
  answered_by text,
  outbound_call_id text,
  campaign_id text,
  room_name text,
  started_at timestamptz not null,
  answered_at timestamptz,
  ended_at timestamptz,
  -- talk time; whole milliseconds, so that sums are exact
  duration_ms bigint,
  cost_micros bigint,
  successful text,
  e2e_p50_ms double precision,
  e2e_p95_ms double precision,
  -- when a call whose room is gone is ended without waiting any longer
  closing_due_at timestamptz,
  deleted_at timestamptz
);

-- The call log: newest first, then by id; each filter alone keeps the order.
create index call_index_newest on call_index (organization_id, started_at desc, call_id desc)
  where deleted_at is null;
create index call_index_agent on call_index (organization_id, agent_id, started_at desc, call_id desc)
  where deleted_at is null;
create index call_index_status on call_index (organization_id, status, started_at desc, call_id desc)
  where deleted_at is null;
-- What is open: few rows out of many.
create index call_index_open on call_index (organization_id, agent_id) where phase <> 'ended';
create index call_index_room on call_index (organization_id, room_name) where room_name is not null;

-- Hand-overs by the id that the runtime gave them, so that one that is sent again is known again.
create table ingests (
  event_id uuid primary key,
  call_id text not null
);
