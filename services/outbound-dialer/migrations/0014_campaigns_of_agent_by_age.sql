-- expand, release 0.1.0
-- The campaigns of an agent, newest first, a page at a time.
create index concurrently campaigns_of_agent_by_age on campaigns (organization_id, agent_id, created_at desc, id desc);
