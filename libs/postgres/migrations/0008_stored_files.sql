-- expand, release 0.2.0
-- Files of organizations in the object storage, and uploads that were offered, with the bytes that each may have.
create table stored_files (
  organization_id text not null,
  storage_key text not null,
  bytes bigint not null check (bytes >= 0),
  -- Until then its address accepts a file.
  open_until timestamptz not null,
  primary key (organization_id, storage_key)
);
create index stored_files_open on stored_files (organization_id, open_until);
-- Sums of stored_files, which a trigger keeps: what an organization stores is one row, however many files it has.
create table storage_usage (
  organization_id text primary key,
  bytes bigint not null default 0,
  files bigint not null default 0
);
create function count_stored_files() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op <> 'INSERT' then
    update storage_usage set bytes = bytes - old.bytes, files = files - 1
    where organization_id = old.organization_id;
  end if;
  if tg_op <> 'DELETE' then
    insert into storage_usage as u (organization_id, bytes, files) values (new.organization_id, new.bytes, 1)
    on conflict (organization_id) do update set bytes = u.bytes + excluded.bytes, files = u.files + 1;
  end if;
  return null;
end $$;
create trigger stored_files_counted after insert or update or delete on stored_files
  for each row execute function count_stored_files();
