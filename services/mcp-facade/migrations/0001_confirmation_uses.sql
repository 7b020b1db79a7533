-- Confirmations that were used. The row of a confirmation is inserted in the moment of its use, so that only one of several
-- requests with the same confirmation goes on. A row is kept until its confirmation has expired.
create table confirmation_uses (
  organization_id text not null,
  confirmation_id uuid not null,
  expires_at timestamptz not null,
  used_at timestamptz not null default now(),
  primary key (organization_id, confirmation_id)
);
create index confirmation_uses_expired on confirmation_uses (expires_at);
