-- Widgets: the public doors of agents on websites.
create table widgets (
  id uuid primary key,
  organization_id text not null,
  agent_id uuid not null,
  name text not null,
  enabled boolean not null,
  -- looks, origins, consent, limits, modes, variables and visitor token, as the contract has them
  document jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index widgets_of_agent on widgets (organization_id, agent_id, created_at);

-- The state of agents: the number of the last announcement of their widgets, and whether the agent was deleted.
-- A transaction that makes or deletes widgets of an agent holds the row of the agent.
create table widget_agents (
  organization_id text not null,
  agent_id uuid not null,
  version int not null default 0,
  is_deleted boolean not null default false,
  primary key (organization_id, agent_id)
);

-- Conversations of visitors. Every moment is one of the database's clock, which all copies of the service share.
create table widget_sessions (
  id uuid primary key,
  organization_id text not null,
  widget_id uuid not null,
  call_id text not null unique,
  room_name text not null,
  -- SHA-256 of the end token
  end_token text not null,
  -- keyed digest of the visitor's address
  address text not null,
  -- a CallContext of the contract
  context jsonb not null,
  created_at timestamptz not null default now(),
  -- null until the room is made
  opened_at timestamptz,
  -- Some copy of the service ends the session at this moment: when its room should have been made, or its time is over.
  ends_at timestamptz not null,
  ended_at timestamptz,
  ended_by text,
  -- the room is gone, and the place among the organization's calls was given back
  cleaned_at timestamptz,
  -- of an ended session: some copy cleans up at this moment
  next_cleaning_at timestamptz,
  -- the widget is deleted, and the row goes when it is cleaned
  is_forgotten boolean not null default false,
  constraint widget_sessions_ended_by check (ended_by in ('visitor', 'time', 'room', 'widget', 'failed')),
  constraint widget_sessions_ended check ((ended_at is null) = (ended_by is null))
);
create index widget_sessions_open on widget_sessions (ends_at) where ended_at is null;
create index widget_sessions_to_clean on widget_sessions (next_cleaning_at)
  where ended_at is not null and cleaned_at is null;
create index widget_sessions_cleaned on widget_sessions (cleaned_at) where cleaned_at is not null;
create index widget_sessions_of_widget on widget_sessions (widget_id, created_at);
create index widget_sessions_of_organization on widget_sessions (organization_id);

-- How many sessions each widget opened on each day (UTC), so that a list of widgets reads no session.
create table widget_session_counts (
  widget_id uuid not null,
  day date not null,
  sessions int not null,
  primary key (widget_id, day)
);
