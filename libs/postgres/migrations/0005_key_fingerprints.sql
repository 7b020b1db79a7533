-- expand, release 0.1.0
-- What the keys of the copies of this process have to be: an HMAC of a constant under each key, from which no key can be told.
create table key_fingerprints (
  name text primary key,
  fingerprint text not null check (fingerprint ~ '^[0-9a-f]{64}$'),
  changed_at timestamptz not null default now()
);
