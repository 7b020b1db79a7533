-- expand, release 0.2.0
-- The number, sealed with the key of its organization. `phone_number` is null beside it. While replicas of the release before may run,
-- which find entries by their numbers, entries still have `phone_number` alone.
alter table suppressions add column sealed_number text;
