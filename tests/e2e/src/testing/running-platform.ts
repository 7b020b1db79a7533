// The platform as a person runs it: a process of its own, started by the program that `npm start` runs after its build.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, natsRefusals } from '@parlance/engines';
import { DataFolder, type State } from '@parlance/start';

/** A machine that runs other tests beside it is slow, so answers may be late here; tests of outages check their delay. */
const patient = { RPC_TIMEOUT_MS: '20000' };

const root = fileURLToPath(new URL('../../../../', import.meta.url));

export interface RunningPlatform {
  readonly url: string;
  /** Base address of the interface. */
  readonly api: string;
  readonly demo: NonNullable<State['demo']>;
  readonly dataDir: string;
  /** Its log lines with this text since its start, for a person who investigates a failed test; errors unless given. */
  logged(text?: string): readonly string[];
  /** Ctrl-C. Resolves when the process has ended. */
  stop(): Promise<void>;
  /** kill -9. */
  crash(): Promise<void>;
  /** Starts it again on the same data. */
  restart(): Promise<void>;
  /** Ends it and deletes its data. Rejects when NATS refused a process something. */
  remove(): Promise<void>;
}

interface Launched {
  readonly child: ChildProcess;
  /** Its output so far. */
  readonly output: () => string;
}

const launch = async (
  dataDir: string,
  port: number,
  variables: Readonly<Record<string, string>>,
  flags: readonly string[],
): Promise<Launched> => {
  const child = spawn(
    process.execPath,
    [
      'sandbox/start/dist/bin.js',
      ...['--data-dir', dataDir],
      ...['--port', String(port)],
      ...['--time-scale', '10'],
      ...flags,
    ],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...patient, ...variables },
    },
  );
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer): void => {
      output += chunk.toString();
      if (/Parlance (is ready|runs) at/.test(output)) resolve();
    };
    child.stdout?.on('data', listen);
    child.stderr?.on('data', listen);
    child.once('exit', (code) => reject(new Error(`the platform ended with ${code}:\n${output}`)));
  });
  return { child, output: () => output };
};

const errorLevel = '"level":"error"';
/** The sentence under which a service and the gateway log an error that is answered with 500. */
const unexpected = '"msg":"request failed"';
const mostTold = 20;

/**
 * The data go with the platform. Each error that was answered with 500 is therefore told here, with its stack and its
 * request.
 */
const tellUnexpected = (dataDir: string, lines: readonly string[]): void => {
  const found = lines.filter((line) => line.includes(errorLevel)).slice(0, mostTold);
  if (found.length > 0) process.stderr.write(`answered with 500 on ${dataDir}:\n${found.join('\n')}\n`);
};

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()));

/**
 * Starts a platform on data of its own.
 * @param variables of the environment, such as rate limits
 * @param flags of the command line, such as `--real-media`
 */
export const runPlatform = async (
  variables: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Promise<RunningPlatform> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'parlance-e2e-'));
  // Not the usual port, which every platform that starts at the same moment takes for free.
  const port = await freePort();
  let { child, output } = await launch(dataDir, port, variables, flags);
  const { url, demo } = new DataFolder(dataDir).state();
  if (url === undefined) throw new Error('the platform did not say where it is');
  const signal = async (name: NodeJS.Signals): Promise<void> => {
    child.kill(name);
    await ended(child);
  };
  const logged = (text: string): readonly string[] => {
    const services = readFileSync(new DataFolder(dataDir).log('services'), 'utf8');
    return `${output()}\n${services}`.split('\n').filter((line) => line.includes(text));
  };
  return {
    url,
    api: `${url}/api/v1`,
    get demo() {
      if (demo === undefined) throw new Error('the platform was started without a first organization');
      return demo;
    },
    dataDir,
    logged: (text = errorLevel) => logged(text),
    stop: () => signal('SIGINT'),
    crash: () => signal('SIGKILL'),
    restart: async () => {
      ({ child, output } = await launch(dataDir, port, variables, flags));
    },
    remove: async () => {
      await signal('SIGINT');
      tellUnexpected(dataDir, logged(unexpected));
      const natsLog = new DataFolder(dataDir).log('nats');
      const refusals = existsSync(natsLog) ? natsRefusals(natsLog) : [];
      rmSync(dataDir, { recursive: true, force: true });
      if (refusals.length > 0) throw new Error(`NATS refused a process something:\n${refusals.join('\n')}`);
    },
  };
};
