// npm run bench -- scale: queues of the parts of the platform, simulated from the measured processor time of a call. It needs
// no platform and takes seconds.
import {
  ceilingOf,
  coresFor,
  type Installation,
  kneeOf,
  type LoadRow,
  plannedUtilization,
  simulateLoad,
  type Threads,
  threadsFor,
} from './capacity.js';
import { callCosts, type StationName, stationNames, totalOf } from './costs.js';
import { type Durations, limitsAt } from './limits.js';
import { showCeiling, showDemand, showLimits, showLoads, showOneCore } from './show.js';

export interface ScaleBenchOptions {
  readonly perSecond: number;
  /** Cores of the whole installation; undefined: as many as the load takes. */
  readonly cores?: number;
  /** In place of those that the load takes. */
  readonly replicas?: Partial<Threads>;
  readonly seed: number;
  readonly durations: Durations;
}

const simulatedCalls = 40_000;
/** Loads of the table, as shares of the ceiling. */
const shares = [0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95];

/**
 * Reads `gateway=3,dialer=2`.
 * @throws Error that names the part, or the number, that is not understood
 */
export const parseReplicas = (text: string): Partial<Threads> =>
  Object.fromEntries(
    text.split(',').map((entry): [StationName, number] => {
      const [name = '', count = ''] = entry.split('=');
      const station = stationNames.find((known) => known === name.trim());
      if (station === undefined)
        throw new Error(`--replicas: there is no part "${name}", only ${stationNames.join(', ')}`);
      if (!/^[1-9]\d{0,4}$/.test(count))
        throw new Error(`--replicas: ${station} takes a whole number from 1 on, not "${count}"`);
      return [station, Number(count)];
    }),
  );

export const installationFor = ({
  perSecond,
  cores,
  replicas,
}: Pick<ScaleBenchOptions, 'perSecond' | 'cores' | 'replicas'>): Installation => {
  const total = totalOf(callCosts);
  // On fewer cores than the load takes, the parts are sized for what the cores carry.
  const carried =
    cores === undefined ? perSecond : Math.min(perSecond, (plannedUtilization * 1_000 * cores) / total);
  return {
    cores: cores ?? coresFor(perSecond, total),
    threads: { ...threadsFor(carried), ...replicas },
  };
};

/** Simulates and prints. */
export const benchScale = (options: ScaleBenchOptions): void => {
  const { perSecond, seed, durations } = options;
  const installation = installationFor(options);
  const ceiling = ceilingOf(installation);
  const sampling = { calls: simulatedCalls, seed };
  showOneCore();
  showDemand(perSecond, installation);
  const rows: LoadRow[] = shares.map((share) =>
    simulateLoad(installation, ceiling.perSecond * share, sampling),
  );
  showLoads(rows);
  const asked = perSecond < ceiling.perSecond ? simulateLoad(installation, perSecond, sampling) : undefined;
  showLimits(perSecond, limitsAt(perSecond, installation.threads.dialer, durations));
  showCeiling({ perSecond, ceiling, knee: kneeOf(rows), asked });
};
