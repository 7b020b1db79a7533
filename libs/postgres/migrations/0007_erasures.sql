-- expand, release 0.2.0
-- What this database has applied of the log of erasures, which lies outside of it. A restored backup turns these rows back, and
-- so names what has to be erased again.
create table erasures_applied (
  -- name of a file of the log
  name text primary key,
  applied_at timestamptz not null default now()
);
create index erasures_applied_at on erasures_applied (applied_at);

create table erasure_log_state (
  is_only boolean primary key default true check (is_only),
  -- every file of the log that was written before has been applied
  complete_until timestamptz not null,
  -- last sign of a process that had applied the whole log when it started
  seen_at timestamptz not null
);
