import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  loadRegistry,
  parseRegistry,
  type Registry,
  registryProblems,
  servicesFile,
  withReferences,
  withTables,
  withTargets,
} from './index.js';

const registry = loadRegistry();
const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** The registry as written, with one process changed. */
const changed = (name: string, change: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({
    ...registry,
    processes: registry.processes.map((row) => (row.name === name ? { ...row, ...change } : row)),
  });

const withService: Registry = parseRegistry(
  JSON.stringify({
    ...registry,
    processes: [
      ...registry.processes,
      {
        name: 'billing',
        folder: 'services/billing',
        package: '@parlance/billing',
        role: 'billing',
        reaches: ['postgres', 'nats', 'telemetry'],
      },
    ],
  }),
);

describe('deploy/services.json', () => {
  it('is a registry without problems', () => {
    expect(registryProblems(registry)).toEqual([]);
  });

  it('is what libs/contracts, the compiler, Prometheus and the documentation have', () => {
    const { path, content } = servicesFile(registry);
    expect(read(path)).toBe(content);
    for (const [file, write] of [
      ['tsconfig.json', withReferences],
      ['deploy/observability/prometheus/prometheus.yml', withTargets],
      ['docs/operations.md', withTables],
      ['docs/kubernetes.md', withTables],
    ] as const)
      expect(write(registry, read(file))).toBe(read(file));
  });

  it.each([
    ['a wrong type', { replicas: 'two' }, 'deploy/services.json: widgets, field replicas: '],
    ['no replicas', { replicas: 0 }, 'deploy/services.json: widgets, field replicas: '],
    ['an unknown field', { replica: 2 }, 'deploy/services.json: widgets: Unrecognized key: "replica"'],
    ['an unknown destination', { reaches: ['redis'] }, 'deploy/services.json: widgets, field reaches.0: '],
    ['an amount without a unit', { scratch: '64' }, 'field scratch: must be an amount of memory'],
    ['a name in capitals', { name: 'Widgets' }, 'must be lower case words joined by hyphens'],
    ['no role', { role: undefined }, 'deploy/services.json: widgets, field role: '],
  ])('refuses a row with %s in one sentence', (_, change, sentence) => {
    expect(() => parseRegistry(changed('widgets', change))).toThrow(sentence);
  });

  it('refuses text that is not JSON', () => {
    expect(() => parseRegistry('{')).toThrow(/^deploy\/services\.json is not JSON: /);
  });

  it.each([
    [
      'two rows with one database role',
      parseRegistry(changed('widgets', { role: 'gateway' })),
      'there are two rows with the database role gateway',
    ],
    [
      'two rows with one name',
      parseRegistry(changed('widgets', { name: 'gateway', role: 'other' })),
      'there are two rows with the name gateway',
    ],
    [
      'bounds in the wrong order',
      parseRegistry(
        changed('gateway', { scaling: { metric: 'cpu', targetPercent: 60, minReplicas: 3, maxReplicas: 2 } }),
      ),
      'the row gateway has more replicas at least than at most',
    ],
    [
      'visitors of a process without a port',
      parseRegistry(changed('widgets', { visitors: ['ingress'] })),
      'the row widgets has visitors and no port',
    ],
    [
      'a destination without a port',
      parseRegistry(changed('gateway', { ports: undefined, visitors: [] })),
      'the row mcp-facade reaches gateway, which has no port',
    ],
  ])('refuses %s in one sentence', (_, rows, sentence) => {
    expect(registryProblems(rows)).toEqual([`deploy/services.json: ${sentence}`]);
  });
});

describe('a new row', () => {
  it('brings the service into libs/contracts, with a user on NATS', () => {
    const { content } = servicesFile(withService);
    expect(content).toContain("  'billing',\n] as const;");
    const added = content.slice(content.indexOf("name: 'billing'")).replaceAll(/\s+/g, ' ');
    expect(added).toMatch(/^name: 'billing', package: '@parlance\/billing', role: 'billing', usesNats: true/);
  });

  it('brings the service to the compiler and to Prometheus, and takes a removed one away', () => {
    const project = withReferences(withService, read('tsconfig.json'));
    expect(project).toContain('"path": "services/billing"');
    expect(withReferences(registry, project)).not.toContain('services/billing');
    const targets = withTargets(withService, read('deploy/observability/prometheus/prometheus.yml'));
    expect(targets).toMatch(/- widgets\n +- billing\n/);
  });

  it('brings the service into the tables of the documentation', () => {
    const page = '<!-- generated: scaling -->\n<!-- end -->\n| <!-- generated: containers --><!-- end --> |';
    const written = withTables(withService, page);
    expect(written).toContain('| `billing` | 100m, 256Mi | 2, 768Mi | 2 | `replicas` |');
    expect(written).toContain('`agents-config`, `billing`, `calls-logs`');
    expect(withTables(withService, written)).toBe(written);
    expect(() => withTables(registry, '<!-- generated: none --><!-- end -->')).toThrow(
      'no generated table none',
    );
  });
});
