-- Visitors who wait for a place, or are about to get one. The numbers of a widget's tickets have the order in which its
-- visitors came, because tickets are made under the lock of the widget.
create table widget_queue_tickets (
  number bigint generated always as identity primary key,
  organization_id text not null,
  widget_id uuid not null references widgets (id) on delete cascade,
  -- SHA-256 of the ticket
  ticket text not null,
  -- keyed digest of the visitor's address
  address text not null,
  created_at timestamptz not null default now(),
  -- A ticket that is not shown for 30 seconds has lost its place.
  shown_at timestamptz not null default now(),
  -- the session that is being opened for the visitor; null: the visitor waits
  session_id uuid,
  -- The organization had no place when the visitor's turn came.
  found_no_place boolean not null default false
);
create index widget_queue_tickets_of_widget on widget_queue_tickets (widget_id, number);
create unique index widget_queue_tickets_ticket on widget_queue_tickets (ticket);
create index widget_queue_tickets_session on widget_queue_tickets (session_id) where session_id is not null;
create index widget_queue_tickets_shown on widget_queue_tickets (shown_at);
