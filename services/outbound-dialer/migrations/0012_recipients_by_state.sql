-- expand, release 0.1.0
-- The people of a campaign in one state, in the order of the file.
create index concurrently campaign_recipients_state on campaign_recipients (campaign_id, state, row_number);
