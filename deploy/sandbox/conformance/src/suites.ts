// The conformance suites: which engine, where its tests are, and how they are told of a server that is not the stand-in.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

export interface Suite {
  /** Folder under deploy/sandbox, and name of the option. */
  readonly engine: string;
  /** Variable by which the tests are told the server's URL. */
  readonly variable: string;
  readonly example: string;
  /** Credentials that they read besides, when the URL does not hold them. */
  readonly credentials: readonly string[];
  readonly warning?: string;
}

const spendsMoney = 'buys and releases numbers, for money';

export const suites: readonly Suite[] = [
  {
    engine: 'eventstore',
    variable: 'CONFORMANCE_EVENTSTORE_URL',
    example: 'esdb://127.0.0.1:2113?tls=false',
    credentials: [],
  },
  {
    engine: 'mongodb',
    variable: 'CONFORMANCE_MONGODB_URL',
    example: 'mongodb://127.0.0.1:27017',
    credentials: [],
  },
  {
    engine: 's3',
    variable: 'CONFORMANCE_S3_URL',
    example: 'http://127.0.0.1:9000',
    credentials: ['CONFORMANCE_S3_ACCESS_KEY_ID', 'CONFORMANCE_S3_SECRET_ACCESS_KEY'],
  },
  {
    engine: 'livekit',
    variable: 'CONFORMANCE_LIVEKIT_URL',
    example: 'http://127.0.0.1:7880',
    credentials: ['LIVEKIT_API_KEY', 'LIVEKIT_API_SECRET'],
  },
  {
    engine: 'twilio',
    variable: 'CONFORMANCE_TWILIO_URL',
    example: 'https://api.twilio.com',
    credentials: ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'],
    warning: spendsMoney,
  },
  {
    engine: 'telnyx',
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
  /** Gathers what is said instead of showing it. */
  readonly quiet?: boolean;
}

/** Runs the suites of some engines, each in jest as `npm test` does. Resolves with what was said and whether all passed. */
export const runSuites = ({ engines, variables, only, quiet = false }: Run) =>
  new Promise<{ readonly passed: boolean; readonly output: string }>((resolve) => {
    const folders = engines.map((engine) => `deploy/sandbox/${engine}/src/conformance`);
    const jest = [
      '--experimental-vm-modules',
      '--no-warnings=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
    ];
    const args = [...jest, ...folders, '--selectProjects', 'int', ...(only ? ['-t', only] : ['--verbose'])];
    const child = spawn(process.execPath, args, {
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
