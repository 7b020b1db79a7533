import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { loadRegistry } from '@parlance/registry';
import { type ComposeFile, parseCompose } from './compose-file.js';
import { checkNetworks, networksOf } from './networks.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const compose = read('docker-compose.yml');
const further = ['compose.production.yml', 'compose.observability.yml', 'telephony.yml', 'voice.yml'].map(
  (name) => read(`deploy/compose/${name}`),
);
const { processes, runtimes } = loadRegistry();
const ours = { processes: [...processes, ...runtimes, { name: 'provision' }] };

const parsed = (...texts: readonly string[]): ComposeFile => {
  const { file, problems } = parseCompose(...texts);
  if (file === undefined) throw new Error(problems.join('; '));
  return file;
};
const broken = (find: string, replacement: string): readonly string[] => {
  if (!compose.includes(find)) throw new Error(`${find} is not in docker-compose.yml`);
  return checkNetworks(parsed(compose.replace(find, replacement)), ours);
};

const stores = ['postgres', 'mongodb', 'nats-1', 'nats-2', 'nats-3', 'eventstore'];

describe('the networks of docker compose', () => {
  const all = parsed(compose, ...further);
  const sharing = (one: string): readonly string[] => {
    const own = networksOf(all.services[one] ?? all.services.gateway ?? failed()) ?? [];
    return Object.entries(all.services)
      .filter(
        ([name, service]) => name !== one && networksOf(service)?.some((network) => own.includes(network)),
      )
      .map(([name]) => name);
  };
  const failed = (): never => {
    throw new Error('there are no services');
  };

  it('connect what has to be connected, with every further file and without', () => {
    expect(checkNetworks(parsed(compose), ours)).toEqual([]);
    expect(checkNetworks(all, ours)).toEqual([]);
  });

  it('let nothing reach a store but stores, what prepares them, and the processes of the platform', () => {
    const known = new Set([...stores, 'provision', 'mongodb-init', ...processes.map(({ name }) => name)]);
    for (const store of stores)
      expect([store, sharing(store).filter((name) => !known.has(name))]).toEqual([store, []]);
  });

  it('let the event store be reached by the processes that are event-sourced alone', () => {
    const sourced = processes.filter(({ reaches }) => reaches.includes('eventstore')).map(({ name }) => name);
    expect([...sharing('eventstore')].sort()).toEqual([...sourced].sort());
  });

  it('give stores no way to the internet', () => {
    for (const store of stores)
      for (const network of networksOf(all.services[store] ?? failed()) ?? [])
        expect([store, all.networks[network]?.internal]).toEqual([store, true]);
  });

  it.each([
    [
      'a bridge among the stores',
      '  sip:\n    <<: *sip\n',
      '  sip:\n    <<: *sip\n    networks: [data, default]\n',
      'service sip is in data with the stores',
    ],
    [
      'a port of a store',
      '  postgres:\n    <<: *defaults\n',
      "  postgres:\n    <<: *defaults\n    ports: ['127.0.0.1:5432:5432']\n",
      'service postgres publishes ports',
    ],
    [
      'a server apart from its Redis',
      '  redis:\n    <<: *defaults\n    networks: [default]\n',
      '  redis:\n    <<: *defaults\n    networks: [telemetry]\n',
      'service livekit shares no network with redis',
    ],
    [
      'a network of another name',
      '    networks: [events]\n',
      '    networks: [event]\n',
      'in the network event, which is not declared',
    ],
  ])('finds %s', (_, find, replacement, problem) => {
    expect(broken(find, replacement).join('\n')).toContain(problem);
  });
});
