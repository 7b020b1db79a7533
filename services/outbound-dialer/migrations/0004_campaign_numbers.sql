-- The number that each campaign calls from, put down before the campaign is created and before anybody is asked whether
-- the organization has it: a number is not given back while a campaign uses it.
create table campaign_numbers (
  campaign_id uuid primary key,
  organization_id text not null,
  phone_number text not null,
  noted_at timestamptz not null
);
create index campaign_numbers_of_number on campaign_numbers (organization_id, phone_number);

insert into campaign_numbers (campaign_id, organization_id, phone_number, noted_at)
  select id, organization_id, state -> 'personal' ->> 'fromNumber', created_at from campaigns
  where status in ('validating', 'scheduled', 'running', 'paused') and state -> 'personal' ->> 'fromNumber' is not null;
