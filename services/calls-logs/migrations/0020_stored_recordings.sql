-- expand, release 0.2.0
-- A recording counts as stored until its row goes, and its row goes with its file.
create function forget_stored_recording() returns trigger language plpgsql set search_path from current as $$
begin
  delete from stored_files where organization_id = old.organization_id and storage_key = old.storage_key;
  return null;
end $$;
create trigger recordings_counted after delete on recordings
  for each row execute function forget_stored_recording();
