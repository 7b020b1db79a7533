-- expand, release 0.2.0
-- The connections of an organization that are due for a refresh.
create index concurrently mcp_connections_waiting on mcp_connections (organization_id, refresh_due_at);
