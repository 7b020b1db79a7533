-- expand, release 0.1.0
-- The calls of a channel, in the order of the log.
create index concurrently call_index_channel on call_index (organization_id, channel, started_at desc, call_id desc)
  where deleted_at is null;
