// The figures of campaigns as tables, beside the goals.
import type { ReadFigures } from '../calls/reads.js';
import { shown } from '../calls/requests.js';
import { sumOf } from '../harness/processor-time.js';
import { met, showTable } from '../harness/report.js';
import type { AttemptFigures } from './attempts.js';

export interface ImportFigures {
  readonly name: string;
  readonly accepted: number;
  readonly seconds: number;
  readonly beforeMebibytes: number;
  readonly peakMebibytes: number;
}

export type AttemptsOf = readonly (readonly [dialers: number, figures: AttemptFigures])[];

const whole = (value: number): string => Math.round(value).toLocaleString('en');

export const showImports = (rows: readonly ImportFigures[]): void =>
  showTable(
    ['file', 'recipients', 'seconds', 'rows/s', 'MiB before', 'MiB at most', 'MiB extra'],
    rows.map(({ name, accepted, seconds, beforeMebibytes: before, peakMebibytes: peak }) => [
      ...[name, whole(accepted), seconds.toFixed(1), whole(accepted / seconds)],
      ...[before, peak, peak - before].map(whole),
    ]),
  );

export const showReads = (rows: readonly ReadFigures[]): void =>
  showTable(
    ['measurement', 'p50 ms', 'p99 ms', 'not 200'],
    rows.map(({ name, p50, p99, failures }) => [name, shown(p50), shown(p99), failures]),
  );

export const showAttempts = (rows: AttemptsOf): void =>
  showTable(
    ['dialers', 'attempts', 'started/s', 'dialled twice'],
    rows.map(([dialers, { attempts, perSecond, duplicates }]) => [
      dialers,
      whole(attempts),
      perSecond.toFixed(1),
      duplicates,
    ]),
  );

/** The processor time by part: the services share a process, and the stand-ins are engines, media server and phones. */
export const showCosts = (rows: AttemptsOf): void => {
  const names = [...new Set(rows.flatMap(([, { costs }]) => Object.keys(costs)))];
  showTable(
    ['processor ms per attempt', ...names, 'all'],
    rows.map(([dialers, { costs }]) => [
      dialers === 1 ? '1 dialer' : `${dialers} dialers`,
      ...names.map((name) => costs[name]?.toFixed(1) ?? ''),
      sumOf(costs).toFixed(1),
    ]),
  );
};

export interface Goal {
  readonly what: string;
  readonly goal: string;
  readonly measured: string;
  readonly isMet: boolean;
}

export const showGoals = (goals: readonly Goal[]): void =>
  showTable(
    ['goal, on two cores', 'wanted', 'measured', ''],
    goals.map(({ what, goal, measured, isMet }) => [what, goal, measured, met(isMet)]),
  );
