-- expand, release 0.2.0
-- The deleted calls of an organization, which its removal looks for.
create index concurrently call_index_deleted on call_index (organization_id) where deleted_at is not null;
