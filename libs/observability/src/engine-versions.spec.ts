import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { StartRefusal } from '@parlance/config';
import {
  type Engine,
  isSupported,
  refuseOldEngine,
  startVersionWatch,
  supportedFrom,
} from './engine-versions.js';
import { createLogger } from './logging/logger.js';

afterEach(() => {
  jest.useRealTimers();
});

describe('the version of an engine', () => {
  it.each<[Engine, string, boolean]>([
    ['EventStoreDB', '23.10.7-preview1', true],
    ['EventStoreDB', '24.2.0', true],
    ['EventStoreDB', '23.6.9', false],
    ['EventStoreDB', 'unknown', false],
    ['NATS', '2.12.4', true],
    ['NATS', '2.8.4', false],
    ['PostgreSQL', '15.18 (Debian 15.18-0+deb12u1)', true],
    ['PostgreSQL', '18beta1', true],
    ['PostgreSQL', '14.9', false],
    ['MongoDB', '7.0.42', true],
    ['MongoDB', '6.0.19', false],
  ])('of %s, %s, counts as supported: %s', (engine, version, supported) => {
    expect(isSupported(engine, version)).toBe(supported);
  });

  it('that is too old is logged once with the remedy, and told until the engine is upgraded', async () => {
    const lines: string[] = [];
    const logger = createLogger({ service: 'test', destination: { write: (line) => lines.push(line) } });
    const watch = startVersionWatch({ engine: 'NATS', read: async () => '2.8.4', logger });
    await new Promise(setImmediate);
    expect(watch.trouble?.()).toBe('NATS is older than 2.9, the oldest supported: upgrade it');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      {
        level: 'warn',
        engine: 'NATS',
        version: '2.8.4',
        supportedFrom: '2.9',
        msg: expect.stringContaining('upgrade'),
      },
    ]);
    await watch.stop();
  });

  it('that is not known is no trouble', async () => {
    const logger = createLogger({ service: 'test', level: 'silent' });
    const read = async (): Promise<string> => {
      throw new Error('away');
    };
    const watch = startVersionWatch({ engine: 'MongoDB', read, logger });
    await new Promise(setImmediate);
    expect(watch.trouble?.()).toBeUndefined();
    await watch.stop();
  });

  it('that is too old refuses the start of a process, with the version and the remedy', async () => {
    const refused = refuseOldEngine('MongoDB', async () => '6.0.19');
    await expect(refused).rejects.toBeInstanceOf(StartRefusal);
    await expect(refused).rejects.toThrow(
      'MongoDB 6.0.19 is older than 7.0, the oldest supported: upgrade it',
    );
    await expect(refuseOldEngine('MongoDB', async () => '7.0.2')).resolves.toBeUndefined();
  });

  it('that an engine does not tell, or not in two seconds, refuses no start', async () => {
    jest.useFakeTimers();
    await expect(refuseOldEngine('NATS', async () => undefined)).resolves.toBeUndefined();
    await expect(refuseOldEngine('NATS', () => Promise.reject(new Error('away')))).resolves.toBeUndefined();
    const waiting = refuseOldEngine('EventStoreDB', () => new Promise(() => undefined));
    await jest.advanceTimersByTimeAsync(2_000);
    await expect(waiting).resolves.toBeUndefined();
  });

  it('is documented as it is demanded', () => {
    const operations = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    for (const [engine, version] of Object.entries(supportedFrom))
      expect(operations).toContain(`| ${engine} | ${version} |`);
  });
});
