// Where each environment variable of a process comes from, as the chart reads it from files/services.json.

import { fixedVariables, type Ports, type Process, processAddresses, variablesOf } from '@parlance/compose';
import { prefixOf } from '@parlance/config';
import { administrator, passwordVariableOf } from '@parlance/messaging';
import type { Destination } from '@parlance/registry';

/** One variable of a container; templates/_pod.tpl of the chart interprets it. */
export type Entry =
  | { readonly name: string; readonly value: string }
  /** A key of the Secret. */
  | { readonly name: string; readonly secret: string; readonly optional?: true }
  /** The Service of a process. */
  | { readonly name: string; readonly process: string; readonly port: number }
  /** An engine: the address from the ConfigMap, with a user and the password under `key` of the Secret. */
  | {
      readonly name: string;
      readonly scheme: string;
      readonly address: string;
      /** Absent: the user among the values of the chart. */
      readonly user?: string;
      readonly password: string;
      readonly key: string;
    };

/** What a process that reads the variable connects to. */
export const destinationOf: Readonly<Record<string, Destination>> = {
  POSTGRES_URL: 'postgres',
  POSTGRES_ADMIN_URL: 'postgres',
  NATS_URL: 'nats',
  EVENTSTORE_URL: 'eventstore',
  MONGODB_URL: 'mongodb',
  LIVEKIT_URL: 'livekit',
  OBJECT_STORAGE_URL: 'object-storage',
  GATEWAY_URL: 'gateway',
  MCP_FACADE_URL: 'mcp-facade',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'telemetry',
  TEXT_RUNTIME_URL: 'voice-runtime',
  // the guarded client: webhooks, tools, MCP servers, knowledge sources
  EGRESS_DENY: 'internet',
  SMTP_URL: 'internet',
  MCP_OAUTH_JWKS_URL: 'internet',
  TWILIO_API_URL: 'internet',
  TELNYX_API_URL: 'internet',
  EMBEDDINGS_URL: 'internet',
};

/** Addresses that a process passes on, or to which the operator's own network policy leads. */
export const passedOn: readonly string[] = [
  'KMS_URL',
  'PUBLIC_URL',
  'LIVEKIT_WS_URL',
  'OBJECT_STORAGE_PUBLIC_URL',
  'RUNTIME_BASE_URL',
  'WIDGET_BASE_URL',
];

/** Variables that the chart takes from the values `engines`; all others that are no secrets are among `settings`. */
export const engineVariables: readonly string[] = [
  'LIVEKIT_URL',
  'LIVEKIT_WS_URL',
  'OBJECT_STORAGE_URL',
  'OBJECT_STORAGE_PUBLIC_URL',
  'TEXT_RUNTIME_URL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'EVENT_STREAM_REPLICAS',
];

/** Public, but made together with the secrets and kept with them. */
const keptWithSecrets: readonly string[] = ['CALLER_PUBLIC_KEYS'];

interface Owner {
  readonly name: string;
  /** Absent for a job, which has the administrator's account. */
  readonly role?: string;
}

const engineEntry = (name: string, { name: process, role }: Owner): Entry | undefined => {
  const of = (engine: string, scheme: string, user: string | undefined, key: string): Entry => ({
    name,
    scheme,
    address: `${engine}_ADDRESS`,
    ...(user === undefined ? {} : { user }),
    password: name === 'POSTGRES_ADMIN_URL' ? 'POSTGRES_ADMIN_PASSWORD' : `${engine}_PASSWORD`,
    key,
  });
  // a job has the administrator's account, as on Postgres
  const broker = role === undefined ? administrator : process;
  switch (name) {
    case 'POSTGRES_URL':
      return of('POSTGRES', 'postgres', role, `${role?.toUpperCase()}_DATABASE_PASSWORD`);
    case 'POSTGRES_ADMIN_URL':
      return of('POSTGRES', 'postgres', 'postgres', 'POSTGRES_ADMIN_PASSWORD');
    case 'NATS_URL':
      return of('NATS', 'nats', broker, passwordVariableOf(broker));
    case 'MONGODB_URL':
      return of('MONGODB', 'mongodb', 'parlance', 'MONGODB_PASSWORD');
    case 'EVENTSTORE_URL':
      return of('EVENTSTORE', 'esdb', undefined, 'EVENTSTORE_PASSWORD');
    default:
      return undefined;
  }
};

export interface Sourced {
  readonly entries: readonly Entry[];
  /** Variables that come from the ConfigMaps, with those that have no default. */
  readonly configured: readonly { readonly name: string; readonly isRequired: boolean }[];
}

/** The environment of a process; variables for tests are left out. */
export const environmentOf = ({ env }: Pick<Process, 'env'>, owner: Owner, ports: Ports): Sourced => {
  const values = fixedVariables(owner.name, ports);
  const entries: Entry[] = [];
  const configured: Sourced['configured'][number][] = [];
  for (const { name, secret, isRequired, testOnly } of variablesOf(env)) {
    if (testOnly === true) continue;
    const engine = engineEntry(name, owner);
    const value = values[name];
    const process = processAddresses[name];
    const gateway = name === 'PLATFORM_URL' ? ports.gateway?.runtime : undefined;
    const optional = isRequired ? {} : ({ optional: true } as const);
    if (engine !== undefined) entries.push(engine);
    else if (value !== undefined) entries.push({ name, value });
    else if (gateway !== undefined) entries.push({ name, process: 'gateway', port: gateway });
    else if (process !== undefined) entries.push({ name, process, port: ports[process]?.http ?? 0 });
    else if (name === 'CALLER_PRIVATE_KEY')
      entries.push({ name, secret: `${prefixOf(owner.name)}_CALLER_PRIVATE_KEY`, ...optional });
    else if (secret === true || keptWithSecrets.includes(name))
      entries.push({ name, secret: name, ...optional });
    else configured.push({ name, isRequired });
  }
  return { entries, configured };
};
