-- expand, release 0.1.0
-- Files of recordings in the object storage. A row goes with its file.
create table recordings (
  storage_key text primary key,
  organization_id text not null,
  call_id text not null,
  -- The file is due for deletion from this moment on. Null: it stays until its call is deleted.
  delete_at timestamptz,
  -- An address that was given out can bring the file back until this moment.
  uploadable_until timestamptz,
  -- A call was handed over with the file.
  is_kept boolean not null default false,
  tries int not null default 0
);
create index recordings_due on recordings (delete_at) where delete_at is not null;
create index recordings_of_call on recordings (call_id);
