-- What a started minute of a call costs by the start of the number. The table with the highest number is in force; without
-- one, the table that is built in. An import writes a table and deletes the one before in one transaction.
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

-- What the operator lets organizations have at the most. Under the id '' stand the limits of every organization, from the
-- environment of the dialer that was started last; under the id of an organization, what the operator set for it. A limit
-- that is absent there is everybody's; null is none.
create table operator_limits (
  organization_id text primary key,
  limits jsonb not null,
  updated_at timestamptz not null
);
