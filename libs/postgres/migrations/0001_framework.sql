-- Tables that every service has in its own schema, whatever else it stores.

-- Integration events to publish, written in the transaction of the change that they announce.
create table outbox (
  id bigint generated always as identity primary key,
  event_id uuid not null unique,
  subject text not null,
  payload jsonb not null,
  -- trace context of the request that caused it
  headers jsonb not null default '{}',
  created_at timestamptz not null default now(),
  sent_at timestamptz
);
create index outbox_unsent on outbox (id) where sent_at is null;
create index outbox_sent on outbox (sent_at) where sent_at is not null;

-- The life of the broker's stream that sent rows went to; another one means that everything has to be sent again.
create table outbox_broker (
  only_row boolean primary key default true check (only_row),
  stream_created text not null
);

-- Events that a consumer has handled, written in the transaction of their effect. Kept for good: it is the only thing
-- that keeps an effect from being doubled when a broker or a publisher starts over.
create table inbox (
  consumer text not null,
  event_id uuid not null,
  handled_at timestamptz not null default now(),
  primary key (consumer, event_id)
);

-- Messages that a consumer could not handle, for a person to look at and to replay.
create table parked_messages (
  id bigint generated always as identity primary key,
  consumer text not null,
  message_id text not null,
  subject text not null,
  payload text not null,
  reason text not null,
  deliveries integer not null,
  parked_at timestamptz not null default now(),
  unique (consumer, message_id)
);

-- How far a projection or reactor has come in the event store: `position` is a decimal number.
create table projection_checkpoints (
  id text primary key,
  position text not null,
  updated_at timestamptz not null default now()
);

-- Events that a projection could not apply, and those after them in the same stream.
create table projection_dead_letters (
  projection_id text not null,
  event_id uuid not null,
  stream text not null,
  revision bigint not null,
  position text not null,
  type text not null,
  reason text not null,
  attempts integer not null,
  parked_at timestamptz not null default now(),
  primary key (projection_id, event_id)
);
create index projection_dead_letters_stream on projection_dead_letters (projection_id, stream, revision);

-- One key per person-related subject, wrapped by the key-encryption key. Destroying it makes what it sealed unreadable;
-- the row stays, so that no new key is ever made for a destroyed subject.
create table personal_keys (
  subject text primary key,
  wrapped_key text,
  created_at timestamptz not null default now(),
  destroyed_at timestamptz,
  check ((wrapped_key is null) = (destroyed_at is not null))
);
