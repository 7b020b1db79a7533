-- expand, release 0.2.0
-- Publishers of event-sourced services: they publish from the event store and keep no copy of what they have sent.
create table event_publishers (
  -- name of the checkpoint
  id text primary key,
  -- the broker that events were last sent to, as in outbox_broker
  stream_created text not null,
  server_id text,
  -- Positions in the event store. Events after the first, up to and with the second, have to be sent again; null when none have.
  resend_after text,
  resend_until text,
  check ((resend_after is null) = (resend_until is null))
);

-- Places from which events can be sent again: whatever was sent after `marked_at` lies after `position`.
create table event_publisher_marks (
  publisher_id text not null,
  marked_at timestamptz not null default now(),
  position text not null,
  -- the broker's newest message at that time, or an older one
  sequence bigint not null,
  primary key (publisher_id, marked_at)
);
