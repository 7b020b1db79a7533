-- expand, release 0.1.0
-- The calls with an outcome, in the order of the log.
create index concurrently call_index_outcome on call_index (organization_id, outcome, started_at desc, call_id desc)
  where deleted_at is null and outcome is not null;
