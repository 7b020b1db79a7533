-- Whether tools-secrets was told of the secret of the widget's visitor tokens. Widgets that were made before it was told
-- are told of at the next start.
alter table widgets add column is_secret_noted boolean not null default false;
create index widgets_secret_not_noted on widgets (id) where not is_secret_noted;
