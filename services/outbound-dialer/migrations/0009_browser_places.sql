-- The places of calls in a browser, such as those of a website's widget. The service that makes the room takes a place
-- before and gives it back after. A place that was given back stays for a day, so that a late request takes none again.
create table browser_places (
  call_id uuid primary key,
  organization_id text not null,
  taken_at timestamptz not null,
  -- the longest that the call may last, and the price of a started minute; null when it was given back before it was taken
  seconds int,
  rate_micros bigint,
  -- a place that is not given back by this time is lost
  until timestamptz not null,
  given_back_at timestamptz
);
create index browser_places_open on browser_places (organization_id, until) where given_back_at is null;
create index browser_places_given_back on browser_places (given_back_at) where given_back_at is not null;

alter table spend_reservations drop constraint spend_reservations_kind;
alter table spend_reservations add constraint spend_reservations_kind check (kind in ('call', 'number', 'browser'));
