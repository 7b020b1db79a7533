-- expand, release 0.2.0
-- Who put a number on the do-not-call list of an organization, or took it off, when and why. An entry is the present state; a fact is
-- never changed. Numbers are keyed hashes, so facts can stay when the organization is removed.
create table suppression_facts (
  id uuid primary key,
  -- '*' for the list of the operator
  organization_id text not null,
  number_hash text not null,
  change text not null,
  source text not null,
  -- `user:<id>`, `key:<id>`, `platform:<service>` or `operator`
  actor text not null,
  -- the call in which the person asked for it
  call_id text,
  reason text,
  at timestamptz not null,
  constraint suppression_facts_change check (change in ('added', 'removed')),
  constraint suppression_facts_source check (source in ('request', 'call', 'erasure', 'operator'))
);
create index suppression_facts_of_number on suppression_facts (organization_id, number_hash, at desc);
create index suppression_facts_at on suppression_facts (at);

-- An entry without a number is found by its hash alone: its person was erased. Entries of older replicas have no hash.
alter table suppressions alter column phone_number drop not null;
alter table suppressions add column number_hash text;
alter table suppressions add column source text not null default 'request'
  constraint suppressions_source check (source in ('request', 'call', 'erasure'));
alter table suppressions add column added_by text;

-- Numbers that no organization calls, such as those of a national registry.
create table operator_suppressions (
  number_hash text primary key,
  -- where the number comes from, such as the name of the registry
  reason text not null,
  added_at timestamptz not null
);
