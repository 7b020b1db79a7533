-- expand, release 0.2.0
-- The rows of campaigns' files that have one number.
create index concurrently campaign_recipients_number on campaign_recipients (organization_id, phone_number);
