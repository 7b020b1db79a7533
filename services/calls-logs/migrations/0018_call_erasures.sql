-- expand, release 0.2.0
-- Deleted calls whose words, numbers and files are still to be erased. A row goes when nothing can come back any more.
create table call_erasures (
  call_id text primary key,
  organization_id text not null,
  requested_at timestamptz not null,
  due_at timestamptz not null,
  tries int not null default 0,
  -- False for a call that its retention deleted: after the restore of a backup it does so again.
  is_logged boolean not null,
  -- The key of the stream is destroyed. What was under way at that moment is looked for once more.
  erased_at timestamptz
);
create index call_erasures_due on call_erasures (due_at);

-- Days after which calls are deleted; null: the operator's default.
alter table organization_settings add column call_retention_days integer;

-- Calls of before there was a retention are kept for a month from here, in which an operator can choose another one.
create table call_retention_start (
  only_row boolean primary key default true check (only_row),
  since timestamptz not null default now()
);
insert into call_retention_start default values;
