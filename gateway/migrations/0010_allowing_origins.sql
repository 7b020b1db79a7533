-- expand, release 0.2.0
-- Keys that may make secrets decided where those go, too. The right to decide it has a name of its own now, and they keep it. The
-- table is better-auth's, and an empty installation has none yet.
do $$
begin
  if to_regclass('apikey') is not null then
    update apikey
    set permissions = jsonb_set(permissions::jsonb, '{secrets}', permissions::jsonb -> 'secrets' || '["use"]')::text
    where permissions::jsonb -> 'secrets' ? 'create' and not permissions::jsonb -> 'secrets' ? 'use';
  end if;
end $$;
