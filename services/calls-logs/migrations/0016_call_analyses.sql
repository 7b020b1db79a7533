-- expand, release 0.2.0
-- Hand-overs whose transcript is still to be analyzed. A row goes with the result.
create table call_analyses (
  call_id text primary key,
  organization_id text not null,
  ingest_id text not null,
  due_at timestamptz not null,
  tries int not null default 0
);
create index call_analyses_due on call_analyses (due_at);

-- Calls that were handed over before are not analyzed: their webhooks were sent without an analysis.
create table analysis_start (
  only_row boolean primary key default true check (only_row),
  since timestamptz not null default now()
);
insert into analysis_start default values;
