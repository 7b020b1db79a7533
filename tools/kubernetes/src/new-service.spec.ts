// biome-ignore-all lint/suspicious/noTemplateCurlyInString: Compose writes its variables so
// A row in deploy/services.json is all that a new service needs beside its folder: it appears in docker-compose.yml, in the
// configuration of NATS and in what the chart reads. What Helm renders for it: chart.int.spec.ts; the list in libs/contracts,
// Prometheus and the documentation: tools/registry.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import {
  migration,
  parseCompose,
  processes,
  runtimes,
  variablesOf,
  withNatsServers,
  withProcesses,
} from '@parlance/compose';
import type { ServiceName } from '@parlance/contracts';
import { authorizationBlock, usersOf } from '@parlance/messaging';
import { callerKeys, natsPasswords, rolePasswords } from '@parlance/provision';
import { loadRegistry, parseRegistry, servicesFile, usesNats } from '@parlance/registry';
import { z } from 'zod';
import { chartData } from './services-file.js';

const registry = loadRegistry();
const withBilling = parseRegistry(
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
const billing = {
  name: 'billing',
  env: z.object({
    POSTGRES_URL: z.string().describe('Where Postgres is.'),
    NATS_URL: z.string().describe('Where NATS is.'),
    CALLER_PRIVATE_KEY: z.string().describe('Its key.'),
  }),
};
const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const services = withBilling.processes.filter(usesNats).map(({ name }) => name);
const roles = withBilling.processes.map(({ role }) => role);

describe('a service that is a row in the registry', () => {
  it('has a user on NATS that publishes and subscribes on its own subjects', () => {
    // a service of the next release, which the type of this one does not have
    const users = usersOf(services as ServiceName[]);
    expect(users.at(-1)).toMatchObject({
      name: 'billing',
      publish: expect.arrayContaining(['parlance.ready.billing']),
      subscribe: ['_INBOX_billing.>', 'parlance.ready-ask'],
    });
    expect(authorizationBlock(undefined, users)).toContain('password: $BILLING_NATS_PASSWORD');
  });

  it('has its passwords and its key among the variables of docker-compose.yml and of the Secret', () => {
    const variables = variablesOf(z.object({ ...natsPasswords(services), ...callerKeys(services) }));
    for (const name of ['BILLING_NATS_PASSWORD', 'BILLING_CALLER_PRIVATE_KEY'])
      expect(variables).toContainEqual(
        expect.objectContaining({ name, secret: true, make: expect.any(String) }),
      );
  });

  it('has a role and a schema that provision makes', () => {
    expect(Object.keys(rolePasswords(roles))).toContain('BILLING_DATABASE_PASSWORD');
    expect(servicesFile(withBilling).content).toContain("role: 'billing'");
  });

  it('is a service of docker-compose.yml, waits for its engines, and has its credentials in those that prepare them', () => {
    const { file } = parseCompose(
      withProcesses(withBilling, [...processes, billing], read('docker-compose.yml')),
    );
    expect(file?.services.billing).toMatchObject({
      image: file?.services.widgets?.image,
      command: ['billing'],
      stop_grace_period: '60s',
      environment: {
        POSTGRES_URL: 'postgres://billing:${BILLING_DATABASE_PASSWORD:-}@postgres:5432/parlance',
        NATS_URL: 'nats://billing:${BILLING_NATS_PASSWORD:-}@nats-1:4222',
        CALLER_PRIVATE_KEY: '${BILLING_CALLER_PRIVATE_KEY:-}',
      },
      depends_on: {
        provision: { condition: 'service_completed_successfully' },
        'nats-1': { condition: 'service_healthy' },
      },
    });
    const passed = (service: string): readonly string[] =>
      Object.keys(file?.services[service]?.environment ?? {}).filter((name) => name.startsWith('BILLING_'));
    expect(passed('nats-1')).toEqual(['BILLING_NATS_PASSWORD']);
    expect(passed('provision')).toEqual(['BILLING_DATABASE_PASSWORD']);
    expect(passed('secrets').toSorted()).toEqual([
      'BILLING_CALLER_PRIVATE_KEY',
      'BILLING_DATABASE_PASSWORD',
      'BILLING_NATS_PASSWORD',
    ]);
  });

  it('knows all NATS servers of compose.production.yml, and they know it', () => {
    const { file } = parseCompose(
      read('docker-compose.yml'),
      withNatsServers(withBilling, read('deploy/compose/compose.production.yml')),
    );
    expect(file?.services.billing?.environment.NATS_URL).toBe(
      'nats://billing:${BILLING_NATS_PASSWORD:-}@nats-1:4222,nats://nats-2:4222,nats://nats-3:4222',
    );
    expect(file?.services['nats-3']?.environment).toHaveProperty('BILLING_NATS_PASSWORD');
  });

  it('has its environment in the chart, with its own role, user and key', () => {
    const data = chartData(withBilling, [...processes, ...runtimes, migration, billing]);
    expect(data.processes.at(-1)).toMatchObject({
      name: 'billing',
      replicas: 2,
      env: [
        { name: 'POSTGRES_URL', user: 'billing', key: 'BILLING_DATABASE_PASSWORD' },
        { name: 'NATS_URL', user: 'billing', key: 'BILLING_NATS_PASSWORD' },
        { name: 'CALLER_PRIVATE_KEY', secret: 'BILLING_CALLER_PRIVATE_KEY' },
      ],
    });
    expect(data.natsPasswords).toContain('BILLING_NATS_PASSWORD');
    expect(data.requiredSecrets).toContain('BILLING_DATABASE_PASSWORD');
  });

  it('is refused by name until its package exports the schema of its environment', () => {
    const sentence = 'no package exports the environment of billing';
    expect(() => chartData(withBilling, [...processes, ...runtimes, migration])).toThrow(sentence);
    expect(() => withProcesses(withBilling, processes, read('docker-compose.yml'))).toThrow(sentence);
  });
});
