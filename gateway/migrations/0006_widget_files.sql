-- The built files of the website widget, of this version and of earlier ones. Pages pin a version by its hash, and a page that
-- was opened before an upgrade loads the rest of its own version.
create table widget_versions (
  version text primary key,
  last_current_at timestamptz not null default now()
);

create table widget_files (
  version text not null references widget_versions on delete cascade,
  path text not null,
  integrity text not null,
  br bytea not null,
  gzip bytea not null,
  identity bytea not null,
  primary key (version, path)
);
