-- The calls of preview sessions. The metadata of a preview's room names its call and nothing else; calls-logs asks for
-- the rest here when the media server tells of the room. Rows are deleted after a day.
create table preview_calls (
  call_id text primary key,
  organization_id text not null,
  agent_id uuid not null references agents (id) on delete cascade,
  -- a CallContext of the contract
  context jsonb not null,
  created_at timestamptz not null
);
create index preview_calls_by_age on preview_calls (created_at);
create index preview_calls_of_agent on preview_calls (agent_id);
