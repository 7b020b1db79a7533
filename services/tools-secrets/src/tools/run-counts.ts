// Counts the ended executions of each tool by the hour. The statement that ends executions counts them too, so the counts
// and the executions are always of one mind.

/** Each class of durations is longer than the one before it by this factor. */
const step = 1.1;

/** The longest whole duration in the class of a duration. */
const upToMs = `floor(power(${step}::float8, ceil(ln(greatest(duration_ms, 1)::float8) / ln(${step}::float8))))::int`;

/**
 * The statement that adds executions to the counts.
 * @param ended name of a table or query with organization_id, tool_id, started_at, status and duration_ms
 */
export const countRunsOf = (ended: string): string => `
  insert into tool_run_counts (organization_id, tool_id, hour, up_to_ms, runs, failures)
  select organization_id, tool_id, date_trunc('hour', started_at, 'UTC'), ${upToMs},
    count(*), count(*) filter (where status <> 'ok')
  from ${ended} group by 1, 2, 3, 4 order by 1, 2, 3, 4
  on conflict (organization_id, tool_id, hour, up_to_ms) do update
    set runs = tool_run_counts.runs + excluded.runs, failures = tool_run_counts.failures + excluded.failures`;

/**
 * The query for the numbers of each tool of organization $1 in the current hour and the 23 hours before it. The p95 is the
 * longest duration in its class, so it is at most 10 % too long.
 */
export const statsOfDay = `
  select tool_id, max(runs)::int as runs, sum(failures)::int as failures,
    min(up_to_ms) filter (where faster_or_same >= 0.95 * runs) as p95_ms
  from (
    select tool_id, up_to_ms, sum(failures) as failures,
      sum(sum(runs)) over (partition by tool_id order by up_to_ms) as faster_or_same,
      sum(sum(runs)) over (partition by tool_id) as runs
    from tool_run_counts
    where organization_id = $1 and hour > now() - interval '24 hours'
    group by tool_id, up_to_ms) classes
  group by tool_id`;
