-- expand, release 0.2.0
-- Days after which the calls of the organization are deleted; null: the operator's default.
alter table organization_settings add column call_retention_days integer;
