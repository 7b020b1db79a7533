-- The relay sends events again that the broker may have lost: piece by piece, beside new events, however many they are.

-- A row is a span of the time of sending; its events have to be sent again. The events up to (sent_after, id_after) in
-- the order of sending were sent again already. Such an event is in the span no more, because its sent_at is new.
create table outbox_lost (
  id bigint generated always as identity primary key,
  sent_after timestamptz not null,
  id_after bigint not null default 0,
  sent_until timestamptz not null
);

-- The process of the broker that events were last sent to; another process may lack the events that were not on the
-- disk.
alter table outbox_broker add column server_id text;

-- Pieces are taken in this order; many events may have been sent at one instant.
create index outbox_sent_order on outbox (sent_at, id) where sent_at is not null;
drop index outbox_sent;

-- Sending again and deleting leave dead rows; they are collected before they are a fifth of a large table.
alter table outbox set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
