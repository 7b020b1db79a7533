-- expand, release 0.2.0
-- Quotas that the operator set for one organization in place of those of every organization. The rows stay when the organization is
-- removed: they hold for the next ones of its owners.
create table storage_quotas (
  organization_id text not null,
  -- bytes or chunks
  quota text not null,
  most bigint not null check (most >= 0),
  updated_at timestamptz not null,
  primary key (organization_id, quota)
);
