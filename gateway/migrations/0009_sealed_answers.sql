-- expand, release 0.2.0
-- The kept answer of a repeated request, encrypted. `status` and `body` stay null beside it: a gateway of the release before
-- then reports the request as still in progress, and neither repeats it nor returns an answer that it cannot open.
alter table idempotency_records
  add column sealed_status smallint,
  add column sealed_body text;
