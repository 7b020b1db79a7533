-- expand, release 0.2.0
-- The origins that a secret may be sent to. Null for a secret of an earlier release, until the origins of its users are collected
-- by the service after its start.
alter table secrets add column allowed_origins text[];
create index secrets_without_origins on secrets (id) where allowed_origins is null;
