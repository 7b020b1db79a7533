-- expand, release 0.2.0
-- Services report in events which secrets their resources mention. A report answers the request with its number.
alter table secret_reference_checks add column requested bigint;
-- The origins that the resource sends the secret to, and the number of the report that named them. They hold while no mention was
-- noted since.
alter table secret_references add column origins text[], add column reported bigint;
