// What the compose files say about the processes of the platform, written from the registry and the schemas of their environments.
import { prefixOf } from '@parlance/config';
import { passwordVariableOf } from '@parlance/messaging';
import { type Destination, type ProcessRow, type Registry, usesNats } from '@parlance/registry';
import { parse } from 'yaml';
import { z } from 'zod';
import { fixedVariables, type Ports, portsOf, processAddresses } from './fixed-variables.js';
import { graceSecondsOf } from './grace.js';
import type { Process } from './processes.js';
import { variablesOf } from './variables.js';

/** A variable of .env as Compose writes it. */
const taken = (name: string, otherwise = ''): string => `\${${name}:-${otherwise}}`;

interface Setting {
  readonly value: string;
  readonly comment?: string;
}

const publicUrl = taken('PUBLIC_URL', 'http://127.0.0.1:4700');

/** Settings that have a value of their own here. All others are passed on from .env, and empty without one there. */
const settings: Readonly<Record<string, Setting>> = {
  API_KEY_ENVIRONMENT: { value: taken('API_KEY_ENVIRONMENT', 'live') },
  BILLING_MODE: { value: taken('BILLING_MODE', 'hosted') },
  EVENTSTORE_URL: { value: 'esdb://eventstore:2113?tls=false' },
  INSTALLATION_NAME: { value: taken('INSTALLATION_NAME', 'main') },
  MONGODB_DATABASE: { value: taken('MONGODB_DATABASE', 'parlance') },
  MONGODB_URL: {
    value: `mongodb://parlance:${taken('MONGODB_PASSWORD')}@mongodb:27017/${taken('MONGODB_DATABASE', 'parlance')}?replicaSet=rs0`,
  },
  OBJECT_STORAGE_ACCESS_KEY_ID: { value: taken('OBJECT_STORAGE_ACCESS_KEY_ID', 'parlance') },
  OBJECT_STORAGE_BUCKET: { value: taken('OBJECT_STORAGE_BUCKET', 'parlance') },
  OBJECT_STORAGE_PUBLIC_URL: {
    value: taken('OBJECT_STORAGE_PUBLIC_URL', 'http://127.0.0.1:9000'),
    comment:
      'for browsers, which do not know the name s3: with a proxy or another S3_PORT, set it to what they reach',
  },
  OBJECT_STORAGE_URL: { value: taken('OBJECT_STORAGE_URL', 'http://s3:9000') },
  POSTGRES_POOL_MAX: { value: taken('POSTGRES_POOL_MAX', '10') },
  PUBLIC_URL: { value: publicUrl },
  RUNTIME_BASE_URL: {
    value: taken('RUNTIME_BASE_URL', 'http://127.0.0.1:4710'),
    comment:
      'a runtime on this machine; set it to the name under which a runtime elsewhere reaches the internal port',
  },
  SIP_INBOUND_HOST: {
    value: taken('SIP_INBOUND_HOST'),
    comment: 'without it numbers can call, and nobody can call them',
  },
  SIP_OUTBOUND_TRUNK_ID: {
    value: taken('SIP_OUTBOUND_TRUNK_ID'),
    comment:
      "empty: each call leaves through the trunk of its number's provider, which telephony-numbers makes",
  },
  TRUST_PROXY_HOPS: { value: taken('TRUST_PROXY_HOPS', '0') },
  WIDGET_BASE_URL: {
    value: taken('WIDGET_BASE_URL', publicUrl),
    comment: 'websites reach the gateway under the public name unless they are told another one',
  },
};

/** What a process waits for, by what it reaches. Object storage may be elsewhere. */
const engines: Partial<Readonly<Record<Destination, readonly [service: string, condition: string]>>> = {
  postgres: ['provision', 'service_completed_successfully'],
  nats: ['nats-1', 'service_healthy'],
  livekit: ['livekit', 'service_healthy'],
  eventstore: ['eventstore', 'service_healthy'],
  mongodb: ['mongodb-init', 'service_completed_successfully'],
};

const databasePasswordOf = (role: string): string => `${role.toUpperCase()}_DATABASE_PASSWORD`;
const callerKeyOf = (name: string): string => `${prefixOf(name)}_CALLER_PRIVATE_KEY`;

const natsUrlOf = (name: string, servers: readonly string[]): string =>
  servers
    .map((server, index) =>
      index === 0
        ? `nats://${name}:${taken(passwordVariableOf(name))}@${server}:4222`
        : `nats://${server}:4222`,
    )
    .join(',');

const settingOf = (variable: string, { name, role }: ProcessRow, ports: Ports): Setting => {
  const address = processAddresses[variable];
  if (address !== undefined) return { value: `http://${address}:${ports[address]?.http}` };
  switch (variable) {
    case 'POSTGRES_URL':
      return { value: `postgres://${role}:${taken(databasePasswordOf(role))}@postgres:5432/parlance` };
    case 'NATS_URL':
      return { value: natsUrlOf(name, ['nats-1']) };
    case 'CALLER_PRIVATE_KEY':
      return { value: taken(callerKeyOf(name)) };
    default: {
      const value = fixedVariables(name, ports)[variable];
      return value === undefined ? (settings[variable] ?? { value: taken(variable) }) : { value };
    }
  }
};

interface Group {
  readonly anchor: string;
  readonly names: readonly string[];
}

const Extensions = z.record(z.string(), z.unknown());

/** The anchors of environments at the head of the file: `x-media-environment: &media-environment`. */
const groupsIn = (compose: string): readonly Group[] => {
  const file = Extensions.parse(parse(compose, { merge: true, maxAliasCount: 1_000 }));
  return Object.entries(file)
    .filter(([key]) => key.startsWith('x-') && key.endsWith('-environment'))
    .map(([key, group]) => ({ anchor: key.slice('x-'.length), names: Object.keys(Extensions.parse(group)) }))
    .toSorted((one, other) => other.names.length - one.names.length);
};

/** The fewest groups that hold variables of the process alone, the largest first. */
const groupsFor = (variables: readonly string[], groups: readonly Group[]) => {
  let rest = variables;
  const anchors = groups.flatMap(({ anchor, names }) => {
    if (!names.every((name) => variables.includes(name) || name === 'ROOT_SECRET_FILE')) return [];
    const left = rest.filter((name) => !names.includes(name));
    if (left.length === rest.length) return [];
    rest = left;
    return [`*${anchor}`];
  });
  return { anchors, rest };
};

const quoted = (value: string): string => (/^\d+$/.test(value) ? `'${value}'` : value);

const environmentLines = (row: ProcessRow, { env }: Process, groups: readonly Group[], ports: Ports) => {
  const variables = variablesOf(env)
    .filter(({ name, testOnly }) => testOnly !== true && name !== 'ROOT_SECRET')
    .map(({ name }) => name);
  const { anchors, rest } = groupsFor(variables, groups);
  const merged = anchors.length === 1 ? anchors[0] : `[${anchors.join(', ')}]`;
  return [
    '    environment:',
    ...(anchors.length === 0 ? [] : [`      <<: ${merged}`]),
    ...rest.flatMap((name) => {
      const { value, comment } = settingOf(name, row, ports);
      return [...(comment === undefined ? [] : [`      # ${comment}`]), `      ${name}: ${quoted(value)}`];
    }),
  ];
};

/** Only a process that takes visitors from outside has its ports on this machine. */
const portLines = ({ name, visitors, ports }: ProcessRow): readonly string[] => {
  if (ports === undefined || visitors.length === 0) return [];
  const { http, runtime } = ports;
  const published = [
    `127.0.0.1:${taken(`${prefixOf(name)}_PORT`, String(http))}:${http}`,
    ...(runtime === undefined
      ? []
      : [`127.0.0.1:${taken(`${prefixOf(name)}_INTERNAL_PORT`, String(runtime))}:${runtime}`]),
  ];
  return [`    ports: [${published.map((port) => `'${port}'`).join(', ')}]`];
};

/** What x-platform at the head of the file sets for every process. */
const usual = { graceSeconds: 60, scratch: '64Mi', cpu: '2', memory: '768Mi' };

const sizeOf = (memory: string): string => memory.replace(/i$/, '');

/** The networks of docker-compose.yml in which a destination is. */
const networksOfDestinations: Readonly<Record<Destination, string>> = {
  postgres: 'data',
  nats: 'data',
  mongodb: 'data',
  eventstore: 'events',
  'object-storage': 'edge',
  internet: 'edge',
  livekit: 'default',
  'voice-runtime': 'default',
  telemetry: 'telemetry',
  gateway: 'data',
  'mcp-facade': 'data',
};

const networksOf = ({ reaches, visitors }: ProcessRow): readonly string[] => [
  ...new Set([
    ...reaches.map((destination) => networksOfDestinations[destination]),
    ...(visitors.length > 0 ? ['edge'] : []),
  ]),
];

const blockOf = (row: ProcessRow, exported: Process, groups: readonly Group[], ports: Ports): string => {
  const { cpu, memory } = row.resources.limits;
  const seconds = graceSecondsOf(exported);
  return [
    `  ${row.name}:`,
    '    <<: *serving-platform',
    `    networks: [${networksOf(row).join(', ')}]`,
    `    command: [${row.name}]`,
    ...(seconds > usual.graceSeconds ? [`    stop_grace_period: ${seconds}s`] : []),
    ...(row.scratch === usual.scratch
      ? []
      : [`    tmpfs: ['/tmp:size=${sizeOf(row.scratch).toLowerCase()},mode=1777']`]),
    ...environmentLines(row, exported, groups, ports),
    ...portLines(row),
    ...(cpu === usual.cpu && memory === usual.memory
      ? []
      : ['    deploy:', `      resources: { limits: { cpus: '${cpu}', memory: ${sizeOf(memory)} } }`]),
    '    depends_on:',
    ...row.reaches.flatMap((destination) => {
      const engine = engines[destination];
      return engine === undefined ? [] : [`      ${engine[0]}: { condition: ${engine[1]} }`];
    }),
  ].join('\n');
};

/** The text between `# generated: processes` and `# end`, written anew. @throws Error when the file has no such place */
const withBlocks = (text: string, blocks: string): string => {
  const place = /^( *# generated: processes[^\n]*\n)[\s\S]*?^( *# end\n)/m;
  if (!place.test(text)) throw new Error('the compose file has no place for the processes');
  return text.replace(place, (_, begin: string, end: string) => `${begin}${blocks}\n${end}`);
};

/** The runs of lines that pass on one kind of credential for each process. */
const withCredentials = ({ processes }: Registry, text: string): string => {
  const answering = processes.filter(usesNats);
  const kinds = [
    ['_NATS_PASSWORD', answering.map(({ name }) => passwordVariableOf(name))],
    ['_CALLER_PRIVATE_KEY', answering.map(({ name }) => callerKeyOf(name))],
    ['_DATABASE_PASSWORD', processes.map(({ role }) => databasePasswordOf(role))],
  ] as const;
  return kinds.reduce(
    (written, [suffix, names]) =>
      written.replaceAll(
        new RegExp(`(?:^( +)[A-Z_]+${suffix}: \\$\\{[A-Z_]+:-\\}\\n){2,}`, 'gm'),
        (_, indent: string) => names.map((name) => `${indent}${name}: ${taken(name)}\n`).join(''),
      ),
    text,
  );
};

/**
 * docker-compose.yml with its processes as the registry has them.
 * @param text of the file as it is
 * @throws Error when no package exports the environment of a row
 */
export const withProcesses = (registry: Registry, processes: readonly Process[], text: string): string => {
  const groups = groupsIn(text);
  const ports = portsOf(registry.processes);
  const blocks = registry.processes.map((row) => {
    const exported = processes.find(({ name }) => name === row.name);
    if (exported === undefined) throw new Error(`no package exports the environment of ${row.name}`);
    return blockOf(row, exported, groups, ports);
  });
  return withBlocks(withCredentials(registry, text), blocks.join('\n\n'));
};

/** deploy/compose/compose.production.yml: each process knows all three NATS servers. @param text of the file as it is */
export const withNatsServers = (registry: Registry, text: string): string =>
  withBlocks(
    withCredentials(registry, text),
    registry.processes
      .filter(usesNats)
      .map(({ name }) =>
        [
          `  ${name}:`,
          '    environment:',
          `      NATS_URL: ${natsUrlOf(name, ['nats-1', 'nats-2', 'nats-3'])}`,
          '    depends_on: *after-nats',
        ].join('\n'),
      )
      .join('\n'),
  );
