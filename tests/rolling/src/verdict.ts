// The guarantees of a rolling restart. Pure: findings in, faults out.
import type { Sample } from '@parlance/tests-e2e';
import type { Findings, Span } from './findings.js';

/**
 * This share of the wanted calls has to have been in progress at once. Fewer calls would be a lighter test than the wanted
 * one.
 */
const enough = 0.8;

export const hasFailed = ({ status, broken }: Sample): boolean =>
  status === undefined || status >= 400 || broken !== undefined;

/**
 * Names the leg, and the copies that were replaced meanwhile. A request fails by an old version beside a new one, or by the end
 * of a copy. It also fails by too little of the machine.
 */
const describe =
  ({ replacements, spans }: Findings) =>
  ({ errand, status, code, broken, sentAt, ms }: Sample): string => {
    const leg = spans.find(({ from, to }) => sentAt >= from && sentAt < to)?.name ?? 'at the end';
    const meanwhile = replacements
      .filter(({ beganAt, endedAt }) => sentAt < endedAt && sentAt + ms > beganAt)
      .map(({ process }) => process);
    const answer = [errand, status ?? 'no answer', code, broken]
      .filter((part) => part !== undefined)
      .join(' ');
    const during =
      meanwhile.length === 0 ? leg : `${leg}, replacing ${[...new Set(meanwhile)].join(' and ')}`;
    return `${answer} (${during})`;
  };

const counted = (what: string, items: readonly string[]): string[] => {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts].map(([item, times]) => `${what}${times === 1 ? '' : `, ${times} times`}: ${item}`);
};

function* ofProcesses({ replacements, fallen, errors }: Findings): Generator<string> {
  for (const { process, leaving } of replacements)
    if (leaving.exitCode !== 0)
      yield `${process} did not stop in order: ${leaving.exitCode === null ? 'it was killed' : `exit code ${leaving.exitCode}`}`;
  for (const process of fallen) yield `a copy of ${process} ended by itself`;
  for (const { process, text, times } of errors) yield `${process} logged an error, ${times} times: ${text}`;
}

function* ofCalls({ calls, spans }: Findings): Generator<string> {
  const { wanted, looks, outcomes, violations } = calls;
  for (const { rule, about } of violations) yield `${rule}: ${about}`;
  for (const { id, status, attempts } of outcomes)
    if (status !== 'completed' || attempts !== 1)
      yield `a call was dropped: ${id} is ${status} after ${attempts} attempts`;
  const most = Math.max(0, ...looks.filter(within(spans)).map(({ inProgress }) => inProgress));
  if (most < wanted * enough) yield `only ${most} calls were in progress at once, and ${wanted} were wanted`;
}

const within =
  (spans: readonly Span[]) =>
  ({ at }: { readonly at: number }): boolean =>
    spans.some(({ from, to }) => at >= from && at <= to);

/** One sentence for each thing that did not hold. */
export const faultsOf = (findings: Findings): readonly string[] => {
  const { samples, answers, refused, writes } = findings;
  const isUnseen = answers.length === 0 || samples.length === 0;
  return [
    ...counted(
      'a stream broke',
      answers.flatMap(({ broken }) => broken ?? []),
    ),
    ...counted('refused', refused),
    ...ofCalls(findings),
    ...writes.lost.map((name) => `an acknowledged write is lost: ${name}`),
    ...writes.doubled.map((name) => `a write was made twice: ${name}`),
    ...ofProcesses(findings),
    ...(isUnseen ? ['no request or no stream was seen'] : []),
    // There may be many, so they come last.
    ...counted('a request failed', samples.filter(hasFailed).map(describe(findings))),
  ];
};
