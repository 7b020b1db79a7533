-- expand, release 0.1.0
-- The attempts of an outbound call: a search by its id finds them.
create index concurrently call_index_outbound on call_index (organization_id, outbound_call_id)
  where outbound_call_id is not null;
