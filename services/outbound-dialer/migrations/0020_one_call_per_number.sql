-- expand, release 0.2.0
-- An organization has one call to a number at a time. A row leaves the index when its attempt is over, however it ends.
create unique index concurrently spend_reservations_number_in_call on spend_reservations (organization_id, number_hash)
  where settled_at is null and dialled_attempt >= attempt and number_hash is not null;
