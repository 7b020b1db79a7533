-- Facts of an API key that the gateway keeps beside better-auth's row. A key from before this table has no row here: it
-- is good from anywhere, and its maker is named in better-auth's metadata.
create table api_key_facts (
  key_id text primary key,
  made_by text,
  -- Ranges of addresses that the key is good from; null for anywhere.
  allowed_addresses text[] check (cardinality(allowed_addresses) between 1 and 20),
  -- The key that takes the place of this key.
  rotated_to text,
  fell_for text check (fell_for in ('revoked', 'maker_removed', 'maker_lost_permission')),
  fell_at timestamptz,
  check ((fell_for is null) = (fell_at is null))
);
