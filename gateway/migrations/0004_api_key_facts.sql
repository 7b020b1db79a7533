-- What the gateway knows of an API key beside better-auth's row. A key from before has no row here: it is good from
-- anywhere, and its maker is named in better-auth's metadata.
create table api_key_facts (
  key_id text primary key,
  made_by text,
  -- Ranges of addresses that it is good from; null for anywhere.
  allowed_addresses text[] check (cardinality(allowed_addresses) between 1 and 20),
  -- The key that takes its place.
  rotated_to text,
  fell_for text check (fell_for in ('revoked', 'maker_removed', 'maker_lost_permission')),
  fell_at timestamptz,
  check ((fell_for is null) = (fell_at is null))
);
