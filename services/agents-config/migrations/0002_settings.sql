-- What organizations decide for all of their agents and calls. No row: everything as it is by default.
create table organization_settings (
  organization_id text primary key,
  -- grows with every change
  version integer not null check (version > 0),
  timezone text not null,
  -- null: the countries of the organization's own numbers
  allowed_countries text[],
  max_concurrent_calls integer not null,
  inbound_reserve integer not null check (inbound_reserve <= max_concurrent_calls),
  calling_window jsonb,
  daily_attempts_per_number integer,
  updated_at timestamptz not null
);
