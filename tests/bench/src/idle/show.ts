// The tables of an idle platform, and how it stands to the goals.
import { sumOf } from '../harness/processor-time.js';
import { met, showTable } from '../harness/report.js';
import type { CountedStatement } from '../harness/statement-log.js';

type Counts = readonly (readonly [string, number])[];

export interface Idle {
  /** The length of each measurement. */
  readonly seconds: number;
  /** Of a core, by process. */
  readonly percents: Readonly<Record<string, number>>;
  /** MiB. */
  readonly memory: { readonly total: number; readonly parts: Counts };
  readonly connections: Counts;
  readonly statements: readonly CountedStatement[];
  readonly messages: Counts;
  readonly ready: {
    /** On an empty folder. */
    readonly startSeconds: number;
    readonly restartSeconds: number;
    /** Processor time of the restart. */
    readonly restartMs: number;
  };
}

const goals = { mebibytes: 300, percent: 1, statements: 10, readySeconds: 3 };
const shownStatements = 40;

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

const showProcesses = ({ percents, memory }: Idle): void => {
  const sizeOf = new Map(memory.parts);
  showTable(
    ['process', 'percent of a core', 'MiB (PSS)'],
    [
      ...Object.entries(percents).map(([name, percent]) => [name, percent.toFixed(2), sizeOf.get(name) ?? 0]),
      ['all', sumOf(percents).toFixed(2), memory.total],
    ],
  );
};

const showDatabase = ({ seconds, statements, connections }: Idle): void => {
  const open = new Map(connections);
  const names = new Set([...open.keys(), ...statements.map(({ application }) => application)]);
  const countOf = (name: string): number =>
    sum(statements.filter(({ application }) => application === name).map(({ count }) => count));
  showTable(
    ['application', 'statements per second', 'connections'],
    [
      ...[...names].map((name) => [name, (countOf(name) / seconds).toFixed(2), open.get(name) ?? 0]),
      [
        'all',
        (sum(statements.map(({ count }) => count)) / seconds).toFixed(2),
        sum(connections.map(([, count]) => count)),
      ],
    ],
  );
  showTable(
    ['statement', 'of', 'per second'],
    statements
      .slice(0, shownStatements)
      .map(({ text, application, count }) => [text, application, (count / seconds).toFixed(2)]),
  );
};

const showGoals = ({ seconds, percents, memory, statements, ready }: Idle): void => {
  const perSecond = sum(statements.map(({ count }) => count)) / seconds;
  const percent = sumOf(percents);
  const { startSeconds, restartSeconds, restartMs } = ready;
  const row = (name: string, goal: number, measured: number) => [
    ...[name, goal, measured.toFixed(1)],
    met(measured <= goal),
  ];
  showTable(
    ['goal', 'at most', 'measured', ''],
    [
      row('MiB', goals.mebibytes, memory.total),
      row('percent of a core', goals.percent, percent),
      row('statements per second', goals.statements, perSecond),
      row('seconds until ready', goals.readySeconds, restartSeconds),
    ],
  );
  console.log(
    `Ready on an empty folder after ${startSeconds.toFixed(1)} s, and again with ${(restartMs / 1_000).toFixed(1)} s of processor time.`,
  );
};

export const showIdle = (idle: Idle): void => {
  showProcesses(idle);
  showDatabase(idle);
  const { messages, seconds } = idle;
  const all = ['all', sum(messages.map(([, count]) => count))] as const;
  showTable(
    ['messages of NATS', 'per second'],
    [...messages, all].map(([subject, count]) => [subject, (count / seconds).toFixed(2)]),
  );
  showGoals(idle);
};
