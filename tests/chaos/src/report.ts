// The output of a run while it goes on, and its report at the end.
import { MultiBar } from 'cli-progress';
import Table from 'cli-table3';
import { neverSeen, type Outcome, passed } from './experiment.js';

export interface Progress {
  step(done: number, all: number, doing?: string): void;
}

/** Bars on a terminal, lines now and then elsewhere: one for each name. */
export const progressOf = (output: NodeJS.WritableStream) => {
  const bars = new MultiBar({
    stream: output,
    format: '  {name} [{bar}] {value}/{total}  {duration_formatted}  {doing}',
    barCompleteChar: '=',
    barIncompleteChar: ' ',
    barsize: 24,
    hideCursor: true,
    noTTYOutput: true,
    notTTYSchedule: 60_000,
  });
  return {
    of: (name: string): Progress => {
      const bar = bars.create(1, 0, { name: name.padEnd(8), doing: '' });
      return {
        step: (done, all, doing = '') => {
          bar.setTotal(all);
          bar.update(done, { doing });
        },
      };
    },
    /** Above the bars, at once. */
    say: (lines: readonly string[]) => {
      for (const line of lines) bars.log(`  ${line}\n`);
    },
    end: () => bars.stop(),
  };
};

const shownViolations = 20;

const tableOf = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string => {
  const table = new Table({ head: [...head], style: { head: [], border: [] } });
  for (const row of rows) table.push([...row]);
  return table.toString();
};

export interface Timed {
  readonly outcome: Outcome;
  readonly seconds: number;
}

const figures = ({ outcome, seconds }: Timed): (string | number)[] => {
  const { calls, attempts, dials, rings, cancelled, branches } = outcome.tally;
  const taken = [branches['in doubt'], branches.adopted, branches.abandoned, branches.unknown];
  return [
    ...[outcome.name, calls, attempts, dials, rings, cancelled],
    ...taken,
    ...[outcome.violations.length, `${Math.round(seconds)} s`],
  ];
};

/** The faults of a run in words; empty when all was well. */
export const complaints = (outcome: Outcome): string[] => [
  ...outcome.violations
    .slice(0, shownViolations)
    .map(({ rule, about }) => `${outcome.name}: ${rule}: ${about}`),
  ...(outcome.violations.length > shownViolations
    ? [`${outcome.name}: and ${outcome.violations.length - shownViolations} more`]
    : []),
  ...neverSeen(outcome).map((what) => `${outcome.name}: never seen: ${what}`),
];

/** Tables for people: the experiments, the observations, and the faults. */
export const reportOf = (timed: readonly Timed[]): string => {
  const head = ['', 'calls', 'attempts', 'dials', 'rings', 'cancelled', 'in doubt', 'adopted'];
  const rows = timed.map(figures);
  const seen = timed.flatMap(({ outcome }) =>
    Object.entries(outcome.seen).map(([what, times]) => [outcome.name, what, times]),
  );
  const wrong = timed.flatMap(({ outcome }) => complaints(outcome));
  return [
    tableOf([...head, 'abandoned', 'unknown', 'violations', 'took'], rows),
    tableOf(['', 'seen', 'times'], seen),
    ...timed.map(({ outcome }) => `${outcome.name}: ${outcome.note}`),
    ...wrong,
    timed.every(({ outcome }) => passed(outcome)) ? 'Everything held.' : 'Something did not hold.',
    '',
  ].join('\n');
};
