-- expand, release 0.1.0
-- The definition of a tool as it was approved last, so that a person sees what has changed since. Null for a tool that nobody has
-- approved, and for one that had changed before this column was there.
alter table mcp_tools add column approved_definition jsonb;
update mcp_tools set approved_definition = definition where approved_hash = hash;
