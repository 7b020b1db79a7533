-- expand, release 0.2.0
-- The endpoints of an organization that have something to send.
create index concurrently webhook_endpoints_waiting on webhook_endpoints (organization_id, next_due_at)
  where next_due_at is not null;
