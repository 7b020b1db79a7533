-- Conversations in text. They have no room: their turns are kept here until the whole call is handed over to the call log.
alter table widget_sessions
  add column mode text not null default 'voice',
  -- A conversation in text ends at this moment if nobody says anything. Null in voice.
  add column idle_at timestamptz,
  -- the answer that is being given, and the moment after which its giver counts as dead
  add column answering uuid,
  add column answering_until timestamptz,
  -- messages that could be sent at the moment beside it; one comes back each second
  add column messages_left real not null default 5,
  add column messages_left_at timestamptz not null default now(),
  -- the turns so far, and the bytes that they have together
  add column turns int not null default 0,
  add column turn_bytes int not null default 0,
  -- an EndedReason of the contract, where the agent ended the conversation
  add column agent_reason text,
  add constraint widget_sessions_mode check (mode in ('voice', 'text')),
  drop constraint widget_sessions_ended_by,
  add constraint widget_sessions_ended_by check
    (ended_by in ('visitor', 'time', 'room', 'widget', 'failed', 'silence', 'agent', 'operator'));
create index widget_sessions_idle on widget_sessions (idle_at) where ended_at is null and idle_at is not null;

create table widget_turns (
  session_id uuid not null references widget_sessions (id) on delete cascade,
  seq int not null,
  organization_id text not null,
  -- a TranscriptTurn of the contract, sealed
  sealed text not null,
  primary key (session_id, seq)
);
