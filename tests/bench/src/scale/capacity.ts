// How many cores and replicas a load takes, and the load from which waiting grows faster than work.
import { percentile } from '../calls/requests.js';
import { type Costs, callCosts, type StationName, stationNames, totalOf, visitsOfCall } from './costs.js';
import { type Network, type Outcome, simulate } from './simulation.js';

/** Threads by station: replicas of our own processes, which have one each, and cores of an engine. */
export type Threads = Readonly<Record<StationName, number>>;

/** Share of a core's time that is planned for; the rest is for bursts. */
export const plannedUtilization = 0.7;

/** Cores that are busy all the time (Little's law: arrivals by service time). */
export const busyCores = (perSecond: number, ms: number): number => (perSecond * ms) / 1_000;

/** Cores to provide, so that they are busy for the planned share. */
export const coresFor = (perSecond: number, ms: number): number =>
  Math.max(1, Math.ceil(busyCores(perSecond, ms) / plannedUtilization));

/** A read model is written by one replica, however many there are. */
const replicasOfProjection = 1;

export const threadsFor = (perSecond: number, costs: Costs = callCosts): Threads => {
  const threads = Object.fromEntries(stationNames.map((name) => [name, coresFor(perSecond, costs[name])]));
  return { ...(threads as Threads), projection: replicasOfProjection }; // one entry for each name
};

export interface Installation {
  readonly cores: number;
  readonly threads: Threads;
}

export interface Ceiling {
  readonly perSecond: number;
  /** `cores`, or the station whose threads are busy all the time first. */
  readonly at: StationName | 'cores';
}

/** The load at which the first part has no time left. */
export const ceilingOf = ({ cores, threads }: Installation, costs: Costs = callCosts): Ceiling => {
  const ceilings: Ceiling[] = [
    { perSecond: (1_000 * cores) / totalOf(costs), at: 'cores' },
    ...stationNames.map((at) => ({ perSecond: (1_000 * threads[at]) / costs[at], at })),
  ];
  return ceilings.reduce((lowest, one) => (one.perSecond < lowest.perSecond ? one : lowest));
};

export interface LoadRow {
  readonly perSecond: number;
  readonly utilization: Readonly<Record<StationName | 'cores', number>>;
  /** The part with the highest utilization. */
  readonly bottleneck: StationName | 'cores';
  readonly waitP50: number;
  readonly waitP99: number;
  readonly timeP99: number;
}

export interface Sampling {
  /** Calls that are simulated for each load. */
  readonly calls: number;
  readonly seed: number;
}

const rowOf = (perSecond: number, { stations, utilization: ofCores, waits, times }: Outcome): LoadRow => {
  const parts: [StationName | 'cores', number][] = [
    ['cores', ofCores],
    ...stations.map(({ name, utilization }): [StationName, number] => [name as StationName, utilization]),
  ];
  const [bottleneck] = parts.reduce((highest, part) => (part[1] > highest[1] ? part : highest));
  return {
    perSecond,
    utilization: Object.fromEntries(parts) as LoadRow['utilization'],
    bottleneck,
    waitP50: percentile(waits, 0.5),
    waitP99: percentile(waits, 0.99),
    timeP99: percentile(times, 0.99),
  };
};

export const simulateLoad = (
  { cores, threads }: Installation,
  perSecond: number,
  { calls, seed }: Sampling,
): LoadRow => {
  const network: Network = {
    stations: stationNames.map((name) => ({ name, threads: threads[name] })),
    visits: visitsOfCall,
    cores,
    serviceTimes: 'exponential',
  };
  return rowOf(perSecond, simulate(network, { perSecond, jobs: calls, seed }));
};

/**
 * The first load at which the slowest hundredth of calls takes twice as long as at the first load of all; undefined when none does.
 * @param rows from the lightest load on
 */
export const kneeOf = (rows: readonly LoadRow[]): LoadRow | undefined => {
  const [lightest] = rows;
  return lightest && rows.find(({ timeP99 }) => timeP99 >= 2 * lightest.timeP99);
};
