-- expand, release 0.2.0
-- When the next call to the number would be on time at its pace; calls may be early by a minute. Null until the first call.
alter table numbers add column next_call_at timestamptz;
-- Set while the number is closed at the media server because more calls came than its pace allows.
alter table numbers add column closed_until timestamptz;
create index numbers_closed on numbers (closed_until) where closed_until is not null;
