-- expand, release 0.1.0
-- The actor that saved a version, such as `user:...`, and the version that it repeats. Versions of older releases have neither.
alter table agent_configurations add column saved_by text, add column restored_from integer check (restored_from > 0);
