// A discrete-event simulation of a network of queues. Jobs arrive at random and visit stations in a fixed order. A visit needs a
// free thread of its station and a free core; of those that could begin, the one that has waited longest does.
import { Agenda } from './agenda.js';
import { exponential, randomNumbers } from './random.js';

export interface Station {
  readonly name: string;
  /** Visits that can be served at the same time. */
  readonly threads: number;
}

export interface Visit {
  readonly station: string;
  /** The mean time of a core. */
  readonly ms: number;
}

/** `exponential` has a standard deviation as large as its mean; `constant` has none. */
export type ServiceTimes = 'exponential' | 'constant';

export interface Network {
  readonly stations: readonly Station[];
  readonly visits: readonly Visit[];
  /** Cores that all stations share. */
  readonly cores: number;
  readonly serviceTimes: ServiceTimes;
}

export interface Run {
  /** Jobs that arrive each second. */
  readonly perSecond: number;
  readonly jobs: number;
  readonly seed: number;
}

export interface StationLoad {
  readonly name: string;
  /** Share of the threads' time in which they serve. */
  readonly utilization: number;
  /** Mean waiting time of a visit. */
  readonly meanWaitMs: number;
}

export interface Outcome {
  readonly stations: readonly StationLoad[];
  /** Share of the cores' time that is used. */
  readonly utilization: number;
  /** Waiting time of a job at all of its visits together, of each job in the order of their ends. */
  readonly waits: readonly number[];
  /** Time from arrival to the end of the last visit. */
  readonly times: readonly number[];
}

/** Jobs at the beginning that meet an emptier network than later ones do, as a share of all. */
const warmUp = 0.1;

interface Job {
  readonly arrivedAt: number;
  readonly isCounted: boolean;
  visit: number;
  waitedMs: number;
  queuedAt: number;
  /** The order in which visits began to wait. */
  ticket: number;
}

interface Event {
  readonly at: number;
  /** Undefined: the next job arrives. */
  readonly served?: Job;
}

class Queue {
  readonly waiting: Job[] = [];
  #first = 0;
  busy = 0;
  busyMs = 0;
  waitMs = 0;
  served = 0;

  constructor(readonly station: Station) {}

  get head(): Job | undefined {
    return this.waiting[this.#first];
  }

  /** Removes the head. The array is cut when half of it is gone, so that a long queue costs no more per job. */
  take(): void {
    this.#first += 1;
    if (this.#first * 2 < this.waiting.length) return;
    this.waiting.splice(0, this.#first);
    this.#first = 0;
  }
}

class Simulation {
  readonly #network: Network;
  readonly #run: Run;
  readonly #random: () => number;
  readonly #agenda = new Agenda<Event>();
  readonly #queues: ReadonlyMap<string, Queue>;
  readonly #waits: number[] = [];
  readonly #times: number[] = [];
  #arrived = 0;
  #tickets = 0;
  #busyCores = 0;
  /** The measured time begins with the first job that is counted and ends with the last arrival. */
  #begin = 0;
  #end = Number.POSITIVE_INFINITY;

  constructor(network: Network, run: Run) {
    this.#network = network;
    this.#run = run;
    this.#random = randomNumbers(run.seed);
    this.#queues = new Map(network.stations.map((station) => [station.name, new Queue(station)]));
    for (const { station } of network.visits) this.#queueOf(station);
  }

  outcome(): Outcome {
    this.#agenda.add({ at: this.#untilNextArrival() });
    for (let event = this.#agenda.next(); event !== undefined; event = this.#agenda.next()) {
      if (event.served === undefined) this.#arrive(event.at);
      else this.#leave(event.served, event.at);
      this.#serveWaiting(event.at);
    }
    const measuredMs = this.#end - this.#begin;
    const queues = [...this.#queues.values()];
    const stations = queues.map(({ station, busyMs, waitMs, served }) => ({
      name: station.name,
      utilization: busyMs / measuredMs / station.threads,
      meanWaitMs: served === 0 ? 0 : waitMs / served,
    }));
    const usedMs = queues.reduce((sum, { busyMs }) => sum + busyMs, 0);
    const utilization = usedMs / measuredMs / this.#network.cores;
    return { stations, utilization, waits: this.#waits, times: this.#times };
  }

  #queueOf(name: string): Queue {
    const queue = this.#queues.get(name);
    if (queue === undefined) throw new Error(`a job visits "${name}", and there is no such station`);
    return queue;
  }

  #untilNextArrival(): number {
    return exponential(this.#random, 1_000 / this.#run.perSecond);
  }

  #arrive(at: number): void {
    const { jobs } = this.#run;
    const isCounted = this.#arrived >= jobs * warmUp;
    if (isCounted && this.#begin === 0) this.#begin = at;
    this.#arrived += 1;
    if (this.#arrived < jobs) this.#agenda.add({ at: at + this.#untilNextArrival() });
    else this.#end = at;
    this.#queue({ arrivedAt: at, isCounted, visit: 0, waitedMs: 0, queuedAt: at, ticket: 0 }, at);
  }

  /** The job waits for its next visit, or is over. */
  #queue(job: Job, at: number): void {
    const visit = this.#network.visits[job.visit];
    if (visit === undefined) {
      if (!job.isCounted) return;
      this.#waits.push(job.waitedMs);
      this.#times.push(at - job.arrivedAt);
      return;
    }
    job.queuedAt = at;
    job.ticket = this.#tickets++;
    this.#queueOf(visit.station).waiting.push(job);
  }

  #leave(job: Job, at: number): void {
    const visit = this.#network.visits[job.visit] as Visit;
    this.#queueOf(visit.station).busy -= 1;
    this.#busyCores -= 1;
    job.visit += 1;
    this.#queue(job, at);
  }

  #serveWaiting(at: number): void {
    while (this.#busyCores < this.#network.cores) {
      const queue = this.#longestWaiting();
      if (queue === undefined) return;
      this.#serve(queue, at);
    }
  }

  #longestWaiting(): Queue | undefined {
    let chosen: Queue | undefined;
    for (const queue of this.#queues.values()) {
      const { head } = queue;
      if (head === undefined || queue.busy >= queue.station.threads) continue;
      if (chosen?.head === undefined || head.ticket < chosen.head.ticket) chosen = queue;
    }
    return chosen;
  }

  #serve(queue: Queue, at: number): void {
    const job = queue.head as Job;
    queue.take();
    const { ms } = this.#network.visits[job.visit] as Visit;
    const tookMs = this.#network.serviceTimes === 'constant' ? ms : exponential(this.#random, ms);
    queue.busy += 1;
    this.#busyCores += 1;
    const waitedMs = at - job.queuedAt;
    job.waitedMs += waitedMs;
    // Work of the warm-up and after the last arrival is cut off where it overlaps the measured time.
    const measuredFrom = this.#begin === 0 ? Number.POSITIVE_INFINITY : Math.max(at, this.#begin);
    queue.busyMs += Math.max(0, Math.min(at + tookMs, this.#end) - measuredFrom);
    if (job.isCounted) {
      queue.waitMs += waitedMs;
      queue.served += 1;
    }
    this.#agenda.add({ at: at + tookMs, served: job });
  }
}

/** @throws Error when a visit names no station */
export const simulate = (network: Network, run: Run): Outcome => new Simulation(network, run).outcome();
