import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { compactYaml } from './compact-yaml.js';

describe('compactYaml', () => {
  it('writes what fits on a line on one line, and begins a line with each field of the object', () => {
    const ports = [{ name: 'http', containerPort: 4700 }];
    expect(
      compactYaml({
        kind: 'Pod',
        spec: { containers: [{ name: 'gateway', args: ['a'.repeat(120)], ports }] },
      }),
    ).toBe(
      [
        'kind: Pod',
        'spec:',
        '  containers:',
        '    - name: gateway',
        `      args: [ ${'a'.repeat(120)} ]`,
        '      ports: [ { name: http, containerPort: 4700 } ]',
        '',
      ].join('\n'),
    );
  });

  it('quotes what Kubernetes would read as something else than a text', () => {
    const value = { labels: { 'reaches-nats': 'yes', off: 'off', count: '2', mode: '0440', empty: '' } };
    expect(parse(compactYaml(value), { version: '1.1' })).toEqual(value);
  });

  it('quotes what other parsers do not read between brackets', () => {
    expect(
      compactYaml({
        env: [
          { name: 'VGW_PORT', value: ':9000' },
          { name: 'HOME', value: '/tmp' },
        ],
      }),
    ).toBe('env: [ { name: VGW_PORT, value: ":9000" }, { name: HOME, value: /tmp } ]\n');
  });

  it('keeps texts of several lines, and long lists of words, as they are', () => {
    const value = {
      data: { 'nats.conf': 'port: 4222\n\nhttp: 8222\n' },
      permissions: {
        allow: Array.from({ length: 40 }, (_, index) => `parlance.rpc.calls-logs.calls_${index}`),
        deny: ['>'],
      },
    };
    const text = compactYaml(value);
    expect(parse(text, { version: '1.1' })).toEqual(value);
    expect(text).toContain('  nats.conf: |\n    port: 4222\n');
    expect(text.split('\n').length).toBeLessThan(25);
  });
});
