// The dashboard's figures from the counts. A rate without a denominator is null, never zero.
import { type DashboardSummary, Outcome } from '@parlance/contracts';
import type { AgentTotals, Counts } from './counts.js';
import type { Range } from './ranges.js';

const rate = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000;

const minutes = (ms: number): number => Math.round(ms / 600) / 100;

const averageSeconds = ({ answeredTalkMs, answered }: AgentTotals): number | null =>
  answered === 0 ? null : Math.round(answeredTalkMs / answered / 10) / 100;

const successRate = ({ succeeded, unsuccessful }: AgentTotals): number | null =>
  rate(succeeded, succeeded + unsuccessful);

const timelineOf = ({ timeline }: Counts, { buckets }: Range): DashboardSummary['timeline'] =>
  buckets.map((at, index) => {
    const { calls = 0, answered = 0, failed = 0, talkMs = 0, costMicros = 0 } = timeline.get(index) ?? {};
    return { at: new Date(at).toISOString(), calls, answered, failed, minutes: minutes(talkMs), costMicros };
  });

const outcomesOf = (counts: Counts): DashboardSummary['outcomes'] =>
  Outcome.options.map((outcome) => {
    const count = counts.outcomes.get(outcome) ?? 0;
    return { outcome, count, share: rate(count, counts.current.calls) ?? 0 };
  });

export const summaryOf = (counts: Counts, range: Range, currency: string): DashboardSummary => {
  const { current, previous } = counts;
  return {
    range: range.name,
    from: new Date(range.from).toISOString(),
    to: new Date(range.to).toISOString(),
    timezone: range.timezone,
    bucket: range.bucket,
    kpis: {
      totalCalls: current.calls,
      answeredCalls: current.answered,
      answerRate: rate(current.answered, current.calls),
      voicemailRate: rate(current.voicemail, current.calls),
      averageDurationSeconds: averageSeconds(current),
      totalMinutes: minutes(current.talkMs),
      successRate: successRate(current),
      transferRate: rate(current.transferred, current.answered),
      liveCalls: counts.live,
      peakConcurrency: counts.peakConcurrency,
      totalCostMicros: current.costMicros,
      currency,
    },
    previous: {
      totalCalls: previous.calls,
      answerRate: rate(previous.answered, previous.calls),
      averageDurationSeconds: averageSeconds(previous),
      totalCostMicros: previous.costMicros,
    },
    byDirection: { inbound: counts.inbound, outbound: counts.outbound },
    byChannel: { phone: counts.phone, widget: counts.widget, preview: 0 },
    outcomes: outcomesOf(counts),
    endedReasons: [...counts.endedReasons],
    agents: counts.agents.map((agent) => ({
      agentId: agent.agentId,
      name: agent.name,
      calls: agent.calls,
      answerRate: rate(agent.answered, agent.calls),
      averageDurationSeconds: averageSeconds(agent),
      successRate: successRate(agent),
      costMicros: agent.costMicros,
    })),
    timeline: timelineOf(counts, range),
    latency: { e2eP50Ms: counts.e2eP50Ms, e2eP95Ms: counts.e2eP95Ms },
  };
};
