-- expand, release 0.1.0
-- The variables that initiation webhooks answered, for the tools of their calls and for the record. Rows are deleted after a day.
create table call_initiations (
  organization_id text not null,
  call_id text not null,
  agent_id uuid not null,
  -- the moment at which the webhook was asked; of two answers about a call, the later one holds
  asked_at timestamptz not null,
  -- sealed: variables are personal data
  variables text not null,
  primary key (organization_id, call_id)
);
create index call_initiations_by_age on call_initiations (asked_at);
