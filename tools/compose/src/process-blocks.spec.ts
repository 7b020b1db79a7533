import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { loadRegistry } from '@parlance/registry';
import { parseCompose } from './compose-file.js';
import { withNatsServers, withProcesses } from './process-blocks.js';
import { processes } from './processes.js';

const registry = loadRegistry();
const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const compose = read('docker-compose.yml');

/** The registry with other fields in the row of mcp-facade. */
const changed = (change: object) => ({
  ...registry,
  processes: registry.processes.map((row) => (row.name === 'mcp-facade' ? { ...row, ...change } : row)),
});

const facadeOf = (change: object) =>
  parseCompose(withProcesses(changed(change), processes, compose)).file?.services['mcp-facade'];

describe('the processes in the compose files', () => {
  it('are what the registry and the schemas of their environments say', () => {
    expect(withProcesses(registry, processes, compose)).toBe(compose);
    const production = read('deploy/compose/compose.production.yml');
    expect(withNatsServers(registry, production)).toBe(production);
  });

  it('publish their ports on loopback when somebody outside visits them', () => {
    expect(facadeOf({})?.ports).toEqual([]);
    expect(facadeOf({ visitors: ['ingress'] })?.ports).toEqual([
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Compose writes its variables so
      '127.0.0.1:${MCP_FACADE_PORT:-4720}:4720',
    ]);
  });

  it('have the limits and the scratch space of their row', () => {
    const amounts = { cpu: '3', memory: '2Gi' };
    const facade = facadeOf({ scratch: '128Mi', resources: { requests: amounts, limits: amounts } });
    expect(facade?.tmpfs).toEqual(['/tmp:size=128m,mode=1777']);
    expect(facade?.deploy?.resources.limits).toEqual({ cpus: '3', memory: '2G' });
  });

  it('wait for each engine that they reach', () => {
    expect(
      Object.keys(facadeOf({ reaches: ['postgres', 'mongodb', 'eventstore', 'internet'] })?.depends_on ?? {}),
    ).toEqual(['provision', 'mongodb-init', 'eventstore']);
  });

  it('need a place in the file', () => {
    expect(() => withProcesses(registry, processes, 'services: {}\n')).toThrow(
      'the compose file has no place for the processes',
    );
  });
});
