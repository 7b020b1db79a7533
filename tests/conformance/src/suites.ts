// The conformance suites: the engine of each, its tests, and the variables that name another server than the default
// one.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOutcomes, type TestOutcome } from './outcomes.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface Suite {
  /** Name of the option. */
  readonly engine: string;
  /** Folders or files of its tests, from the root of the project. */
  readonly tests: readonly string[];
  /** Variable by which the tests are told the server's URL. */
  readonly variable: string;
  readonly example: string;
  /** Credentials that they read besides, when the URL does not hold them. */
  readonly credentials: readonly string[];
  readonly warning?: string;
}

const spendsMoney = 'buys and releases numbers, for money';

/** The suite of a stand-in lies in the stand-in's own workspace. */
const besideStandIn = (engine: string) => ({ engine, tests: [`sandbox/fakes/${engine}/src/conformance`] });

export const suites: readonly Suite[] = [
  {
    ...besideStandIn('eventstore'),
    variable: 'CONFORMANCE_EVENTSTORE_URL',
    example: 'esdb://127.0.0.1:2113?tls=false',
    credentials: [],
  },
  {
    engine: 'nats',
    tests: ['tests/conformance/src/nats'],
    variable: 'CONFORMANCE_NATS_URL',
    example: 'nats://token@127.0.0.1:4222',
    credentials: [],
  },
  {
    engine: 'postgres',
    // The platform's own tests of its use of PostgreSQL are the suite; one more is about a server that is killed.
    tests: [
      'tests/conformance/src/postgres',
      'tests/fixtures/src/persistence/database.int.spec.ts',
      'tests/fixtures/src/persistence/schema.int.spec.ts',
      'tests/fixtures/src/persistence/removals.int.spec.ts',
    ],
    variable: 'CONFORMANCE_POSTGRES_URL',
    example: 'postgres://superuser:password@127.0.0.1:5432/postgres',
    credentials: [],
    warning: 'makes and drops databases and roles, as a superuser',
  },
  {
    ...besideStandIn('mongodb'),
    variable: 'CONFORMANCE_MONGODB_URL',
    example: 'mongodb://127.0.0.1:27017',
    credentials: [],
  },
  {
    ...besideStandIn('s3'),
    variable: 'CONFORMANCE_S3_URL',
    example: 'http://127.0.0.1:9000',
    credentials: ['CONFORMANCE_S3_ACCESS_KEY_ID', 'CONFORMANCE_S3_SECRET_ACCESS_KEY'],
  },
  {
    ...besideStandIn('livekit'),
    // The platform does not speak to Redis: this suite also tests the data that LiveKit keeps there.
    tests: [...besideStandIn('livekit').tests, 'tests/conformance/src/livekit'],
    variable: 'CONFORMANCE_LIVEKIT_URL',
    example: 'http://127.0.0.1:7880',
    credentials: ['LIVEKIT_API_KEY', 'LIVEKIT_API_SECRET'],
  },
  {
    ...besideStandIn('twilio'),
    variable: 'CONFORMANCE_TWILIO_URL',
    example: 'https://api.twilio.com',
    credentials: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'],
    warning: spendsMoney,
  },
  {
    ...besideStandIn('telnyx'),
    variable: 'CONFORMANCE_TELNYX_URL',
    example: 'https://api.telnyx.com/v2',
    credentials: ['TELNYX_API_KEY'],
    warning: spendsMoney,
  },
];

export type Variables = Readonly<Record<string, string>>;

export interface Run {
  readonly engines: readonly string[];
  /** Added to the environment of the tests. */
  readonly variables: Variables;
  /** Regular expression; only tests with such a name. */
  readonly only?: string | undefined;
  /** Gathers the output of jest instead of showing it. */
  readonly quiet?: boolean;
}

export interface RunResult {
  readonly passed: boolean;
  readonly output: string;
  readonly outcomes: readonly TestOutcome[];
}

const jest = [
  '--experimental-vm-modules',
  '--no-warnings=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
];

const spawnJest = (args: readonly string[], variables: Variables, quiet: boolean) =>
  new Promise<{ readonly passed: boolean; readonly output: string }>((resolve) => {
    const child = spawn(process.execPath, [...jest, ...args], {
      cwd: root,
      env: { ...process.env, ...variables },
      stdio: quiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    child.once('close', (code) => resolve({ passed: code === 0, output }));
  });

/** Runs the suites of some engines, each in jest as `npm test` does. */
export const runSuites = async ({ engines, variables, only, quiet = false }: Run): Promise<RunResult> => {
  const directory = await mkdtemp(join(tmpdir(), 'parlance-conformance-run-'));
  const outputFile = join(directory, 'outcomes.json');
  const tests = suites.filter(({ engine }) => engines.includes(engine)).flatMap((suite) => suite.tests);
  const names = only === undefined ? ['--verbose'] : ['-t', only];
  const args = [...tests, '--selectProjects', 'int', '--json', `--outputFile=${outputFile}`, ...names];
  try {
    const { passed, output } = await spawnJest(args, variables, quiet);
    return { passed, output, outcomes: await readOutcomes(outputFile) };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};
