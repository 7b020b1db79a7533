// A copy of the dialer as a process of its own, so that it can die and sleep like one.
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { dyingWithParent } from '@parlance/sandbox-engines';

const root = new URL('../../../../', import.meta.url);
const main = fileURLToPath(new URL('services/outbound-dialer/dist/main.js', root));
/** Compiled, because the process that loads it knows nothing of TypeScript. */
const clockOffset = new URL('deploy/sandbox/chaos/dist/clock-offset.js', root).href;

export interface DialerOptions {
  /** Name of a crash point at which it kills itself. */
  readonly crashAt?: string | undefined;
  /** Name of a crash point at which it stops until it gets a SIGCONT. */
  readonly stopAt?: string | undefined;
  /** How far its clock is ahead; negative is behind. */
  readonly clockOffsetMs?: number | undefined;
  readonly variables: Readonly<Record<string, string>>;
  readonly logFile: string;
}

export interface DialerProcess {
  readonly pid: number;
  /** Resolves when it has said that it answers; never when it dies before. */
  readonly serving: Promise<void>;
  /** Resolves when it is gone: `itself` at its crash point, `stopped` by us, `failed` in any other way. */
  readonly death: Promise<'itself' | 'stopped' | 'failed'>;
  isAlive(): boolean;
  signal(name: NodeJS.Signals): void;
  /** kill -9. Resolves when it is gone. */
  kill(): Promise<void>;
}

/** Starts a dialer; returns at once. It answers a second or two later. */
export const spawnDialer = (options: DialerOptions): DialerProcess => {
  const { crashAt, stopAt, clockOffsetMs, variables, logFile } = options;
  const preload = clockOffsetMs === undefined ? [] : ['--import', clockOffset];
  const [file, ...args] = dyingWithParent([process.execPath, ...preload, main], 'KILL');
  const log = createWriteStream(logFile, { flags: 'a' });
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...variables,
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      ...(crashAt === undefined ? {} : { CRASH_AT: crashAt }),
      ...(stopAt === undefined ? {} : { STOP_AT: stopAt }),
      ...(clockOffsetMs === undefined ? {} : { CLOCK_OFFSET_MS: String(clockOffsetMs) }),
    },
  });
  child.stderr.pipe(log, { end: false });
  child.stdout.pipe(log, { end: false });
  const serving = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (chunk.includes('"msg":"serving"')) resolve();
    });
  });
  let isStopping = false;
  const death = new Promise<'itself' | 'stopped' | 'failed'>((resolve) => {
    child.once('error', () => resolve('failed'));
    child.once('exit', (_, signal) => {
      log.end();
      if (isStopping) resolve('stopped');
      else resolve(signal === 'SIGKILL' && crashAt !== undefined ? 'itself' : 'failed');
    });
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`no process for a dialer; see ${logFile}`);
  return {
    pid,
    serving,
    death,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    signal: (name) => void child.kill(name),
    kill: async () => {
      isStopping = true;
      child.kill('SIGKILL');
      await death;
    },
  };
};
