// The figures of calls, beside their goals.
import { sumOf } from '../harness/processor-time.js';
import { met, showTable } from '../harness/report.js';
import type { IngestFigures } from './ingest.js';
import type { ReadFigures } from './reads.js';
import type { RebuildFigures } from './rebuild.js';
import { shown } from './requests.js';

export interface ReadGoals {
  /** Milliseconds. */
  readonly p99: number;
  /** The ratio of the medians, page 1,000 beside page 1. */
  readonly ratio?: number;
}

/** The first row is the request to compare with, of which nothing is asked. */
export const showReads = (rows: readonly ReadFigures[], goals: ReadGoals): void => {
  const limit = goals.ratio ?? Number.POSITIVE_INFINITY;
  const asked = goals.ratio === undefined ? '' : `, ${goals.ratio} of page 1`;
  showTable(
    ['measurement', 'p50 ms', 'p99 ms', 'of page 1', 'not 200', `p99 < ${goals.p99} ms${asked}`],
    rows.map(({ name, p50, p99, ratio, failures }, index) => [
      ...[name, shown(p50), shown(p99), ratio?.toFixed(2) ?? '', failures],
      index === 0 ? '' : met(p99 < goals.p99 && (ratio ?? 0) <= limit && failures === 0),
    ]),
  );
};

const lagGoalMs = 1_000;

/** The goal is the rate of offered calls; the row of the highest rate has none. */
export const showIngest = (rows: readonly IngestFigures[]): void =>
  showTable(
    [
      ...['offered', 'calls/s', 'p50 ms', 'p99 ms', 'lag p50 ms', 'lag p99 ms', 'looked for', 'failed'],
      ...['CPU ms per call', 'all, lag p99 < 1 s'],
    ],
    rows.map(({ offered, perSecond, p50, p99, lagP50, lagP99, looked, failures, costs }) => [
      offered === undefined ? 'as many as go' : `${offered}/s`,
      ...[Math.round(perSecond), shown(p50), shown(p99), shown(lagP50), shown(lagP99), looked, failures],
      sumOf(costs).toFixed(1),
      offered === undefined ? '' : met(perSecond >= 0.99 * offered && lagP99 < lagGoalMs && failures === 0),
    ]),
  );

export const showRebuild = (rows: readonly RebuildFigures[]): void =>
  showTable(
    ['read model', 'same content', 'pages read', 'p99 ms', 'failed', 'es:rebuild', 'same, none failed'],
    rows.map(({ name, isSame, reads, p99, failures, said }) => [
      ...[name, isSame ? 'yes' : 'NO', reads, shown(p99), failures.join('\n') || 0, said],
      met(isSame && failures.length === 0),
    ]),
  );
