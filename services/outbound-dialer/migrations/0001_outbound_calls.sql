-- Read model of outbound calls, folded from streams `outboundCall-*`. Can be emptied and made again from them.
create table outbound_calls (
  id uuid primary key,
  organization_id text not null,
  agent_id uuid not null,
  mode text not null,
  status text not null,
  -- queued, dialing, connected or ended
  phase text not null,
  -- a queued call is not dialled before
  not_before timestamptz,
  -- cancelled, and something of it may still ring or talk
  hang_up boolean not null,
  -- the call in calls-logs behind the attempt in progress
  current_call_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  revision bigint not null,
  -- the whole state, as the decider knows it
  state jsonb not null
);
create index outbound_calls_list on outbound_calls (organization_id, created_at desc, id desc);
create index outbound_calls_due on outbound_calls (not_before) where phase = 'queued';
create index outbound_calls_open on outbound_calls (phase, updated_at) where phase in ('dialing', 'connected');
create index outbound_calls_hang_up on outbound_calls (id) where hang_up;
create index outbound_calls_of_agent on outbound_calls (organization_id, agent_id) where phase <> 'ended';

-- Which outbound call is behind a call. Part of the same read model.
create table outbound_attempts (
  call_id text primary key,
  organization_id text not null,
  outbound_call_id uuid not null
);

-- Who works on an outbound call right now. Not a read model: it says nothing that matters tomorrow, and a claim that
-- is lost costs time only, because a second attempt is refused by the stream.
create table dial_claims (
  outbound_call_id uuid primary key,
  holder text not null,
  claimed_until timestamptz not null
);
create index dial_claims_until on dial_claims (claimed_until);
