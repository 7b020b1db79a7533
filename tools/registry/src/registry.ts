// The format of deploy/services.json: one row for each process of the platform, one for each runtime that holds conversations, and one
// for each job that prepares an installation. A field that a row leaves out has the default given here.
import { z } from 'zod';

/** What a process opens connections to. Each destination has a network policy of its own. */
export const destinations = [
  'postgres',
  'nats',
  'eventstore',
  'mongodb',
  'livekit',
  'object-storage',
  'gateway',
  'mcp-facade',
  'telemetry',
  'voice-runtime',
  'internet',
] as const;
const Destination = z.enum(destinations);
export type Destination = z.output<typeof Destination>;

/** Who opens connections to a process from outside the platform, at its port `http`. */
const Visitor = z.enum(['ingress', 'livekit']);

const Name = z.string().regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/, 'must be lower case words joined by hyphens');
const Cpu = z.string().regex(/^\d+(\.\d+)?m?$/, 'must be a number of processors, such as "2" or "250m"');
const Memory = z.string().regex(/^\d+(Mi|Gi)$/, 'must be an amount of memory, such as "256Mi"');
const Amounts = z.strictObject({ cpu: Cpu, memory: Memory });
const Resources = z.strictObject({ requests: Amounts, limits: Amounts });
const Port = z.int().min(1).max(65_535);
const Replicas = z.int().min(1);

const Bounds = { minReplicas: Replicas, maxReplicas: Replicas };
const Scaling = z.discriminatedUnion('metric', [
  z.strictObject({ metric: z.literal('cpu'), targetPercent: z.int().min(1).max(100), ...Bounds }),
  // PromQL; the value divided by the threshold is the number of replicas
  z.strictObject({
    metric: z.literal('prometheus'),
    query: z.string().min(1),
    threshold: z.number().positive(),
    ...Bounds,
  }),
]);

const Process = z.strictObject({
  /** Name of the command of the image, of the compose service and of the Deployment. */
  name: Name,
  /** From the root of the repository. */
  folder: z.string(),
  package: z.string().startsWith('@parlance/'),
  /** Role and schema on Postgres. */
  role: z.string().regex(/^[a-z][a-z0-9_]*$/, 'must be a name that Postgres takes without quotes'),
  reaches: z.array(Destination),
  visitors: z.array(Visitor).default([]),
  /** A process without ports answers over NATS alone. `runtime` is for the voice runtime. */
  ports: z.strictObject({ http: Port, runtime: Port.optional() }).optional(),
  resources: Resources.default({
    requests: { cpu: '100m', memory: '256Mi' },
    limits: { cpu: '2', memory: '768Mi' },
  }),
  /** Without an autoscaler. */
  replicas: Replicas.default(2),
  scaling: Scaling.optional(),
  /** A replica serves on for this time after it has left its Service, because clients still send to it. */
  preStopSeconds: z.int().min(0).default(0),
  /** Size of /tmp. */
  scratch: Memory.default('64Mi'),
});
export type ProcessRow = z.output<typeof Process>;

/**
 * A process that speaks the protocol of runtimes, or serves one that does. It has neither a database role nor a user on NATS, and an
 * installation runs it only where it is enabled: another runtime may take its place.
 */
const Runtime = z.strictObject({
  /** Name of the compose service and of the Deployment, and of the command of the platform's image. */
  name: Name,
  /** An image of its own, named after the platform's with this ending. */
  image: z.enum(['voice', 'speech']).optional(),
  reaches: z.array(Destination),
  /** Without ports: calls come through LiveKit. */
  ports: z.strictObject({ http: Port }).optional(),
  /** Size of the volume with models; absent for a runtime that needs none. */
  models: Memory.optional(),
  resources: Resources,
  replicas: Replicas.default(2),
  /** From SIGTERM to the end by force: conversations in progress end meanwhile. */
  graceSeconds: z.int().min(1),
  scratch: Memory.default('64Mi'),
});
export type RuntimeRow = z.output<typeof Runtime>;

const Job = z.strictObject({
  name: Name,
  args: z.array(z.string()).min(1),
  reaches: z.array(Destination),
  resources: Resources,
  backoffLimit: z.int().min(0),
  deadlineSeconds: z.int().min(1),
  scratch: Memory.default('64Mi'),
});
export type JobRow = z.output<typeof Job>;

const Registry = z.strictObject({
  processes: z.array(Process).min(1),
  runtimes: z.array(Runtime),
  jobs: z.array(Job),
});
export type Registry = z.output<typeof Registry>;

/** Path of the registry from the root of the repository. */
export const registryPath = 'deploy/services.json';

const labelOf = (rows: unknown, [list, index]: readonly PropertyKey[]): string => {
  const row: unknown = Reflect.get(Object(Reflect.get(Object(rows), list ?? '')), index ?? '');
  const name: unknown = Reflect.get(Object(row), 'name');
  return typeof name === 'string' ? name : [list, index].filter((part) => part !== undefined).join('.');
};

/**
 * @param text of deploy/services.json
 * @throws Error in one sentence that names the row and the field
 */
export const parseRegistry = (text: string): Registry => {
  let rows: unknown;
  try {
    rows = JSON.parse(text);
  } catch (error) {
    throw new Error(`${registryPath} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const { success, data, error } = Registry.safeParse(rows);
  if (success) return data;
  const [issue] = error.issues;
  const [path, message] = [issue?.path ?? [], issue?.message ?? ''];
  const field = path.slice(2).join('.');
  throw new Error(
    `${registryPath}: ${labelOf(rows, path)}${field === '' ? '' : `, field ${field}`}: ${message}`,
  );
};

const duplicates = (values: readonly string[]): readonly string[] =>
  values.filter((value, index) => values.indexOf(value) !== index);

/** The destinations that are processes themselves. */
const isProcess = (destination: Destination): boolean =>
  destination === 'gateway' || destination === 'mcp-facade';

/** Problems that no single row shows, one sentence each. Folders are compared with rows in scripts/lib/registry.mjs, before compiling. */
export const registryProblems = ({ processes, runtimes, jobs }: Registry): readonly string[] =>
  [
    ...duplicates([...processes, ...runtimes, ...jobs].map(({ name }) => name)).map(
      (name) => `there are two rows with the name ${name}`,
    ),
    ...duplicates(processes.map(({ role }) => role)).map(
      (role) => `there are two rows with the database role ${role}`,
    ),
    ...processes.flatMap(({ name, scaling }) =>
      scaling !== undefined && scaling.minReplicas > scaling.maxReplicas
        ? [`the row ${name} has more replicas at least than at most`]
        : [],
    ),
    ...processes.flatMap(({ name, visitors, ports }) =>
      visitors.length > 0 && ports === undefined ? [`the row ${name} has visitors and no port`] : [],
    ),
    ...[...processes, ...jobs].flatMap(({ name, reaches }) =>
      reaches
        .filter((destination) => isProcess(destination))
        .filter(
          (destination) => !processes.some((row) => row.name === destination && row.ports !== undefined),
        )
        .map((destination) => `the row ${name} reaches ${destination}, which has no port`),
    ),
  ].map((problem) => `${registryPath}: ${problem}`);

/** True when the process has a user on NATS and answers requests of other services. */
export const usesNats = ({ reaches }: Pick<ProcessRow, 'reaches'>): boolean => reaches.includes('nats');
