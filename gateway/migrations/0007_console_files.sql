-- expand, release 0.1.0
-- The built files of the console, of this release and of others. A page asks any copy of the gateway for the files of its own release,
-- also during an upgrade. Names change with the contents, so releases share the files that are the same.
create table console_files (
  path text primary key check (path like '/console-assets/%'),
  integrity text not null,
  br bytea not null,
  gzip bytea not null,
  identity bytea not null,
  last_current_at timestamptz not null default now()
);
