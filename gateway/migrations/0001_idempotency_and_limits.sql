-- What a repeated Idempotency-Key is answered with. A row is claimed before the work and finished after it.
create table idempotency_records (
  organization_id text not null,
  route text not null,
  key text not null,
  request_hash text not null,
  -- The id of the command downstream: the same for every try under this record, so that a try after a crash cannot
  -- do the work twice.
  command_id uuid not null,
  -- Who works on it, until when; after that anybody with the same request may take over.
  owner uuid not null,
  lease_until timestamptz not null,
  -- Both null while the work runs.
  status smallint,
  body text,
  expires_at timestamptz not null,
  primary key (organization_id, route, key),
  check ((status is null) = (body is null))
);

create index idempotency_records_expiry on idempotency_records (expires_at);

-- Rate buckets that several gateways share; the layout is the one that rate-limiter-flexible expects.
create unlogged table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
