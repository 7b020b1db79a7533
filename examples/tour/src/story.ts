// The report of the tour about a finished campaign, as text.
import type { Abilities } from './abilities.js';
import type { Campaign } from './campaign.js';
import type { Dashboard, OutboundCall } from './results.js';
import { endingNames, endingOf, type Phones } from './simulated-phones.js';
import { dollars, facts, percent, table } from './tables.js';
import type { Passage, RunOfTool, Talk, Turn } from './talks.js';

export const fileStory = ({ file, sourceFileName }: Campaign): string => {
  const { rows, accepted, rejected, duplicates } = file;
  const head = `\n${sourceFileName}: ${rows} rows, ${accepted} accepted, ${rejected} rejected, ${duplicates} twice.`;
  return [head, ...file.errors.map(({ row, message }) => `  row ${row}: ${message}`)].join('\n');
};

interface Line {
  readonly phones: string;
  readonly status: string;
  readonly reason: string;
  readonly calls: number;
  readonly attempts: number;
}

/** One line for each end of a call, with the number of calls. */
export const endingsStory = (outbound: readonly OutboundCall[], known: Phones | undefined): string => {
  const lines = new Map<string, Line>();
  for (const { phoneNumber, status, endedReason, attempt } of outbound) {
    const phones = known === undefined ? '' : endingOf(phoneNumber, known).name;
    const reason = endedReason ?? '';
    const key = `${phones} ${status} ${reason}`;
    const { calls, attempts } = lines.get(key) ?? { calls: 0, attempts: 0 };
    lines.set(key, { phones, status, reason, calls: calls + 1, attempts: attempts + attempt });
  }
  const sorted = [...lines.values()].sort(
    (a, b) => endingNames.indexOf(a.phones) - endingNames.indexOf(b.phones) || b.calls - a.calls,
  );
  const rows = sorted.map((line) => [line.phones, line.status, line.reason, line.calls, line.attempts]);
  return `\n${table(['phones that', 'status', 'reason', 'calls', 'attempts'], rows)}`;
};

const runStory = ({ name, arguments: given, status, durationMs }: RunOfTool): string =>
  `${name} ${given === null ? '' : JSON.stringify(given)} ${status} in ${durationMs} ms`;

const indent = '\n         ';

/** `handbook.md › Bills › Refunds`, for each source of an answer, the best first. */
const sourcesStory = ({ sources }: Turn, passages: ReadonlyMap<string, Passage>): string =>
  sources
    .map(({ chunkId }) => passages.get(chunkId))
    .map((passage) =>
      passage ? [passage.sourceName, ...passage.headings].join(' › ') : 'a passage that is gone',
    )
    .map((path) => `${indent}from ${path}`)
    .join('');

/** A tool turn shows the platform's record of the run, in which sensitive arguments are hidden. */
export const talkStory = ({ call, turns, runs }: Talk, passages: ReadonlyMap<string, Passage>): string => {
  const left = [...runs];
  const lines = turns.map((turn) => {
    const run = turn.role === 'tool' ? left.shift() : undefined;
    const said = turn.role === 'tool' ? (run ? runStory(run) : 'a run without a record') : turn.text;
    return `  ${turn.role.padEnd(6)} ${said}${sourcesStory(turn, passages)}`;
  });
  return [`\nWhat was said to ${call.toNumber}:`, ...lines].join('\n');
};

export const abilitiesStory = (talks: readonly Talk[], { tool, source }: Abilities): string => {
  const runs = talks.flatMap((talk) => talk.runs);
  const slowest = Math.max(0, ...runs.map(({ durationMs }) => durationMs));
  const answered = talks.filter(({ turns }) => turns.some(({ sources }) => sources.length > 0));
  const rows = [
    ...(tool
      ? [[tool.name, runs.length, runs.filter(({ status }) => status === 'ok').length, `${slowest} ms`]]
      : []),
    [source.name, answered.length, answered.length, ''],
  ];
  return `\n${table(['asked in a call', 'times', 'answered', 'slowest'], rows)}`;
};

export const dashboardStory = ({ kpis }: Dashboard): string => {
  const { totalCalls, answeredCalls, answerRate, voicemailRate, totalMinutes, peakConcurrency } = kpis;
  const shown = facts({
    'calls in 24 hours': totalCalls,
    answered: `${answeredCalls} (${percent(answerRate)})`,
    voicemail: percent(voicemailRate),
    'talk minutes': totalMinutes,
    'most at once': peakConcurrency,
    cost: dollars(kpis.totalCostMicros, kpis.currency),
  });
  return `\n${shown}`;
};
