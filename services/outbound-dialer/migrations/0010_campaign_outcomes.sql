-- expand, release 0.1.0
-- How many recipients of a campaign came to which end in which quarter of an hour, so that outcomes by hour are read without
-- counting recipients. A quarter is within one hour of every time zone. Kept by the trigger below and by nothing else.
create table campaign_outcomes (
  campaign_id uuid not null,
  organization_id text not null,
  quarter timestamptz not null,
  -- a terminal state of a recipient
  state text not null,
  recipients bigint not null,
  primary key (campaign_id, quarter, state)
);
create index campaign_outcomes_of_organization on campaign_outcomes (organization_id);

-- A terminal state is never left, so each recipient is counted once.
create function count_recipients_settled() returns trigger language plpgsql as $$
begin
  perform lock_campaign_counts(array(select distinct campaign_id from added));
  insert into campaign_outcomes as c (campaign_id, organization_id, quarter, state, recipients)
    select a.campaign_id, a.organization_id, date_bin('15 minutes', a.updated_at, timestamptz '2000-01-01 00:00Z'), a.state, count(*)
    from added a join removed r on r.campaign_id = a.campaign_id and r.row_number = a.row_number
    where a.state not in ('pending', 'queued', 'in_progress') and r.state in ('pending', 'queued', 'in_progress')
    group by 1, 2, 3, 4 order by 1, 3, 4
  on conflict (campaign_id, quarter, state) do update set recipients = c.recipients + excluded.recipients;
  return null;
end $$;
create trigger campaign_recipients_settled after update on campaign_recipients
  referencing old table as removed new table as added for each statement execute function count_recipients_settled();

-- Nobody writes recipients until this is done, because of the new trigger's lock.
insert into campaign_outcomes (campaign_id, organization_id, quarter, state, recipients)
  select campaign_id, organization_id, date_bin('15 minutes', updated_at, timestamptz '2000-01-01 00:00Z'), state, count(*)
  from campaign_recipients where state not in ('pending', 'queued', 'in_progress') group by 1, 2, 3, 4;
