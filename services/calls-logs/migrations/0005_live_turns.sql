-- The turns that the voice runtime tells of a call while it lasts. The hand-over at the end of the call replaces them.
create table live_transcripts (
  call_id text not null,
  organization_id text not null,
  agent_id text not null,
  turns int not null default 0,
  bytes bigint not null default 0,
  -- The call was handed over or deleted: no turn is taken any more.
  is_over boolean not null default false,
  told_at timestamptz not null,
  primary key (call_id, organization_id, agent_id)
);
create index live_transcripts_told on live_transcripts (told_at);
create index live_transcripts_of_organization on live_transcripts (organization_id);

create table live_turns (
  call_id text not null,
  organization_id text not null,
  agent_id text not null,
  event_seq bigint not null,
  turn_seq bigint not null,
  role text not null,
  sealed text not null,
  primary key (call_id, organization_id, agent_id, event_seq),
  foreign key (call_id, organization_id, agent_id) references live_transcripts on delete cascade
);
create index live_turns_in_order on live_turns (call_id, organization_id, agent_id, turn_seq, event_seq);
comment on column live_turns.sealed is 'JSON of the turn, sealed with the key of the call''s personal data';
