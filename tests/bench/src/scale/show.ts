// The demand of a load, and the waiting that it causes, as tables.
import { shown } from '../calls/requests.js';
import { showTable } from '../harness/report.js';
import { busyCores, type Ceiling, type Installation, type LoadRow } from './capacity.js';
import {
  attemptCosts,
  busyCallCosts,
  busyIngestCosts,
  type Costs,
  callCosts,
  ingestCosts,
  stationNames,
  totalOf,
} from './costs.js';
import type { Limit } from './limits.js';

const percent = (share: number): string => `${(share * 100).toFixed(0)} %`;
const rate = (perSecond: number): string => perSecond.toFixed(perSecond < 100 ? 1 : 0);

export const showDemand = (perSecond: number, { cores, threads }: Installation): void => {
  const row = (name: string, ms: (costs: Costs) => number, provided: number): (string | number)[] => [
    name,
    ms(callCosts).toFixed(1),
    busyCores(perSecond, ms(callCosts)).toFixed(1),
    ms(busyCallCosts).toFixed(1),
    busyCores(perSecond, ms(busyCallCosts)).toFixed(1),
    provided,
  ];
  const load = `${rate(perSecond)} calls/s`;
  showTable(
    ['part', 'ms per call', `cores busy, ${load}`, 'ms, batched', `cores busy, ${load}`, 'provided'],
    [
      ...stationNames.map((name) => row(name, (costs) => costs[name], threads[name])),
      row('all', totalOf, cores),
    ],
  );
};

/** One core that has nothing else to do and is never idle. */
export const showOneCore = (): void => {
  const carried = (costs: Costs): string => rate(1_000 / totalOf(costs));
  console.log(
    `One core has time for ${carried(callCosts)} calls a second, or ${carried(attemptCosts)} attempts, or ` +
      `${carried(ingestCosts)} finished calls that are handed over (${carried(busyIngestCosts)} when they share transactions).`,
  );
};

export const showLoads = (rows: readonly LoadRow[]): void =>
  showTable(
    ['calls/s', ...stationNames, 'cores', 'wait p50 ms', 'wait p99 ms', 'time p99 ms', 'bottleneck'],
    rows.map(({ perSecond, utilization, waitP50, waitP99, timeP99, bottleneck }) => [
      rate(perSecond),
      ...stationNames.map((name) => percent(utilization[name])),
      percent(utilization.cores),
      ...[waitP50, waitP99, timeP99].map(shown),
      bottleneck,
    ]),
  );

export const showLimits = (perSecond: number, limits: readonly Limit[]): void =>
  showTable(
    ['setting', 'default', 'calls/s that it lets through', `value for ${rate(perSecond)} calls/s`],
    limits.map(({ variable, standard, perSecond: letThrough, needed }) => [
      ...[variable, standard.toLocaleString('en'), rate(letThrough), needed.toLocaleString('en')],
    ]),
  );

interface Verdict {
  readonly perSecond: number;
  readonly ceiling: Ceiling;
  readonly knee: LoadRow | undefined;
  /** Undefined when the load is above the ceiling. */
  readonly asked: LoadRow | undefined;
}

export const showCeiling = ({ perSecond, ceiling, knee, asked }: Verdict): void => {
  console.log(`Ceiling: ${rate(ceiling.perSecond)} calls a second, where ${ceiling.at} has no time left.`);
  console.log(
    knee === undefined
      ? 'Knee: none below the ceiling.'
      : `Knee: ${rate(knee.perSecond)} calls a second (${percent(knee.perSecond / ceiling.perSecond)} of it): from there the slowest ` +
          `hundredth takes twice as long as at a light load, because of ${knee.bottleneck}.`,
  );
  console.log(
    asked === undefined
      ? `${rate(perSecond)} calls a second are above the ceiling: waiting would grow without end.`
      : `At ${rate(perSecond)} calls a second a call waits ${shown(asked.waitP50)} ms (p50) and ${shown(asked.waitP99)} ms (p99) in all, most at ${asked.bottleneck}.`,
  );
};
