// What was measured, as tables, and beside the goals.
import Table from 'cli-table3';
import type { ReadFigures } from '../calls/reads.js';
import { shown } from '../calls/requests.js';
import type { AttemptFigures } from './attempts.js';

export interface ImportFigures {
  readonly name: string;
  readonly accepted: number;
  readonly seconds: number;
  readonly beforeMebibytes: number;
  readonly peakMebibytes: number;
}

export type AttemptsOf = readonly (readonly [dialers: number, figures: AttemptFigures])[];

const plain = { head: [], border: [] };
const whole = (value: number): string => Math.round(value).toLocaleString('en');

export const showImports = (rows: readonly ImportFigures[]): void => {
  const head = ['file', 'recipients', 'seconds', 'rows/s', 'MiB before', 'MiB at most', 'MiB extra'];
  const table = new Table({ head, style: plain });
  for (const { name, accepted, seconds, beforeMebibytes: before, peakMebibytes: peak } of rows)
    table.push([
      ...[name, whole(accepted), seconds.toFixed(1), whole(accepted / seconds)],
      ...[before, peak, peak - before].map(whole),
    ]);
  console.log(table.toString());
};

export const showReads = (rows: readonly ReadFigures[]): void => {
  const table = new Table({ head: ['what', 'p50 ms', 'p99 ms', 'not 200'], style: plain });
  for (const { name, p50, p99, failures } of rows) table.push([name, shown(p50), shown(p99), failures]);
  console.log(table.toString());
};

export const showAttempts = (rows: AttemptsOf): void => {
  const table = new Table({ head: ['dialers', 'attempts', 'started/s', 'dialled twice'], style: plain });
  for (const [dialers, { attempts, perSecond, duplicates }] of rows)
    table.push([dialers, whole(attempts), perSecond.toFixed(1), duplicates]);
  console.log(table.toString());
};

const sum = (costs: Readonly<Record<string, number>>): number =>
  Object.values(costs).reduce((all, cost) => all + cost, 0);

/** Where the time goes: the services share a process, and the stand-ins are engines, media server and phones. */
export const showCosts = (rows: AttemptsOf): void => {
  const names = [...new Set(rows.flatMap(([, { costs }]) => Object.keys(costs)))];
  const table = new Table({ head: ['processor ms per attempt', ...names, 'all'], style: plain });
  for (const [dialers, { costs }] of rows)
    table.push([
      dialers === 1 ? '1 dialer' : `${dialers} dialers`,
      ...names.map((name) => (costs[name] === undefined ? '' : costs[name].toFixed(1))),
      sum(costs).toFixed(1),
    ]);
  console.log(table.toString());
};

export interface Goal {
  readonly what: string;
  readonly goal: string;
  readonly measured: string;
  readonly isMet: boolean;
}

export const showGoals = (goals: readonly Goal[]): void => {
  const table = new Table({ head: ['goal, on two cores', 'wanted', 'measured', 'met'], style: plain });
  for (const { what, goal, measured, isMet } of goals)
    table.push([what, goal, measured, isMet ? 'yes' : 'no']);
  console.log(table.toString());
};
