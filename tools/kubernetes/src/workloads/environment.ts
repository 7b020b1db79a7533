// The environment of a container: every variable that its process reads, each from where it is kept.

import { ComposeEnv, type Process, variablesOf } from '@parlance/compose';
import { passwordVariableOf, userOfProcess } from '@parlance/messaging';
import type { IEnvVar } from 'kubernetes-models/v1';
import { opsPort, runtimePort, type Workload } from './workload.js';

/** ConfigMap of the operator's decisions. */
export const settingsName = 'parlance';
/** ConfigMap of where the engines are. */
export const engineAddressesName = 'parlance-engines';
/** Secret of everything that the schemas mark as one, and of the passwords of engines. */
export const secretName = 'parlance';

/** Where the certificates of the engines' authorities are mounted, for addresses that name them. */
export const authoritiesPath = '/etc/parlance/authorities';

/** Variables that tell where engines are. */
export const engineAddresses = [
  'LIVEKIT_URL',
  'LIVEKIT_WS_URL',
  'OBJECT_STORAGE_URL',
  'OBJECT_STORAGE_PUBLIC_URL',
  'TEXT_RUNTIME_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'EVENT_STREAM_REPLICAS',
] as const;

/** No secrets, but made together with them, so they are kept together. */
const madeWithSecrets: readonly string[] = ['CALLER_PUBLIC_KEYS'];

export const fromSecret = (name: string, key: string, optional = false): IEnvVar => ({
  name,
  valueFrom: { secretKeyRef: { name: secretName, key, ...(optional ? { optional } : {}) } },
});

const fromMap = (map: string, name: string, optional = false): IEnvVar => ({
  name,
  valueFrom: { configMapKeyRef: { name: map, key: name, ...(optional ? { optional } : {}) } },
});

const address = (name: string): IEnvVar => fromMap(engineAddressesName, name);

/** The same for every installation. */
const fixed = (process: string): Readonly<Record<string, string>> => ({
  NODE_ENV: 'production',
  OTEL_SERVICE_NAME: process,
  HOST: '0.0.0.0',
  PORT: '4700',
  INTERNAL_HOST: '0.0.0.0',
  INTERNAL_PORT: String(runtimePort),
  MCP_HOST: '0.0.0.0',
  MCP_PORT: '4720',
  GATEWAY_URL: 'http://gateway:4700',
  MCP_FACADE_URL: 'http://mcp-facade:4720',
  OPS_HOST: '0.0.0.0',
  OPS_PORT: String(opsPort.number),
});

/** Kubernetes puts variables that come before into `$(NAME)`, so passwords and addresses are kept apart. */
const composed = (role: string, user: string): Readonly<Record<string, readonly IEnvVar[]>> => ({
  POSTGRES_URL: [
    fromSecret('POSTGRES_PASSWORD', `${role.toUpperCase()}_DATABASE_PASSWORD`),
    address('POSTGRES_ADDRESS'),
    { name: 'POSTGRES_URL', value: `postgres://${role}:$(POSTGRES_PASSWORD)@$(POSTGRES_ADDRESS)` },
  ],
  POSTGRES_ADMIN_URL: [
    fromSecret('POSTGRES_ADMIN_PASSWORD', 'POSTGRES_ADMIN_PASSWORD'),
    address('POSTGRES_ADDRESS'),
    {
      name: 'POSTGRES_ADMIN_URL',
      value: 'postgres://postgres:$(POSTGRES_ADMIN_PASSWORD)@$(POSTGRES_ADDRESS)',
    },
  ],
  CALLER_PRIVATE_KEY: [fromSecret('CALLER_PRIVATE_KEY', `${role.toUpperCase()}_CALLER_PRIVATE_KEY`)],
  NATS_URL: [
    fromSecret('NATS_PASSWORD', passwordVariableOf(user)),
    address('NATS_ADDRESS'),
    { name: 'NATS_URL', value: `nats://${user}:$(NATS_PASSWORD)@$(NATS_ADDRESS)` },
  ],
  MONGODB_URL: [
    fromSecret('MONGODB_PASSWORD', 'MONGODB_PASSWORD'),
    address('MONGODB_ADDRESS'),
    { name: 'MONGODB_URL', value: 'mongodb://parlance:$(MONGODB_PASSWORD)@$(MONGODB_ADDRESS)' },
  ],
  EVENTSTORE_URL: [
    address('EVENTSTORE_ADDRESS'),
    { name: 'EVENTSTORE_URL', value: 'esdb://$(EVENTSTORE_ADDRESS)' },
  ],
});

/** A single node of EventStoreDB takes no users; a cluster does. All variables, because a patch moves its own to the front. */
export const eventStoreOfCluster: readonly IEnvVar[] = [
  fromSecret('EVENTSTORE_PASSWORD', 'EVENTSTORE_PASSWORD'),
  address('EVENTSTORE_ADDRESS'),
  { name: 'EVENTSTORE_URL', value: 'esdb://parlance:$(EVENTSTORE_PASSWORD)@$(EVENTSTORE_ADDRESS)' },
];

/** Variables are made from these values; no process reads them. */
export const ingredients: readonly string[] = [
  ...Object.keys(ComposeEnv.shape),
  'POSTGRES_PASSWORD',
  'EVENTSTORE_PASSWORD',
  'POSTGRES_ADDRESS',
  'NATS_ADDRESS',
  'MONGODB_ADDRESS',
  'EVENTSTORE_ADDRESS',
];

const isEngineAddress = (name: string): boolean => engineAddresses.some((known) => known === name);

/** In the order of the schema; variables for tests are not given. */
export const environmentOf = (process: Process, role: Workload['role']): readonly IEnvVar[] =>
  variablesOf(process.env)
    .filter(({ testOnly }) => testOnly !== true)
    .flatMap(({ name, secret, isRequired }): readonly IEnvVar[] => {
      const parts = composed(role, userOfProcess(process.name))[name];
      if (parts !== undefined) return parts;
      const value = fixed(process.name)[name];
      if (value !== undefined) return [{ name, value }];
      if (secret === true || madeWithSecrets.includes(name)) return [fromSecret(name, name, !isRequired)];
      return [fromMap(isEngineAddress(name) ? engineAddressesName : settingsName, name, !isRequired)];
    });
