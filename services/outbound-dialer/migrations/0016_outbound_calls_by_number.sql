-- expand, release 0.2.0
-- The calls of one number, by its keyed hash, and the rows that have no hash yet.
create index concurrently outbound_calls_number on outbound_calls (organization_id, number_hash);
