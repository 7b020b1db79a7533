// The contribution of one call to the dashboard's figures: a function of its row alone. So the earlier contribution can
// be taken away when the row changes, and no call ever counts twice.
import type { IndexRow } from './call-index-row.js';
import { latencyBucketOf } from './rollups-latency.js';

export const sumColumns = [
  'calls',
  'answered',
  'voicemail',
  'transferred',
  'failed',
  'succeeded',
  'unsuccessful',
  'talk_ms',
  'answered_talk_ms',
  'cost_micros',
] as const;
export type Sums = Readonly<Record<(typeof sumColumns)[number], number>>;

/** The sums that are kept for every agent, too. */
export const agentSumColumns = [
  'calls',
  'answered',
  'succeeded',
  'unsuccessful',
  'answered_talk_ms',
  'cost_micros',
] as const satisfies readonly (keyof Sums)[];

/** Attributes that are counted by value. Latencies count by the number of their bucket. */
export const tallyKinds = ['outcome', 'reason', 'direction', 'channel', 'e2e_p50', 'e2e_p95'] as const;
export type TallyKind = (typeof tallyKinds)[number];

export interface Contribution {
  readonly organizationId: string;
  readonly agentId: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly sums: Sums;
  readonly tallies: readonly (readonly [TallyKind, string])[];
  /** The first minute (since 1970) with the call in progress at its start, and the first one without it. */
  readonly talking: { readonly from: number; readonly to: number } | undefined;
}

const minuteMs = 60_000;
const minuteFrom = (moment: string): number => Math.ceil(Date.parse(moment) / minuteMs);

const talkingIn = ({ answered_at, ended_at }: IndexRow): Contribution['talking'] => {
  if (answered_at === null || ended_at === null) return undefined;
  const [from, to] = [minuteFrom(answered_at), minuteFrom(ended_at)];
  // Shorter than to the next full minute, or told with times that run backwards.
  return from < to ? { from, to } : undefined;
};

const sumsOf = (row: IndexRow): Sums => {
  const answered = row.outcome === 'answered' || row.outcome === 'transferred';
  const talk = row.duration_ms ?? 0;
  return {
    calls: 1,
    answered: Number(answered),
    voicemail: Number(row.outcome === 'voicemail'),
    transferred: Number(row.outcome === 'transferred'),
    failed: Number(row.outcome === 'failed'),
    succeeded: Number(row.successful === 'success'),
    unsuccessful: Number(row.successful === 'failure'),
    talk_ms: talk,
    answered_talk_ms: answered ? talk : 0,
    cost_micros: row.cost_micros ?? 0,
  };
};

const talliesOf = (row: IndexRow): Contribution['tallies'] => {
  const latency = (ms: number | null): string | undefined =>
    ms === null ? undefined : String(latencyBucketOf(ms));
  const values: readonly (readonly [TallyKind, string | null | undefined])[] = [
    ['outcome', row.outcome],
    ['reason', row.ended_reason],
    ['direction', row.direction],
    ['channel', row.channel],
    ['e2e_p50', latency(row.e2e_p50_ms)],
    ['e2e_p95', latency(row.e2e_p95_ms)],
  ];
  return values.flatMap(([kind, value]) =>
    value === null || value === undefined ? [] : [[kind, value] as const],
  );
};

/** Undefined for a call that is not counted: not ended yet, deleted, or a preview. */
export const contributionOf = (row: IndexRow | undefined): Contribution | undefined => {
  if (row === undefined || row.phase !== 'ended' || row.deleted_at !== null || row.channel === 'preview')
    return undefined;
  return {
    organizationId: row.organization_id,
    agentId: row.agent_id,
    startedAt: Date.parse(row.started_at),
    sums: sumsOf(row),
    tallies: talliesOf(row),
    talking: talkingIn(row),
  };
};
