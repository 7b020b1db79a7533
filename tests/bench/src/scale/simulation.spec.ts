import { describe, expect, it } from '@jest/globals';
import { percentile } from '../calls/requests.js';
import { randomNumbers } from './random.js';
import { type Network, simulate } from './simulation.js';

const seed = 7;
const jobs = 100_000;
/** Simulated means of so many jobs come this close to the true ones. */
const tolerance = 0.05;

const station = (threads: number, cores: number, serviceTimes: Network['serviceTimes'] = 'exponential') => ({
  stations: [{ name: 'one', threads }],
  visits: [{ station: 'one', ms: 10 }],
  cores,
  serviceTimes,
});

const meanWait = (network: Network, perSecond: number, own = seed): number =>
  simulate(network, { perSecond, jobs, seed: own }).stations[0]?.meanWaitMs ?? Number.NaN;

const expectNear = (measured: number, expected: number): void => {
  expect(measured).toBeGreaterThan(expected * (1 - tolerance));
  expect(measured).toBeLessThan(expected * (1 + tolerance));
};

/** Probability that a job has to wait in M/M/c, where `offered` is the mean number of busy servers (Erlang's C formula). */
const erlangC = (servers: number, offered: number): number => {
  let term = 1;
  let sum = 1;
  for (let n = 1; n < servers; n += 1) {
    term *= offered / n;
    sum += term;
  }
  const last = ((term * offered) / servers) * (servers / (servers - offered));
  return last / (sum + last);
};

describe('simulate', () => {
  it.each([0.5, 0.8])('waits as long as M/M/1 does at a utilization of %d', (utilization) => {
    expectNear(meanWait(station(1, 1), utilization * 100), (10 * utilization) / (1 - utilization));
  });

  it.each([2, 4, 16])('waits as long as M/M/c does with %d servers', (servers) => {
    const [utilization, seeds] = [0.8, [1, 2, 3, 4, 5, 6]];
    const expected = (erlangC(servers, servers * utilization) * 10) / (servers * (1 - utilization));
    // Few jobs wait where servers are many, so one run says little about their mean.
    const waits = seeds.map((own) => meanWait(station(servers, servers), servers * utilization * 100, own));
    expectNear(waits.reduce((sum, wait) => sum + wait, 0) / seeds.length, expected);
  });

  it('gives the same waits when cores are scarce as when threads are', () => {
    const byThreads = meanWait(station(4, Number.POSITIVE_INFINITY), 360);
    expect(meanWait(station(Number.POSITIVE_INFINITY, 4), 360)).toBe(byThreads);
  });

  it('waits half as long as M/M/1 when service times are constant, as M/D/1 does', () => {
    expectNear(meanWait(station(1, 1, 'constant'), 80), (10 * 0.8) / (2 * (1 - 0.8)));
  });

  it('waits at each of two stations in a row as if it were alone, as Burke proved', () => {
    const stations = ['first', 'second'].map((name) => ({ name, threads: 1 }));
    const visits = stations.map(({ name }) => ({ station: name, ms: 10 }));
    const cores = Number.POSITIVE_INFINITY;
    const outcome = simulate(
      { stations, visits, cores, serviceTimes: 'exponential' },
      { perSecond: 80, jobs, seed },
    );
    for (const { meanWaitMs } of outcome.stations) expectNear(meanWaitMs, 40);
  });

  it('uses threads and cores as long as the arrivals and the service times say', () => {
    const outcome = simulate(station(2, 4), { perSecond: 120, jobs, seed });
    expectNear(outcome.stations[0]?.utilization ?? Number.NaN, 0.6);
    expectNear(outcome.utilization, 0.3);
  });

  it('keeps Little’s law: jobs in the network are arrivals by the time of a job', () => {
    const { times } = simulate(station(1, 1), { perSecond: 80, jobs, seed });
    const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length;
    // M/M/1 has 0.8 / (1 - 0.8) = 4 jobs inside.
    expectNear((80 * mean) / 1_000, 4);
  });

  it('has the 99th percentile of M/M/1, whose times are exponential', () => {
    const { times } = simulate(station(1, 1), { perSecond: 80, jobs, seed });
    expectNear(percentile(times, 0.99), 50 * Math.log(100));
  });

  it('gives the same outcome for the same seed, and another for another one', () => {
    const outcome = (own: number) => simulate(station(1, 1), { perSecond: 80, jobs: 1_000, seed: own }).times;
    expect(outcome(1)).toEqual(outcome(1));
    expect(outcome(1)).not.toEqual(outcome(2));
  });

  it('refuses a visit to a station that is not there', () => {
    const network = { ...station(1, 1), visits: [{ station: 'other', ms: 1 }] };
    expect(() => simulate(network, { perSecond: 1, jobs: 1, seed })).toThrow('"other"');
  });
});

describe('randomNumbers', () => {
  it('are spread evenly between 0 and 1', () => {
    const random = randomNumbers(seed);
    const counts = new Array<number>(10).fill(0);
    for (let n = 0; n < 100_000; n += 1) {
      const tenth = Math.floor(random() * 10);
      counts[tenth] = (counts[tenth] ?? 0) + 1;
    }
    for (const count of counts) expectNear(count, 10_000);
  });
});
