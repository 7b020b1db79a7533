// Real engines in containers of their own, of the very images that docker-compose.yml names.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';
import { parse } from 'yaml';
import { versityLimits } from './limits.js';
import type { Limit } from './outcomes.js';
import type { Server } from './real-engine.js';
import type { Variables } from './suites.js';

const composeFile = new URL('../../../docker-compose.yml', import.meta.url);

/** @throws Error when docker-compose.yml has no such service */
const imageOf = (service: string): string => {
  // Compose's own format; deploy/compose checks that the file has it.
  const { services } = parse(readFileSync(composeFile, 'utf8')) as {
    services: Record<string, { image?: string } | undefined>;
  };
  // a variable may name another image
  const image = services[service]?.image?.replace(/^\$\{[A-Z_]+:-(.*)\}$/, '$1');
  if (image === undefined) throw new Error(`docker-compose.yml has no image for ${service}`);
  return image;
};

const startTimeoutMs = 180_000;

interface Kind {
  /** Name in docker-compose.yml. */
  readonly service: string;
  readonly port: number;
  readonly only?: string;
  readonly limits?: readonly Limit[];
  readonly prepare: (container: GenericContainer) => GenericContainer;
  readonly variables: (address: string) => Variables;
}

const server = ({ service, port, only, limits, prepare, variables }: Kind): Server => {
  const image = imageOf(service);
  return {
    name: `${image} in a container`,
    version: '',
    ...(only === undefined ? {} : { only }),
    ...(limits === undefined ? {} : { limits }),
    start: async () => {
      const container = await prepare(new GenericContainer(image))
        .withExposedPorts(port)
        .withStartupTimeout(startTimeoutMs)
        .start();
      const address = `${container.getHost()}:${container.getMappedPort(port)}`;
      return { variables: variables(address), stop: async () => void (await container.stop()) };
    },
  };
};

const secret = randomBytes(24).toString('hex');

export const eventStoreContainer = (): Server =>
  server({
    service: 'eventstore',
    port: 2113,
    prepare: (container) =>
      container
        .withEnvironment({ KURRENTDB_INSECURE: 'true', KURRENTDB__SECONDARY_INDEXING__ENABLED: 'false' })
        .withWaitStrategy(Wait.forHttp('/health/live', 2113).forStatusCode(204)),
    variables: (address) => ({ CONFORMANCE_EVENTSTORE_URL: `esdb://${address}?tls=false` }),
  });

export const mongoContainer = (): Server =>
  server({
    service: 'mongodb',
    port: 27017,
    prepare: (container) => container.withWaitStrategy(Wait.forLogMessage(/Waiting for connections/)),
    variables: (address) => ({ CONFORMANCE_MONGODB_URL: `mongodb://${address}` }),
  });

export const s3Container = (): Server =>
  server({
    service: 's3',
    port: 9000,
    limits: versityLimits,
    prepare: (container) =>
      container
        .withEntrypoint([
          'sh',
          '-ec',
          'mkdir -p /tmp/objects /tmp/users && exec versitygw posix /tmp/objects',
        ])
        .withEnvironment({
          ROOT_ACCESS_KEY_ID: 'conformance',
          ROOT_SECRET_ACCESS_KEY: secret,
          VGW_PORT: ':9000',
          VGW_IAM_DIR: '/tmp/users',
          VGW_HEALTH: '/health',
        })
        .withWaitStrategy(Wait.forHttp('/health', 9000)),
    variables: (address) => ({
      CONFORMANCE_S3_URL: `http://${address}`,
      CONFORMANCE_S3_ACCESS_KEY_ID: 'conformance',
      CONFORMANCE_S3_SECRET_ACCESS_KEY: secret,
    }),
  });

export const liveKitContainer = (): Server =>
  server({
    service: 'livekit',
    port: 7880,
    // The tests of calls and trunks need its SIP service and Redis, which are two more servers.
    only: '^(a room |a stranger |a dispatch (?!rule))',
    prepare: (container) =>
      container
        .withCommand(['--bind', '0.0.0.0'])
        .withEnvironment({ LIVEKIT_KEYS: `conformance: ${secret}` })
        .withWaitStrategy(Wait.forHttp('/', 7880)),
    variables: (address) => ({
      CONFORMANCE_LIVEKIT_URL: `http://${address}`,
      LIVEKIT_API_KEY: 'conformance',
      LIVEKIT_API_SECRET: secret,
    }),
  });

/** True where a Docker engine answers. */
export const containersCanRun = async (): Promise<boolean> => {
  try {
    await getContainerRuntimeClient();
    return true;
  } catch {
    return false;
  }
};
