// For tests: the dashboard's figures counted from the rows of calls, one by one, by the words of their definitions.
import type { AgentTotals, Counts, Totals } from '../dashboard/counts.js';
import type { Range } from '../dashboard/ranges.js';

export interface CallRow {
  readonly organization_id: string;
  readonly phase: string;
  readonly channel: string;
  readonly deleted_at: Date | null;
  readonly agent_id: string;
  readonly direction: string;
  readonly outcome: string | null;
  readonly ended_reason: string;
  readonly started_at: Date;
  readonly answered_at: Date | null;
  readonly ended_at: Date | null;
  readonly duration_ms: string | null;
  readonly cost_micros: string | null;
  readonly successful: string | null;
  readonly e2e_p50_ms: number | null;
  readonly e2e_p95_ms: number | null;
}

export const isCounted = (row: CallRow): boolean =>
  row.phase === 'ended' && row.channel !== 'preview' && row.deleted_at === null;

const sum = (values: readonly (string | null)[]): number =>
  values.reduce((total, value) => total + Number(value ?? 0), 0);

export const totalsOf = (rows: readonly CallRow[]): Totals => {
  const with_ = (outcomes: readonly string[]) =>
    rows.filter(({ outcome }) => outcomes.includes(outcome ?? ''));
  const answered = with_(['answered', 'transferred']);
  return {
    calls: rows.length,
    answered: answered.length,
    voicemail: with_(['voicemail']).length,
    transferred: with_(['transferred']).length,
    failed: with_(['failed']).length,
    succeeded: rows.filter(({ successful }) => successful === 'success').length,
    unsuccessful: rows.filter(({ successful }) => successful === 'failure').length,
    talkMs: sum(rows.map((row) => row.duration_ms)),
    answeredTalkMs: sum(answered.map((row) => row.duration_ms)),
    costMicros: sum(rows.map((row) => row.cost_micros)),
  };
};

export const agentTotalsOf = (rows: readonly CallRow[]): AgentTotals => {
  const { calls, answered, succeeded, unsuccessful, answeredTalkMs, costMicros } = totalsOf(rows);
  return { calls, answered, succeeded, unsuccessful, answeredTalkMs, costMicros };
};

/** The number of rows by value. */
export const countBy = (
  rows: readonly CallRow[],
  keyOf: (row: CallRow) => string | null,
): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const value of rows.map(keyOf)) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};

const minute = 60_000;

/** Calls in progress at this moment. */
const inProgress = (rows: readonly CallRow[], at: number): number =>
  rows.filter(
    ({ answered_at, ended_at }) =>
      answered_at !== null && ended_at !== null && answered_at.getTime() <= at && ended_at.getTime() > at,
  ).length;

export const peakOf = (rows: readonly CallRow[], from: number, to: number): number => {
  let peak = 0;
  for (let at = from; at < to; at += minute) peak = Math.max(peak, inProgress(rows, at));
  return peak;
};

const within = (rows: readonly CallRow[], from: number, to: number): CallRow[] =>
  rows.filter(({ started_at }) => started_at.getTime() >= from && started_at.getTime() < to);

/** The value at the nearest rank. */
const percentile = (values: readonly (number | null)[], share: number): number | null => {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b);
  return sorted[Math.max(1, Math.ceil(sorted.length * share)) - 1] ?? null;
};

/** Counts the rows of one organization anew; agents by their ids, latencies exact. */
export const recount = (all: readonly CallRow[], range: Range) => {
  const counted = all.filter(isCounted);
  const rows = within(counted, range.from, range.to);
  const ends = [...range.buckets.slice(1), range.to];
  const timeline = range.buckets.map((at, index) => totalsOf(within(rows, at, ends[index] ?? range.to)));
  const of = (column: 'direction' | 'channel', value: string): number =>
    rows.filter((row) => row[column] === value).length;
  return {
    current: totalsOf(rows),
    previous: totalsOf(within(counted, range.previousFrom, range.from)),
    timeline: new Map([...timeline.entries()].filter(([, { calls }]) => calls > 0)),
    ...{ inbound: of('direction', 'inbound'), outbound: of('direction', 'outbound') },
    ...{ phone: of('channel', 'phone'), widget: of('channel', 'widget') },
    outcomes: countBy(rows, ({ outcome }) => outcome),
    endedReasons: countBy(rows, ({ ended_reason }) => ended_reason),
    agents: new Map(
      [...countBy(rows, ({ agent_id }) => agent_id).keys()].map((agentId) => [
        agentId,
        agentTotalsOf(rows.filter(({ agent_id }) => agent_id === agentId)),
      ]),
    ),
    peakConcurrency: peakOf(counted, range.from, range.to),
    live: all.filter(
      ({ phase, channel, deleted_at }) => phase === 'live' && channel !== 'preview' && deleted_at === null,
    ).length,
    e2eP50Ms: percentile(
      rows.map((row) => row.e2e_p50_ms),
      0.5,
    ),
    e2eP95Ms: percentile(
      rows.map((row) => row.e2e_p95_ms),
      0.95,
    ),
  };
};

/** The counted figures in the form of the recount. */
export const comparable = (counts: Counts) => ({
  ...counts,
  endedReasons: new Map<string, number>(counts.endedReasons.map(({ reason, count }) => [reason, count])),
  agents: new Map(counts.agents.map(({ agentId, name: _, ...totals }) => [agentId, totals])),
});
