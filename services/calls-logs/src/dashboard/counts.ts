// The counts of the dashboard: sums of rollups, by one statement, so that all figures are of the same moment. The range
// and the number of agents decide the work, never the number of calls.
import type { EndedReason, Outcome } from '@parlance/contracts';
import type { Database } from '@parlance/postgres';
import { z } from 'zod';
import { peakWithin } from '../read-models/rollups-concurrency.js';
import { bucketOf, type Grain, type Span, spansOf } from '../read-models/rollups-grains.js';
import { percentileIn } from '../read-models/rollups-latency.js';
import type { Range } from './ranges.js';

const count = z.int();
const Totals = z.object({
  calls: count,
  answered: count,
  voicemail: count,
  transferred: count,
  failed: count,
  succeeded: count,
  unsuccessful: count,
  talkMs: count,
  answeredTalkMs: count,
  costMicros: count,
});
export type Totals = z.output<typeof Totals>;

const AgentTotals = Totals.pick({
  calls: true,
  answered: true,
  succeeded: true,
  unsuccessful: true,
  answeredTalkMs: true,
  costMicros: true,
});
export type AgentTotals = z.output<typeof AgentTotals>;

const Found = z.object({
  /** The buckets that have calls; -1 is the span before the range. */
  buckets: z.array(Totals.extend({ bucket: count })),
  tallies: z.array(z.object({ kind: z.string(), value: z.string(), calls: count })),
  agents: z.array(AgentTotals.extend({ agentId: z.string(), name: z.string() })),
  inProgressBefore: count,
  courses: z.array(z.object({ at: count, net: count, peak: count, minutes: z.array(count).nullable() })),
  live: count,
});

export interface Counts {
  readonly current: Totals;
  readonly previous: Totals;
  /** Totals by the number of the bucket; buckets without calls are left out. */
  readonly timeline: ReadonlyMap<number, Totals>;
  readonly inbound: number;
  readonly outbound: number;
  readonly phone: number;
  readonly widget: number;
  readonly e2eP50Ms: number | null;
  readonly e2eP95Ms: number | null;
  readonly outcomes: ReadonlyMap<string, number>;
  /** Most frequent first. */
  readonly endedReasons: readonly { readonly reason: EndedReason; readonly count: number }[];
  /** Busiest first. */
  readonly agents: z.output<typeof Found>['agents'];
  readonly peakConcurrency: number;
  readonly live: number;
}

const columns = {
  calls: 'calls',
  answered: 'answered',
  voicemail: 'voicemail',
  transferred: 'transferred',
  failed: 'failed',
  succeeded: 'succeeded',
  unsuccessful: 'unsuccessful',
  talkMs: 'talk_ms',
  answeredTalkMs: 'answered_talk_ms',
  costMicros: 'cost_micros',
} satisfies Record<keyof Totals, string>;

const sumsOf = (shape: object): string =>
  Object.entries(columns)
    .filter(([name]) => name in shape)
    .map(([, column]) => `sum(r.${column}) as ${column}`)
    .join(', ');
const totalsOf = (shape: object): string =>
  Object.entries(columns)
    .filter(([name]) => name in shape)
    .map(([name, column]) => `'${name}', coalesce(sum(f.${column}), 0)`)
    .join(', ');

// Every span is looked up by itself: an aggregate behind `lateral` is the only plan that never reads rows outside the
// span.
const within = (spans: string, table: string): string =>
  `from ${table} r where r.organization_id = $1 and r.grain = ${spans}.grain
     and r.at >= ${spans}.since and r.at < ${spans}.before`;

const spansAt = (first: number, ...more: string[]): string => {
  const names = ['grain', 'since', 'before', ...more];
  const types = ['smallint[]', 'timestamptz[]', 'timestamptz[]', ...more.map(() => 'integer[]')];
  return `unnest(${types.map((type, index) => `$${first + index}::${type}`).join(', ')}) as s(${names.join(', ')})`;
};

// $1 organization; then spans, each as grains, first moments and ends: $2 those of all buckets with $5 their numbers, $6 of
// the range, $9 of its hours, $12 of all days and hours before those; $15 the first and $16 the last hour that the range
// cuts through.
const statement = `
select json_build_object(
  'buckets', (select coalesce(json_agg(b.figures), '[]') from (
    select json_build_object('bucket', s.bucket, ${totalsOf(Totals.shape)}) as figures
    from ${spansAt(2, 'bucket')} cross join lateral (select ${sumsOf(Totals.shape)} ${within('s', 'call_rollups')}) f
    group by s.bucket having sum(f.calls) <> 0) b),
  'tallies', (select coalesce(json_agg(json_build_object('kind', t.kind, 'value', t.value, 'calls', t.calls)), '[]') from (
    select f.kind, f.value, sum(f.calls) as calls
    from ${spansAt(6)} cross join lateral (
      select r.kind, r.value, sum(r.calls) as calls ${within('s', 'call_tallies')} group by r.kind, r.value) f
    group by f.kind, f.value having sum(f.calls) <> 0) t),
  'agents', (select coalesce(json_agg(a.figures order by a.calls desc, a.agent_id), '[]') from (
    select f.agent_id, sum(f.calls) as calls,
      json_build_object('agentId', f.agent_id, 'name', coalesce(max(n.name), ''), ${totalsOf(AgentTotals.shape)}) as figures
    from ${spansAt(6)} cross join lateral (
      select r.agent_id, ${sumsOf(AgentTotals.shape)} ${within('s', 'agent_rollups')} group by r.agent_id) f
    left join called_agents n on n.organization_id = $1 and n.agent_id = f.agent_id
    group by f.agent_id having sum(f.calls) <> 0) a),
  'inProgressBefore', (select coalesce(sum(f.net), 0) from ${spansAt(12)} cross join lateral (
    select sum(r.net) as net ${within('s', 'concurrency_rollups')}) f),
  'courses', (select coalesce(json_agg(f.course order by f.at), '[]') from ${spansAt(9)} cross join lateral (
    select r.at, json_build_object('at', (extract(epoch from r.at) * 1000)::bigint, 'net', r.net, 'peak', r.peak,
      'minutes', case when r.at = $15 or r.at = $16 then r.minutes end) as course
    ${within('s', 'concurrency_rollups')} offset 0) f),
  'live', (select count(*) from call_index
    where organization_id = $1 and phase <> 'ended' and phase = 'live' and deleted_at is null
      and channel <> 'preview')
) as counts`;

const iso = (ms: number): string => new Date(ms).toISOString();
const arrayOf = (values: readonly (string | number)[]): string => `{${values.join(',')}}`;
const arraysOf = (spans: readonly Span[]): string[] => [
  arrayOf(spans.map(({ grain }) => grain)),
  arrayOf(spans.map(({ from }) => iso(from))),
  arrayOf(spans.map(({ to }) => iso(to))),
];

const courseGrains = [1_440, 60] as const satisfies readonly Grain[];
const hourMs = 3_600_000;
/** Before any call, even with a wrong clock. */
const beginning = Date.parse('0001-01-01T00:00:00.000Z');

/** Hours that hold the range, and of those the first and the last where a border cuts through them. */
const hoursOf = ({ from, to }: Range) => {
  const first = bucketOf(60, from);
  const end = bucketOf(60, to + hourMs - 1);
  return {
    first,
    end,
    cut: [from === first ? null : iso(first), to === end ? null : iso(end - hourMs)],
  };
};

const spansAsked = (range: Range): readonly (string | null)[] => {
  const ends = [...range.buckets.slice(1), range.to];
  const buckets = [
    ...spansOf(range.previousFrom, range.from).map((span) => ({ ...span, bucket: -1 })),
    ...range.buckets.flatMap((from, bucket) =>
      spansOf(from, ends[bucket] ?? range.to).map((span) => ({ ...span, bucket })),
    ),
  ];
  const hours = hoursOf(range);
  return [
    ...arraysOf(buckets),
    arrayOf(buckets.map(({ bucket }) => bucket)),
    ...arraysOf(spansOf(range.from, range.to)),
    ...arraysOf(spansOf(hours.first, hours.end, courseGrains)),
    ...arraysOf(spansOf(beginning, hours.first, courseGrains)),
    ...hours.cut,
  ];
};

// Some hundred moments in text form, computed once for every kept range.
const asked = new WeakMap<Range, readonly (string | null)[]>();

/** $2 and on. */
const parametersOf = (range: Range): readonly (string | null)[] => {
  const spans = asked.get(range) ?? spansAsked(range);
  asked.set(range, spans);
  return spans;
};

const noCalls = Totals.parse(Object.fromEntries(Object.keys(columns).map((name) => [name, 0])));

const plus = (a: Totals, b: Totals): Totals => ({
  calls: a.calls + b.calls,
  answered: a.answered + b.answered,
  voicemail: a.voicemail + b.voicemail,
  transferred: a.transferred + b.transferred,
  failed: a.failed + b.failed,
  succeeded: a.succeeded + b.succeeded,
  unsuccessful: a.unsuccessful + b.unsuccessful,
  talkMs: a.talkMs + b.talkMs,
  answeredTalkMs: a.answeredTalkMs + b.answeredTalkMs,
  costMicros: a.costMicros + b.costMicros,
});

const latencyIn = (tallies: ReadonlyMap<string, number>, share: number): number | null =>
  percentileIn(new Map([...tallies].map(([bucket, calls]) => [Number(bucket), calls])), share);

const talliesOf = (found: z.output<typeof Found>) => {
  const of = (kind: string): Map<string, number> =>
    new Map(found.tallies.filter((tally) => tally.kind === kind).map(({ value, calls }) => [value, calls]));
  const [direction, channel] = [of('direction'), of('channel')];
  return {
    inbound: direction.get('inbound') ?? 0,
    outbound: direction.get('outbound') ?? 0,
    phone: channel.get('phone') ?? 0,
    widget: channel.get('widget') ?? 0,
    outcomes: of('outcome') as ReadonlyMap<Outcome, number>, // words of the index are the contract's own
    endedReasons: [...of('reason')]
      .map(([reason, calls]) => ({ reason: reason as EndedReason, count: calls })) // as above
      .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)),
    e2eP50Ms: latencyIn(of('e2e_p50'), 0.5),
    e2eP95Ms: latencyIn(of('e2e_p95'), 0.95),
  };
};

/** Making a plan takes longer than following it, and a plan for these values is no better than one for any. */
const onePlan = 'plan_cache_mode = force_generic_plan';

export const countCalls = async (
  db: Pick<Database, 'readWith'>,
  organizationId: string,
  range: Range,
): Promise<Counts> => {
  const { rows } = await db.readWith<{ counts: unknown }>(onePlan, {
    name: 'dashboard',
    text: statement,
    values: [organizationId, ...parametersOf(range)],
  });
  const found = Found.parse(rows[0]?.counts);
  const timeline = new Map(found.buckets.map(({ bucket, ...figures }) => [bucket, figures]));
  const previous = timeline.get(-1) ?? noCalls;
  timeline.delete(-1);
  return {
    ...talliesOf(found),
    current: [...timeline.values()].reduce(plus, noCalls),
    previous,
    timeline,
    agents: found.agents,
    peakConcurrency: peakWithin(range.from, range.to, found.inProgressBefore, found.courses),
    live: found.live,
  };
};
