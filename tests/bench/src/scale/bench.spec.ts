import { describe, expect, it } from '@jest/globals';
import { installationFor, parseReplicas } from './bench.js';

describe('parseReplicas', () => {
  it('takes numbers of replicas by part', () => {
    expect(parseReplicas('gateway=3, calls-logs=2')).toEqual({ gateway: 3, 'calls-logs': 2 });
  });

  it('names the part that does not exist', () => {
    expect(() => parseReplicas('mongodb=2')).toThrow('"mongodb"');
  });

  it.each(['dialer', 'dialer=0', 'dialer=1.5', 'dialer=x'])(
    'refuses %s, which is no number of replicas',
    (text) => {
      expect(() => parseReplicas(text)).toThrow('--replicas: dialer takes a whole number');
    },
  );
});

describe('installationFor', () => {
  it('provides the cores and replicas that a load takes', () => {
    const { cores, threads } = installationFor({ perSecond: 167 });
    expect(cores).toBeGreaterThan(16);
    expect(threads.dialer).toBeGreaterThan(1);
  });

  it('has one replica of each part where the cores carry no more', () => {
    const { threads } = installationFor({ perSecond: 167, cores: 2 });
    expect(new Set(Object.values(threads))).toEqual(new Set([1]));
  });

  it('prefers the replicas that it is given', () => {
    expect(installationFor({ perSecond: 10, replicas: { nats: 9 } }).threads.nats).toBe(9);
  });
});
