-- expand, release 0.2.0
-- The number that a reservation was let through to, as a keyed hash. Null before the dial, and of an older replica.
alter table spend_reservations add column number_hash text;

-- Attempts of an organization to reach a number on a UTC day, for the limit of the operator.
create table operator_attempts (
  organization_id text not null,
  number_hash text not null,
  day date not null,
  attempt_ids uuid[] not null,
  primary key (organization_id, number_hash, day)
);
create index operator_attempts_day on operator_attempts (day);
