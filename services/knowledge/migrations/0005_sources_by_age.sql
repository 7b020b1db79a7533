-- expand, release 0.1.0
-- The sources of an organization, newest first, a page at a time.
create index concurrently knowledge_sources_of_organization
  on knowledge_sources (organization_id, created_at desc, id desc);
