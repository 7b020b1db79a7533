// A row in deploy/services.json is all that a new service needs beside its folder. What Helm renders for it: chart.int.spec.ts;
// the list in libs/contracts, Prometheus and the documentation: tools/registry.
import { describe, expect, it } from '@jest/globals';
import { migration, processes, variablesOf } from '@parlance/compose';
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

  it('has its environment in the chart, with its own role, user and key', () => {
    const env = z.object({
      POSTGRES_URL: z.string().describe('Where Postgres is.'),
      NATS_URL: z.string().describe('Where NATS is.'),
      CALLER_PRIVATE_KEY: z.string().describe('Its key.'),
    });
    const data = chartData(withBilling, [...processes, migration, { name: 'billing', env }]);
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
    expect(() => chartData(withBilling, [...processes, migration])).toThrow(
      'no package exports the environment of billing',
    );
  });
});
