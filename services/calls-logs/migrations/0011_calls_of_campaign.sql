-- expand, release 0.1.0
-- The calls of a campaign, in the order of the log.
create index concurrently call_index_campaign on call_index (organization_id, campaign_id, started_at desc, call_id desc)
  where deleted_at is null and campaign_id is not null;
