-- Webhooks about calls: whom to tell, what was told, and what is still to be told. What a webhook says is not kept here: it
-- is folded from the call's stream up to `revision`, so that every try says the same, and nothing of a forgotten call.

-- An address of an organization. Whoever sends holds one of these at a time, so that one that is dead holds up no other.
create table webhook_endpoints (
  -- hash of organization and URL
  id text primary key,
  organization_id text not null,
  -- scheme, host and port, for people; the rest of the URL may hold a key
  origin text not null,
  -- when there is something to send; null when there is nothing
  next_due_at timestamptz,
  lease_id uuid,
  lease_until timestamptz,
  -- tries in a row that failed
  failures integer not null default 0,
  -- nothing is sent before
  paused_until timestamptz,
  -- since it said that it is gone; a configuration that is saved later opens it again
  disabled_at timestamptz
);
create index webhook_endpoints_due on webhook_endpoints (next_due_at) where next_due_at is not null;

create table webhook_deliveries (
  -- of the event in the call's stream, and the webhook-id
  id uuid primary key,
  organization_id text not null,
  call_id text not null,
  type text not null,
  -- counts the webhooks of one call
  sequence integer not null,
  revision bigint not null,
  occurred_at timestamptz not null,
  endpoint_id text not null references webhook_endpoints (id),
  -- URL, headers, template and variables of the configuration that the call ran with; sealed, and gone once delivered
  target text,
  status text not null check (status in ('pending', 'retrying', 'delivered', 'dead')),
  -- tries so far, and how many of them were before the last replay
  tries integer not null default 0,
  tries_before integer not null default 0,
  -- when, how long, which status or error; never what was said
  attempts jsonb not null default '[]',
  next_attempt_at timestamptz,
  created_at timestamptz not null default now(),
  constraint one_delivery_per_type unique (call_id, type)
);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_attempt_at, id)
  where status in ('pending', 'retrying');
create index webhook_deliveries_dead on webhook_deliveries (organization_id, id) where status = 'dead';

-- Calls from before there were webhooks are nobody's news.
create table webhook_start (
  only_row boolean primary key default true check (only_row),
  since timestamptz not null default now()
);
insert into webhook_start default values;

-- What agents-config tells of initiation webhooks.
create table call_initiations (
  call_id text primary key,
  organization_id text not null,
  result jsonb not null
);
