// The real engines, each in a container of its own, of the very images that docker-compose.yml names.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';
import { parse } from 'yaml';
import type { Variables } from './suites.js';

const composeFile = new URL('../../../../docker-compose.yml', import.meta.url);

/** @throws Error when docker-compose.yml has no such service */
const imageOf = (service: string): string => {
  // Compose's own format; deploy/compose checks that the file has it.
  const { services } = parse(readFileSync(composeFile, 'utf8')) as {
    services: Record<string, { image?: string } | undefined>;
  };
  const image = services[service]?.image;
  if (image === undefined) throw new Error(`docker-compose.yml has no image for ${service}`);
  return image;
};

const secret = randomBytes(24).toString('hex');
const startTimeoutMs = 180_000;

export interface RealEngine {
  readonly engine: string;
  /** Tests that a single container cannot pass are left out. */
  readonly only?: string;
  readonly container: () => GenericContainer;
  readonly port: number;
  readonly variables: (address: string) => Variables;
}

export const realEngines: readonly RealEngine[] = [
  {
    engine: 'eventstore',
    port: 2113,
    container: () =>
      new GenericContainer(imageOf('eventstore'))
        .withEnvironment({ EVENTSTORE_INSECURE: 'true', EVENTSTORE_MEM_DB: 'true' })
        .withWaitStrategy(Wait.forHttp('/health/live', 2113).forStatusCode(204)),
    variables: (address) => ({ CONFORMANCE_EVENTSTORE_URL: `esdb://${address}?tls=false` }),
  },
  {
    engine: 'mongodb',
    port: 27017,
    container: () =>
      new GenericContainer(imageOf('mongodb')).withWaitStrategy(
        Wait.forLogMessage(/Waiting for connections/),
      ),
    variables: (address) => ({ CONFORMANCE_MONGODB_URL: `mongodb://${address}` }),
  },
  {
    engine: 's3',
    port: 9000,
    container: () =>
      new GenericContainer(imageOf('minio'))
        .withCommand(['server', '/data'])
        .withEnvironment({ MINIO_ROOT_USER: 'conformance', MINIO_ROOT_PASSWORD: secret })
        .withWaitStrategy(Wait.forHttp('/minio/health/live', 9000)),
    variables: (address) => ({
      CONFORMANCE_S3_URL: `http://${address}`,
      CONFORMANCE_S3_ACCESS_KEY_ID: 'conformance',
      CONFORMANCE_S3_SECRET_ACCESS_KEY: secret,
    }),
  },
  {
    engine: 'livekit',
    port: 7880,
    // Its SIP service is another server, with Redis between them: the tests of calls and trunks need all three.
    only: '^(a room |a stranger |a dispatch (?!rule))',
    container: () =>
      new GenericContainer(imageOf('livekit'))
        .withCommand(['--bind', '0.0.0.0'])
        .withEnvironment({ LIVEKIT_KEYS: `conformance: ${secret}` })
        .withWaitStrategy(Wait.forHttp('/', 7880)),
    variables: (address) => ({
      CONFORMANCE_LIVEKIT_URL: `http://${address}`,
      LIVEKIT_API_KEY: 'conformance',
      LIVEKIT_API_SECRET: secret,
    }),
  },
];

/** Starts the engine; resolves with its container and what its suite has to be told. */
export const startReal = async (
  engine: RealEngine,
): Promise<{ readonly container: StartedTestContainer; readonly variables: Variables }> => {
  const container = await engine
    .container()
    .withExposedPorts(engine.port)
    .withStartupTimeout(startTimeoutMs)
    .start();
  const address = `${container.getHost()}:${container.getMappedPort(engine.port)}`;
  return { container, variables: engine.variables(address) };
};
