// The figures of a run, for people and for programs.
import Table from 'cli-table3';
import type { Findings, Span } from './findings.js';
import { hasFailed } from './verdict.js';

interface Latencies {
  readonly count: number;
  readonly failed: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly most: number;
}

const share = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;

const during =
  ({ from, to }: Span) =>
  (at: number): boolean =>
    at >= from && at < to;

const latenciesIn = ({ samples }: Findings, span: Span): Latencies => {
  const here = samples.filter(({ sentAt }) => during(span)(sentAt));
  const sorted = here.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    count: here.length,
    failed: here.filter(hasFailed).length,
    ...{ p50: share(sorted, 0.5), p95: share(sorted, 0.95), p99: share(sorted, 0.99) },
    most: sorted.at(-1) ?? 0,
  };
};

const countsOf = (items: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const item of items) counts[item] = (counts[item] ?? 0) + 1;
  return counts;
};

/** Streams that were open while a copy of one of these processes was replaced, and conversations that went on over it. */
const overRestarts = ({ answers, conversations, replacements }: Findings) => {
  const restarts = replacements.filter(({ process }) => process === 'gateway' || process === 'widgets');
  const overlaps = ({ from, to }: { readonly from: number; readonly to: number }): boolean =>
    restarts.some(({ beganAt, endedAt }) => from < endedAt && to > beganAt);
  const outlives = ({ from, to }: { readonly from: number; readonly to: number }): boolean =>
    restarts.some(({ beganAt, endedAt }) => from < beganAt && to > endedAt);
  return {
    streams: answers.length,
    streamsOpenDuringRestart: answers.filter(overlaps).length,
    streamsBroken: answers.filter(({ broken }) => broken !== undefined).length,
    conversations: conversations.length,
    conversationsOverRestart: conversations.filter(outlives).length,
  };
};

const callsOf = ({ calls, spans }: Findings) => {
  const { outcomes, tally, mostRings, wanted, looks } = calls;
  const during = looks.flatMap(({ at, inProgress }) =>
    spans.slice(1).some(({ from, to }) => at >= from && at < to) ? [inProgress] : [],
  );
  return {
    wanted,
    leastInProgress: Math.min(...during),
    mostInProgress: Math.max(...during),
    byStatus: countsOf(outcomes.map(({ status }) => status)),
    attempts: tally.attempts,
    dials: tally.dials,
    rings: tally.rings,
    mostRingsOfOneAttempt: mostRings,
    branches: tally.branches,
  };
};

/** Everything that the report tells, for programs. */
export const figuresOf = (findings: Findings, faults: readonly string[]) => ({
  held: faults.length === 0,
  faults,
  statuses: countsOf(findings.samples.map(({ status }) => String(status ?? 'no answer'))),
  spans: findings.spans.map((span) => ({
    name: span.name,
    seconds: (span.to - span.from) / 1_000,
    waited: span.waited,
    latencies: latenciesIn(findings, span),
  })),
  streams: overRestarts(findings),
  calls: callsOf(findings),
  writes: findings.writes,
  replacements: findings.replacements.map(({ process, from, to, readySeconds, leaving }) => ({
    ...{ process, from, to, readySeconds },
    leavingSeconds: leaving.seconds,
    exitCode: leaving.exitCode,
  })),
  errors: findings.errors,
  processes: findings.processes,
  loadCpuSeconds: findings.loadCpuSeconds,
});

const tableOf = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string => {
  const table = new Table({ head: [...head], style: { head: [], border: [] } });
  for (const row of rows) table.push([...row]);
  return table.toString();
};

const ms = (value: number): string => `${value.toFixed(0)} ms`;
const seconds = (value: number): string => `${value.toFixed(1)} s`;

type Figures = ReturnType<typeof figuresOf>;

const requestsTable = ({ spans }: Figures): string =>
  tableOf(
    ['requests', 'sent', 'failed', 'half within', '95 %', '99 %', 'slowest', 'took', 'processors awaited'],
    spans.map(({ name, seconds: took, waited, latencies: { count, failed, p50, p95, p99, most } }) => [
      ...[name, count, failed, ms(p50), ms(p95), ms(p99), ms(most), seconds(took)],
      waited === undefined ? 'unknown' : `${(100 * waited).toFixed(0)} % of it`,
    ]),
  );

const replacementsTable = ({ replacements }: Figures): string =>
  tableOf(
    ['replaced', 'from', 'to', 'ready after', 'gone after'],
    replacements.map(({ process, from, to, readySeconds, leavingSeconds }) => [
      ...[process, from, to, seconds(readySeconds), seconds(leavingSeconds)],
    ]),
  );

const processesTable = ({ processes }: Figures): string =>
  tableOf(
    ['process', 'copies', 'CPU', 'of a processor', 'most memory of a copy'],
    processes.map(({ process, copies, cpuSeconds, seconds: ran, peakMebibytes }) => [
      ...[process, copies, seconds(cpuSeconds), `${((100 * cpuSeconds) / ran).toFixed(1)} %`],
      `${peakMebibytes.toFixed(0)} MiB`,
    ]),
  );

const listed = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

const sentences = ({ statuses, streams, calls, writes, loadCpuSeconds }: Figures): readonly string[] => [
  `requests by status: ${listed(statuses)}`,
  `streamed answers: ${streams.streams}, of which ${streams.streamsOpenDuringRestart} were open while a gateway or widgets was replaced; ${streams.streamsBroken} broke`,
  `conversations in text: ${streams.conversations}, of which ${streams.conversationsOverRestart} lasted over such a replacement`,
  `calls in progress: ${calls.leastInProgress} to ${calls.mostInProgress}, of ${calls.wanted} wanted`,
  `calls by outcome: ${listed(calls.byStatus)}`,
  `attempts: ${calls.attempts}, dials: ${calls.dials}, rings: ${calls.rings}, the most of one attempt: ${calls.mostRingsOfOneAttempt}`,
  `branches of attempts: ${listed(calls.branches)}`,
  `writes acknowledged: ${writes.acknowledged}, lost: ${writes.lost.length}, made twice: ${writes.doubled.length}`,
  `CPU of the load and the fronts themselves: ${seconds(loadCpuSeconds)}`,
];

const shownFaults = 30;

const complaints = (faults: readonly string[]): readonly string[] => [
  ...faults.slice(0, shownFaults),
  ...(faults.length > shownFaults ? [`and ${faults.length - shownFaults} more`] : []),
];

export const reportOf = (figures: Figures): string =>
  [
    requestsTable(figures),
    replacementsTable(figures),
    processesTable(figures),
    ...sentences(figures),
    ...complaints(figures.faults),
    figures.held ? 'Everything held.' : 'Something did not hold.',
    '',
  ].join('\n');
