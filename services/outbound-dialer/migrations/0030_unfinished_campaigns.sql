-- expand, release 0.2.0
-- Campaigns that a dialer may have something to do for: a cancelled one may still have calls to end.
create index concurrently campaigns_unfinished on campaigns (status) where status in ('scheduled', 'running', 'paused', 'cancelled');
