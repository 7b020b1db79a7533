-- expand, release 0.2.0
-- The chunks of an organization, as a sum that a trigger keeps: the quota is checked without counting.
create table knowledge_totals (
  organization_id text primary key,
  chunks bigint not null default 0
);
insert into knowledge_totals (organization_id, chunks)
select organization_id, sum(chunk_count) from knowledge_sources group by organization_id;
create function count_knowledge_chunks() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.chunk_count <> 0 then
    update knowledge_totals set chunks = chunks - old.chunk_count where organization_id = old.organization_id;
  end if;
  if tg_op <> 'DELETE' then
    insert into knowledge_totals as t (organization_id, chunks) values (new.organization_id, new.chunk_count)
    on conflict (organization_id) do update set chunks = t.chunks + excluded.chunks;
  end if;
  return null;
end $$;
create trigger knowledge_chunks_counted after insert or delete or update of chunk_count on knowledge_sources
  for each row execute function count_knowledge_chunks();
