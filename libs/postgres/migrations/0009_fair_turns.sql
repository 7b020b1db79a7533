-- expand, release 0.2.0
-- When an organization last got capacity of a shared pool: whoever has waited longest comes first.
create table fair_turns (
  pool text not null,
  organization_id text not null,
  last_turn_at timestamptz not null,
  primary key (pool, organization_id)
);
create index fair_turns_by_age on fair_turns (last_turn_at);
