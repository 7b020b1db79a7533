-- The price of a started minute of a call, by the start of the number. The table with the highest number is in force;
-- without one, the table that is built in. An import writes a table and deletes the one before in one transaction.
create table rate_tables (
  id uuid primary key,
  number bigint generated always as identity,
  currency text not null,
  imported_at timestamptz not null
);
create table rates (
  table_id uuid not null references rate_tables (id) on delete cascade,
  -- digits of the number without its plus
  prefix text not null,
  micros bigint not null check (micros >= 0),
  primary key (table_id, prefix)
);

-- The operator's limits for organizations. The row with the id '' holds the limits of every organization, from the
-- environment of the dialer that was started last. The row of an organization holds the limits that the operator set
-- for it alone. A limit that is absent there is the same as for every organization; null means no limit.
create table operator_limits (
  organization_id text primary key,
  limits jsonb not null,
  updated_at timestamptz not null
);
