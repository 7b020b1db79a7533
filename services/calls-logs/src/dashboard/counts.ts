// What the dashboard counts, by one statement over the call index, so that all figures are of the same moment.
import type { EndedReason, Outcome } from '@parlance/contracts';
import type { Tx } from '@parlance/persistence';
import { z } from 'zod';
import type { Range } from './ranges.js';

const count = z.int();
const Totals = z.object({
  calls: count,
  answered: count,
  voicemail: count,
  transferred: count,
  talkMs: count,
  answeredTalkMs: count,
  succeeded: count,
  failed: count,
  costMicros: count,
});
export type Totals = z.output<typeof Totals>;

const Counts = z.object({
  current: Totals,
  previous: Totals,
  inbound: count,
  outbound: count,
  phone: count,
  widget: count,
  e2eP50Ms: z.number().nullable(),
  e2eP95Ms: z.number().nullable(),
  // Words of the index are the contract's own; it is written from them.
  outcomes: z.array(z.object({ outcome: z.custom<Outcome>(), count })),
  endedReasons: z.array(z.object({ reason: z.custom<EndedReason>(), count })),
  agents: z.array(Totals.extend({ agentId: z.string(), name: z.string() })),
  timeline: z.array(
    z.object({
      bucket: count,
      calls: count,
      answered: count,
      failed: count,
      talkMs: count,
      costMicros: count,
    }),
  ),
  peakConcurrency: count,
  live: count,
});
export type Counts = z.output<typeof Counts>;

const totals = `
  'calls', count(*),
  'answered', count(*) filter (where is_answered),
  'voicemail', count(*) filter (where outcome = 'voicemail'),
  'transferred', count(*) filter (where outcome = 'transferred'),
  'talkMs', coalesce(sum(duration_ms), 0),
  'answeredTalkMs', coalesce(sum(duration_ms) filter (where is_answered), 0),
  'succeeded', count(*) filter (where successful = 'success'),
  'failed', count(*) filter (where successful = 'failure'),
  'costMicros', coalesce(sum(cost_micros), 0)`;

// $1 organization, $2 first moment of the span before, $3 and $4 the range, $5 length of a bucket in milliseconds.
// Concurrency is looked at on every full minute: a call is there from the first minute after its answer to the last one
// before its end.
const statement = `
with counted as materialized (
  select agent_id, agent_name, channel, direction, outcome, ended_reason, started_at, answered_at, ended_at,
    duration_ms, cost_micros, successful, e2e_p50_ms, e2e_p95_ms, outcome in ('answered', 'transferred') as is_answered
  from call_index
  where organization_id = $1 and deleted_at is null and phase = 'ended' and channel <> 'preview'
    and started_at >= $2 and started_at < $4
),
current as (select * from counted where started_at >= $3),
minutes as (
  select minute, sum(change) as change from (
    select ceil(extract(epoch from answered_at) / 60) as minute, 1 as change from current
      where answered_at is not null and ended_at is not null
    union all
    select ceil(extract(epoch from ended_at) / 60), -1 from current
      where answered_at is not null and ended_at is not null
  ) as changes group by minute
)
select json_build_object(
  'current', (select json_build_object(${totals}) from current),
  'previous', (select json_build_object(${totals}) from counted where started_at < $3),
  'inbound', (select count(*) from current where direction = 'inbound'),
  'outbound', (select count(*) from current where direction = 'outbound'),
  'phone', (select count(*) from current where channel = 'phone'),
  'widget', (select count(*) from current where channel = 'widget'),
  'e2eP50Ms', (select percentile_cont(0.5) within group (order by e2e_p50_ms) from current),
  'e2eP95Ms', (select percentile_cont(0.95) within group (order by e2e_p95_ms) from current),
  'outcomes', (select coalesce(json_agg(json_build_object('outcome', outcome, 'count', calls)), '[]')
    from (select outcome, count(*) as calls from current group by outcome) as o),
  'endedReasons', (select coalesce(json_agg(json_build_object('reason', ended_reason, 'count', calls)
      order by calls desc, ended_reason), '[]')
    from (select ended_reason, count(*) as calls from current group by ended_reason) as r),
  'agents', (select coalesce(json_agg(figures order by calls desc, agent_id), '[]')
    from (select agent_id, count(*) as calls, json_build_object('agentId', agent_id,
        'name', (array_agg(agent_name order by started_at desc))[1], ${totals}) as figures
      from current group by agent_id) as a),
  'timeline', (select coalesce(json_agg(json_build_object('bucket', bucket, 'calls', calls, 'answered', answered,
      'failed', failed, 'talkMs', talk_ms, 'costMicros', cost_micros)), '[]')
    from (select floor(extract(epoch from started_at - $3::timestamptz) * 1000 / $5::bigint)::int as bucket,
        count(*) as calls, count(*) filter (where is_answered) as answered,
        count(*) filter (where outcome = 'failed') as failed,
        coalesce(sum(duration_ms), 0) as talk_ms, coalesce(sum(cost_micros), 0) as cost_micros
      from current group by 1) as t),
  'peakConcurrency', (select coalesce(max(running), 0)
    from (select sum(change) over (order by minute) as running from minutes) as m),
  'live', (select count(*) from call_index
    where organization_id = $1 and deleted_at is null and phase = 'live' and channel <> 'preview')
) as counts`;

export const countCalls = async (tx: Tx, organizationId: string, range: Range): Promise<Counts> => {
  const { rows } = await tx.query<{ counts: unknown }>({
    name: 'dashboard',
    text: statement,
    values: [organizationId, range.previousFrom, range.from, range.to, range.bucketMs],
  });
  return Counts.parse(rows[0]?.counts);
};
