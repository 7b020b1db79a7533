-- expand, release 0.2.0
-- How long the slowest try of the last round took. A slow endpoint waits in a lane of its own.
alter table webhook_endpoints add column last_round_ms integer;
