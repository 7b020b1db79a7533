// What a run looks like while it goes on, and when it is over.
import { SingleBar } from 'cli-progress';
import Table from 'cli-table3';
import { neverSeen, type Outcome, passed } from './experiment.js';

export interface Progress {
  step(done: number, all: number): void;
  end(): void;
}

/** A bar on a terminal, a line now and then elsewhere. */
export const progressOf = (name: string, output: NodeJS.WritableStream): Progress => {
  const bar = new SingleBar({
    stream: output,
    format: '  {name} [{bar}] {value}/{total}  {duration_formatted}',
    barCompleteChar: '=',
    barIncompleteChar: ' ',
    barsize: 30,
    hideCursor: true,
    noTTYOutput: true,
    notTTYSchedule: 30_000,
  });
  bar.start(1, 0, { name: name.padEnd(16) });
  return {
    step: (done, all) => {
      bar.setTotal(all);
      bar.update(done);
    },
    end: () => bar.stop(),
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

const complaints = (outcome: Outcome): string[] => [
  ...outcome.violations
    .slice(0, shownViolations)
    .map(({ rule, about }) => `${outcome.name}: ${rule}: ${about}`),
  ...(outcome.violations.length > shownViolations
    ? [`${outcome.name}: and ${outcome.violations.length - shownViolations} more`]
    : []),
  ...neverSeen(outcome).map((what) => `${outcome.name}: never seen: ${what}`),
];

/** Tables for people: what was done, what was seen, and what was wrong. */
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
