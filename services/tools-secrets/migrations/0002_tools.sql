-- HTTP tools, the agents that may use them, and their executions.
create table tools (
  id uuid primary key,
  organization_id text not null,
  name text not null,
  is_active boolean not null,
  -- everything else that the tool was saved with; literal header values are sealed in it
  document jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index one_tool_per_name on tools (organization_id, lower(name));
create index tools_of_organization on tools (organization_id, created_at desc, id desc);

-- Agents that have had a tool. The row is held while the tools of its agent change.
create table tool_agents (
  agent_id uuid primary key,
  organization_id text not null,
  -- grows with every change of the agent's tools, and is announced with it
  version integer not null default 0,
  -- a deleted agent gets no tool, even if a request to attach one comes late
  is_deleted boolean not null default false
);
create index tool_agents_of_organization on tool_agents (organization_id);

create table tool_attachments (
  agent_id uuid not null references tool_agents (agent_id) on delete cascade,
  tool_id uuid not null references tools (id) on delete cascade,
  organization_id text not null,
  attached_at timestamptz not null,
  primary key (agent_id, tool_id)
);
create index tool_attachments_of_tool on tool_attachments (tool_id);

-- Executions in calls. No column holds an argument.
create table tool_runs (
  organization_id text not null,
  call_id text not null,
  execution_id uuid not null,
  tool_id uuid not null,
  tool_name text not null,
  agent_id uuid not null,
  -- hash of the tool and the arguments; it tells another request under the same execution id apart
  request_hash text not null,
  status text not null check (status in ('running', 'ok', 'error', 'timeout')),
  http_status integer,
  started_at timestamptz not null,
  -- null while the execution runs
  duration_ms integer,
  -- variables that this execution gave values; presets of later tools in the call read them
  assignments jsonb,
  -- the answer to the runtime, kept for ten minutes: a repeated request for this execution gets the same answer
  answer json,
  primary key (organization_id, call_id, execution_id)
);
create index tool_runs_of_day on tool_runs (organization_id, started_at)
  include (tool_id, status, duration_ms);
create index tool_runs_by_age on tool_runs (started_at);
create index tool_runs_under_way on tool_runs (started_at) where status = 'running';
create index tool_runs_with_answer on tool_runs (started_at) where answer is not null;

-- Calls that ended a short time ago. Their tokens are good for longer than their runtimes may use tools.
create table ended_calls (
  organization_id text not null,
  call_id text not null,
  ended_at timestamptz not null,
  primary key (organization_id, call_id)
);
create index ended_calls_by_age on ended_calls (ended_at);
