import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type Engine, isSupported, startVersionWatch, supportedFrom } from './engine-versions.js';
import { createLogger } from './logger.js';

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

  it('is documented as it is demanded', () => {
    const operations = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    for (const [engine, version] of Object.entries(supportedFrom))
      expect(operations).toContain(`| ${engine} | ${version} |`);
  });
});
