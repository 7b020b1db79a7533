-- Connections to external MCP servers, their tools, the agents that use them, and the executions of their tools.
create table mcp_connections (
  id uuid primary key,
  organization_id text not null,
  -- null for a server of the organization's own
  catalog_slug text,
  name text not null,
  url text not null,
  transport text not null check (transport in ('streamable_http', 'sse')),
  -- { type, headerName, secretId }; a secret is named and not held
  auth jsonb not null,
  -- literal values are sealed
  headers jsonb not null,
  approval_policy text not null check (approval_policy in ('auto', 'per_tool')),
  timeout_ms integer not null,
  -- grows when something changes that a request carries; a session of an older revision is not used any more
  revision integer not null default 1,
  status text not null check (status in ('connecting', 'connected', 'error', 'auth_required')),
  status_since timestamptz not null,
  last_error text,
  advice text,
  server_info jsonb,
  warnings jsonb not null default '[]',
  last_refreshed_at timestamptz,
  refresh_due_at timestamptz not null,
  -- the process that reads the tools now, and the time after which another process may
  refresh_lease uuid,
  refresh_leased_until timestamptz,
  -- refreshes that failed since the last one that succeeded
  refresh_failures integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index mcp_connections_of_organization on mcp_connections (organization_id, created_at desc, id desc);
create unique index one_connection_per_catalog_entry on mcp_connections (organization_id, catalog_slug)
  where catalog_slug is not null;
create index mcp_connections_to_refresh on mcp_connections (refresh_due_at);

create table mcp_tools (
  id uuid primary key,
  organization_id text not null,
  connection_id uuid not null references mcp_connections (id) on delete cascade,
  name text not null,
  -- the name for agents; it stays the same as long as the row exists
  offered_name text not null,
  position integer not null,
  -- { title, description, inputSchema, outputSchema, annotations }
  definition jsonb not null,
  -- SHA-256 of the definition with its name, in hex
  hash text not null,
  -- the hash that was approved last; null for a tool that nobody has approved
  approved_hash text,
  is_enabled boolean not null,
  -- its texts hold instructions for a model or invisible characters
  is_suspicious boolean not null,
  -- false for a tool that the server does not list any more; the row keeps its name and its approval
  is_present boolean not null,
  changed_at timestamptz not null,
  unique (connection_id, name),
  constraint one_tool_per_offered_name unique (organization_id, offered_name)
);

-- Agents that have had a connection. The row is held while the connections of its agent change.
create table mcp_agents (
  agent_id uuid primary key,
  organization_id text not null,
  -- grows with every change of the agent's connections, and is announced with it
  version integer not null default 0,
  -- a deleted agent gets no connection, even if a request to attach one comes late
  is_deleted boolean not null default false
);
create index mcp_agents_of_organization on mcp_agents (organization_id);

create table mcp_attachments (
  agent_id uuid not null references mcp_agents (agent_id) on delete cascade,
  connection_id uuid not null references mcp_connections (id) on delete cascade,
  organization_id text not null,
  attached_at timestamptz not null,
  primary key (agent_id, connection_id)
);
create index mcp_attachments_of_connection on mcp_attachments (connection_id);

-- Executions of tools. No column holds an argument.
create table mcp_executions (
  organization_id text not null,
  execution_id uuid not null,
  connection_id uuid not null references mcp_connections (id) on delete cascade,
  tool_id uuid not null,
  tool_name text not null,
  offered_name text not null,
  -- null for an execution without an agent
  agent_id uuid,
  -- null for an execution outside of calls
  call_id text,
  -- hash of tool, call and arguments; it tells another request under the same execution id apart
  request_hash text not null,
  status text not null check (status in ('running', 'ok', 'error', 'timeout')),
  started_at timestamptz not null,
  -- the execution has ended by then, or its process died
  ends_by timestamptz not null,
  duration_ms integer,
  -- kept for ten minutes: a repeated request for this execution gets the same answer
  answer json,
  primary key (organization_id, execution_id)
);
create index mcp_executions_of_connection on mcp_executions (connection_id);
create index mcp_executions_by_age on mcp_executions (started_at);
create index mcp_executions_under_way on mcp_executions (ends_by) where status = 'running';
create index mcp_executions_with_answer on mcp_executions (started_at) where answer is not null;

-- Calls that ended a short time ago. Their tokens are good for longer than their runtimes may use tools.
create table ended_calls (
  organization_id text not null,
  call_id text not null,
  ended_at timestamptz not null,
  primary key (organization_id, call_id)
);
create index ended_calls_by_age on ended_calls (ended_at);
