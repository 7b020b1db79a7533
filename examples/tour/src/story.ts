// What the tour shows of a finished campaign, as text.
import type { Campaign } from './campaign.js';
import type { CallLog, Dashboard, OutboundCall, Turn } from './results.js';
import { endingNames, endingOf, type Phones } from './simulated-phones.js';
import { dollars, facts, percent, table } from './tables.js';

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

/** One line for each way a call ended, with how many ended so. */
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

export const talkStory = ({ toNumber }: CallLog, turns: readonly Turn[]): string =>
  [`\nWhat was said to ${toNumber}:`, ...turns.map(({ role, text }) => `  ${role.padEnd(6)} ${text}`)].join(
    '\n',
  );

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
