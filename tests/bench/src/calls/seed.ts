// A million finished calls in the read models of calls-logs, written in bulk. One statement writes the rows of the index.
// The rollups come from those rows by the definitions of the projection. The streams behind them do not exist.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { indexTables } from './index-tables.js';

export interface Seeded {
  readonly organizationId: string;
  /** The one with the most calls first. */
  readonly agentIds: readonly string[];
  readonly calls: number;
}

export interface SeedOptions {
  readonly organizationId: string;
  readonly calls: number;
  readonly agents: number;
  /** The calls of these days end now and are spread evenly, so that no quiet hour makes a rollup smaller. */
  readonly days: number;
}

// $1 organization, $2 agents, $3 number of calls, $4 days. Everything about a call follows from a hash of its number.
const insertCalls = `
insert into call_index (call_id, organization_id, revision, phase, agent_id, agent_name, channel, direction, status, outcome,
  ended_reason, answered_by, room_name, started_at, answered_at, ended_at, duration_ms, cost_micros, successful,
  e2e_p50_ms, e2e_p95_ms)
select 'seed-' || $1::text || '-' || n, $1::text, 0, 'ended', ($2::text[])[agent], 'Agent ' || agent,
  case when h % 10 = 0 then 'widget' else 'phone' end, case when h / 16 % 2 = 0 then 'inbound' else 'outbound' end,
  case when kind < 73 then 'completed' when kind < 85 then 'no_answer' when kind < 93 then 'busy' else 'failed' end,
  case when kind < 60 then 'answered' when kind < 63 then 'transferred' when kind < 73 then 'voicemail'
    when kind < 85 then 'no_answer' when kind < 93 then 'busy' else 'failed' end,
  case when kind < 35 then 'user_hangup' when kind < 60 then 'agent_hangup' when kind < 63 then 'call_transferred'
    when kind < 73 then 'voicemail_reached' when kind < 85 then 'no_answer' when kind < 93 then 'busy'
    when kind < 96 then 'sip_error' else 'provider_rejected' end,
  case when kind < 63 then 'human' when kind < 73 then 'machine_voicemail' end, 'room-' || $1::text || '-' || n,
  at, case when kind < 73 then at + ring end, at + ring + case when kind < 73 then talk else interval '0' end,
  case when kind < 73 then (extract(epoch from talk) * 1000)::bigint end,
  case when kind < 73 then h % 90000 end,
  case when kind >= 73 then null when h / 64 % 4 = 0 then 'failure' when h / 64 % 4 = 1 then 'unknown' else 'success' end,
  case when kind < 73 then 300 * exp(h / 128 % 1000 / 500.0) end,
  case when kind < 73 then 540 * exp(h / 128 % 1000 / 500.0) end
from generate_series(1, $3::int) n
cross join lateral (select abs(hashint4(n)::bigint) as h) hashed
cross join lateral (select h / 1024 % 100 as kind, (h / 4096 % 15 + 5) * interval '1 second' as ring,
  (h / 8192 % 290 + 10) * interval '1 second' as talk, 1 + n % cardinality($2::text[]) as agent,
  date_trunc('milliseconds', now() - ($3 - n) * ($4 * interval '1 day' / $3)) as at) made`;

const counted = `organization_id = $1 and phase = 'ended' and deleted_at is null and channel <> 'preview'`;
const quarter = `date_bin('15 minutes', started_at, '1970-01-01T00:00:00Z')`;
const answered = `outcome in ('answered', 'transferred')`;
const agentSums = `count(*), count(*) filter (where ${answered}), count(*) filter (where successful = 'success'),
  count(*) filter (where successful = 'failure'),
  coalesce(sum(duration_ms) filter (where ${answered}), 0), coalesce(sum(cost_micros), 0)`;
const agentColumns = 'calls, answered, succeeded, unsuccessful, answered_talk_ms, cost_micros';
const sums = `${agentSums}, count(*) filter (where outcome = 'voicemail'), count(*) filter (where outcome = 'transferred'),
  count(*) filter (where outcome = 'failed'), coalesce(sum(duration_ms), 0)`;
const sumColumns = `${agentColumns}, voicemail, transferred, failed, talk_ms`;
const latencyBucket = (column: string): string => `ceil(ln(${column}) / ln(1.1))::int::text`;

const insertQuarters = [
  `insert into call_rollups (organization_id, grain, at, ${sumColumns})
   select $1::text, 15, ${quarter} as at, ${sums} from call_index where ${counted} group by 3`,
  `insert into agent_rollups (organization_id, grain, at, agent_id, ${agentColumns})
   select $1::text, 15, ${quarter} as at, agent_id, ${agentSums} from call_index where ${counted} group by 3, 4`,
  `insert into call_tallies (organization_id, grain, at, kind, value, calls)
   select $1::text, 15, ${quarter} as at, kind, value, count(*) from call_index
   cross join lateral (values ('outcome', outcome), ('reason', ended_reason), ('direction', direction),
     ('channel', channel), ('e2e_p50', ${latencyBucket('e2e_p50_ms')}), ('e2e_p95', ${latencyBucket('e2e_p95_ms')})
   ) as tally(kind, value)
   where ${counted} and value is not null group by 3, 4, 5`,
];

/** $2 the grain, $3 the one that it is summed up from. */
const insertLonger = (
  [
    ['call_rollups', '', sumColumns],
    ['agent_rollups', ', agent_id', agentColumns],
    ['call_tallies', ', kind, value', 'calls'],
  ] as const
).map(
  ([table, key, columns]) => `insert into ${table} (organization_id, grain, at${key}, ${columns})
   select $1::text, $2::smallint, date_bin($2::smallint * interval '1 minute', at, '1970-01-01T00:00:00Z') as at${key},
     ${columns.replaceAll(/\w+/g, 'sum($&)')}
   from ${table} where organization_id = $1 and grain = $3 group by 3${key}`,
);

const insertCourses = `
with talks as (
  select ceil(extract(epoch from answered_at) / 60)::bigint as first, ceil(extract(epoch from ended_at) / 60)::bigint as after
  from call_index where ${counted} and answered_at is not null
), changes as (
  select minute, sum(change)::int as change from (
    select first as minute, 1 as change from talks where first < after
    union all select after, -1 from talks where first < after) c
  group by minute
), minutes as (
  select hour, i, coalesce(change, 0) as change from (select distinct minute / 60 as hour from changes) h
  cross join generate_series(0, 59) i left join changes on minute = hour * 60 + i
), levels as (
  select hour, i, change, sum(change) over (partition by hour order by i) as in_hour,
    sum(change) over (partition by hour / 24 order by hour, i) as in_day
  from minutes
)
insert into concurrency_rollups (organization_id, grain, at, net, peak, minutes)
select $1::text, 60, to_timestamp(hour * 3600), sum(change), max(in_hour), array_agg(change order by i) from levels group by hour
union all
select $1::text, 1440, to_timestamp(hour / 24 * 86400), sum(change),
  greatest(max(in_day), case when min(hour % 24) > 0 then 0 end), null from levels group by hour / 24`;

/** Drops the indexes that would have to follow every row; returns the statements that make them again. */
const dropIndexes = async (db: pg.Client): Promise<readonly string[]> => {
  const { rows } = await db.query<{ indexname: string; indexdef: string }>(
    `select indexname, indexdef from pg_indexes
     where schemaname = current_schema() and tablename = 'call_index' and indexname not like '%_pkey'`,
  );
  for (const { indexname } of rows) await db.query(`drop index ${indexname}`);
  return rows.map(({ indexdef }) => indexdef);
};

/** Sums the index up as the projection does, in place of the rollups so far. */
export const insertRollups = async (db: pg.Client, organizationId: string): Promise<void> => {
  // The rollups of earlier calls are made again with the rest.
  for (const table of indexTables.slice(1))
    await db.query(`delete from ${table} where organization_id = $1`, [organizationId]);
  for (const insert of insertQuarters) await db.query(insert, [organizationId]);
  for (const [grain, from] of [
    [60, 15],
    [1_440, 60],
    [10_080, 1_440],
  ])
    for (const insert of insertLonger) await db.query(insert, [organizationId, grain, from]);
  await db.query(insertCourses, [organizationId]);
  await db.query(
    `insert into called_agents select organization_id, agent_id, max(agent_name), max(started_at) from call_index
     where organization_id = $1 group by 1, 2`,
    [organizationId],
  );
};

/** @param url of the role of calls-logs */
export const seedCalls = async (url: string, options: SeedOptions): Promise<Seeded> => {
  const { organizationId, calls, agents, days } = options;
  const agentIds = Array.from({ length: agents }, () => randomUUID());
  const db = new pg.Client({ connectionString: url, options: '-c TimeZone=UTC -c statement_timeout=0' });
  await db.connect();
  try {
    await db.query('begin');
    const indexes = await dropIndexes(db);
    await db.query(insertCalls, [organizationId, agentIds, calls, days]);
    for (const index of indexes) await db.query(index);
    await insertRollups(db, organizationId);
    await db.query('commit');
    // Autovacuum would have done the same long before a table gets this large.
    for (const table of indexTables) await db.query(`vacuum (analyze) ${table}`);
  } finally {
    await db.end();
  }
  return { organizationId, agentIds, calls };
};

/** The sizes on disk of the read models of an index, indexes included, in MiB. */
export const sizesOf = async (
  url: string,
): Promise<readonly (readonly [table: string, rows: number, mebibytes: number])[]> => {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  try {
    const { rows } = await db.query<{ table: string; rows: string; bytes: string }>(
      `select t as table, c.reltuples::bigint as rows, pg_total_relation_size(c.oid) as bytes
       from unnest($1::text[]) t join pg_class c on c.oid = t::regclass`,
      [indexTables],
    );
    return rows.map((row) => [row.table, Number(row.rows), Math.round(Number(row.bytes) / 2 ** 20)]);
  } finally {
    await db.end();
  }
};
