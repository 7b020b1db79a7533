-- expand, release 0.2.0
-- Reports of the media server that are stored and not in the stream of their call yet: one row for each room, and within a second usually none.
create table room_reports (
  call_id text primary key,
  -- Null of a browser's room, which names its call alone.
  organization_id text,
  -- Name and metadata of the room, sealed with the key of the call's personal data.
  room text not null,
  -- In the order of their arrival, without personal data.
  reports jsonb not null,
  -- Also the end of the lease; a further report leaves it as it is.
  due_at timestamptz not null,
  tries int not null default 0,
  stored_at timestamptz not null default now()
);
create index room_reports_due on room_reports (due_at);
create index room_reports_of_organization on room_reports (organization_id);
