import { describe, expect, it } from '@jest/globals';
import {
  busyCores,
  ceilingOf,
  coresFor,
  type Installation,
  kneeOf,
  type LoadRow,
  simulateLoad,
  threadsFor,
} from './capacity.js';
import { callCosts, totalOf, visitsOfCall } from './costs.js';

const perSecond = 20;
const installation: Installation = {
  cores: coresFor(perSecond, totalOf(callCosts)),
  threads: threadsFor(perSecond),
};
const sampling = { calls: 4_000, seed: 3 };

describe('visitsOfCall', () => {
  it('take as much processor time as was measured for a call', () => {
    const ms = visitsOfCall.reduce((sum, visit) => sum + visit.ms, 0);
    expect(ms).toBeCloseTo(totalOf(callCosts), 6);
    expect(ms).toBeCloseTo(62 + 34.9, 6);
  });
});

describe('coresFor', () => {
  it('leaves three tenths of the time of all cores', () => {
    expect(busyCores(100, 35)).toBe(3.5);
    expect(coresFor(100, 35)).toBe(5);
    expect(coresFor(1, 1)).toBe(1);
  });
});

describe('threadsFor', () => {
  it('has one thread for the read model, which one replica writes', () => {
    expect(threadsFor(10_000).projection).toBe(1);
  });
});

describe('ceilingOf', () => {
  it('names the cores when every part has threads to spare', () => {
    const { perSecond: ceiling, at } = ceilingOf({ ...installation, cores: 1 });
    expect(at).toBe('cores');
    expect(ceiling).toBeCloseTo(1_000 / totalOf(callCosts), 6);
  });

  it('names the part whose only replica is busy first', () => {
    const threads = { ...threadsFor(10 * perSecond), dialer: 1 };
    expect(ceilingOf({ cores: 100, threads }).at).toBe('dialer');
  });
});

describe('simulateLoad', () => {
  const ceiling = ceilingOf(installation).perSecond;

  it('uses the parts for the share of time that Little’s law gives', () => {
    const row = simulateLoad(installation, perSecond, sampling);
    expect(row.utilization.cores).toBeCloseTo(
      busyCores(perSecond, totalOf(callCosts)) / installation.cores,
      1,
    );
  });

  it('waits long for the part that the ceiling names, just below it', () => {
    const threads = { ...threadsFor(10 * perSecond), postgres: 1 };
    const scarce = { cores: 100, threads };
    const near = simulateLoad(scarce, ceilingOf(scarce).perSecond * 0.95, sampling);
    expect(near.bottleneck).toBe('postgres');
    const far = simulateLoad(scarce, ceilingOf(scarce).perSecond * 0.3, sampling);
    expect(near.waitP99).toBeGreaterThan(4 * far.waitP99);
  });

  it('has its knee between a third of the ceiling and the ceiling', () => {
    const loads = [0.3, 0.5, 0.7, 0.9, 0.99].map((share) => ceiling * share);
    const knee = kneeOf(loads.map((load) => simulateLoad(installation, load, sampling)));
    expect(knee?.perSecond).toBeGreaterThan(ceiling / 3);
    expect(knee?.perSecond).toBeLessThan(ceiling);
  });
});

describe('kneeOf', () => {
  const row = (load: number, timeP99: number) => ({ perSecond: load, timeP99 }) as LoadRow;

  it('is the first load at which the slowest calls take twice as long', () => {
    expect(kneeOf([row(10, 100), row(20, 199), row(30, 200), row(40, 900)])?.perSecond).toBe(30);
  });

  it('is undefined when no load is heavy enough', () => {
    expect(kneeOf([row(10, 100), row(20, 150)])).toBeUndefined();
    expect(kneeOf([])).toBeUndefined();
  });
});
