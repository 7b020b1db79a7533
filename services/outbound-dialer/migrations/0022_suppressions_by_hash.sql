-- expand, release 0.2.0
-- Two replicas that put one number on the list make one entry.
create unique index concurrently suppressions_by_hash on suppressions (organization_id, number_hash) where number_hash is not null;
