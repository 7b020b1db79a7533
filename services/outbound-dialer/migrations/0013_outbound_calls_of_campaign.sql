-- expand, release 0.1.0
-- The calls of a campaign, newest first, with those that a person ordered again: `campaign_id` does not name their campaign.
create index concurrently outbound_calls_campaign on outbound_calls (organization_id, (state -> 'placed' ->> 'campaignId'), created_at desc, id desc)
  where mode = 'batch';
