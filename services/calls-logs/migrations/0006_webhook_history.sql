-- expand, release 0.1.0
-- People look at deliveries for some days. Afterwards a row says no more than whether its message was delivered, for the call log.
alter table webhook_deliveries
  -- null for rows that a copy of an earlier state of this release has written
  add column agent_id text,
  -- the request that sent it again last, so that its repetition sends nothing
  add column replayed_by text,
  -- attempts and target are gone, and no list shows it
  add column forgotten boolean not null default false;
update webhook_deliveries d set agent_id = c.agent_id from call_index c
  where c.call_id = d.call_id and d.created_at > now() - interval '30 days';
