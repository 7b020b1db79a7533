-- Since when an endpoint has only failed; null after a success. One that fails for days is switched off.
alter table webhook_endpoints add column failing_since timestamptz;
comment on column webhook_endpoints.disabled_at is
  'since it said that it is gone, or failed for days; a configuration that is saved later opens it again';
