-- Ended executions of a tool by the hour in which they began, in classes of duration. Readers sum at most 24 hours of
-- classes, so that a list of tools does not cost more with more executions.
create table tool_run_counts (
  organization_id text not null,
  tool_id uuid not null,
  hour timestamptz not null,
  -- the longest duration of the class; the next class is 10 % longer
  up_to_ms integer not null,
  runs integer not null,
  failures integer not null,
  primary key (organization_id, tool_id, hour, up_to_ms)
) with (fillfactor = 70);
create index tool_run_counts_by_age on tool_run_counts (hour);

insert into tool_run_counts (organization_id, tool_id, hour, up_to_ms, runs, failures)
select organization_id, tool_id, date_trunc('hour', started_at, 'UTC'),
  floor(power(1.1::float8, ceil(ln(greatest(duration_ms, 1)::float8) / ln(1.1::float8))))::int,
  count(*), count(*) filter (where status <> 'ok')
from tool_runs where status <> 'running' group by 1, 2, 3, 4;

drop index tool_runs_of_day;
