// A copy of the dialer as a process of its own, so that it can die and sleep like one.
import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { dyingWithParent } from '@parlance/engines';
import { programOf } from '@parlance/fixtures';

const root = new URL('../../../', import.meta.url);
const main = programOf('outbound-dialer');
/** Compiled, because the process that loads it knows nothing of TypeScript. */
const clockOffset = new URL('tests/chaos/dist/clock-offset.js', root).href;

export interface DialerOptions {
  /** Name of a crash point at which it kills itself. */
  readonly crashAt?: string | undefined;
  /** Name of a crash point at which it stops until it gets a SIGCONT. */
  readonly stopAt?: string | undefined;
  /** Neither happens before it is armed; otherwise it is from the start. */
  readonly isArmedLater?: boolean | undefined;
  /** Milliseconds by which its clock is ahead; negative is behind. */
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
  /** From now on it dies or stops where it is to, once for every time it is armed. Waits until it serves. */
  arm(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** kill -9. Resolves when it is gone. */
  kill(): Promise<void>;
}

interface Launched {
  readonly child: ChildProcess;
  readonly serving: Promise<void>;
  readonly exit: Promise<{ readonly signal: NodeJS.Signals | null; readonly served: boolean }>;
}

const launch = (options: DialerOptions): Launched => {
  const { crashAt, stopAt, isArmedLater = false, clockOffsetMs, variables, logFile } = options;
  const preload = clockOffsetMs === undefined ? [] : ['--import', clockOffset];
  const [file, ...args] = dyingWithParent([process.execPath, ...preload, main], 'KILL');
  const log = createWriteStream(logFile, { flags: 'a' });
  const child = spawn(file, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...variables,
      ...(crashAt === undefined ? {} : { CRASH_AT: crashAt }),
      ...(stopAt === undefined ? {} : { STOP_AT: stopAt }),
      ...(isArmedLater ? { CRASH_WHEN: 'signalled' } : {}),
      ...(clockOffsetMs === undefined ? {} : { CLOCK_OFFSET_MS: String(clockOffsetMs) }),
    },
  });
  child.stderr.pipe(log, { end: false });
  child.stdout.pipe(log, { end: false });
  let served = false;
  const serving = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      if (!chunk.includes('"msg":"serving"')) return;
      served = true;
      resolve();
    });
  });
  const exit: Launched['exit'] = new Promise((resolve) => {
    child.once('error', () => resolve({ signal: null, served }));
    child.once('exit', (_, signal) => {
      log.end();
      resolve({ signal, served });
    });
  });
  return { child, serving, exit };
};

/** A busy machine lets a start fail now and then. An operator starts such a service again, so the test does too. */
const mostStarts = 5;

/** Starts a dialer; returns at once. It answers a second or two later. */
export const spawnDialer = (options: DialerOptions): DialerProcess => {
  let isStopping = false;
  let running = launch(options);
  const { promise: serving, resolve: serve } = withResolvers();
  const live = async (): Promise<'itself' | 'stopped' | 'failed'> => {
    for (let starts = 1; ; starts += 1) {
      void running.serving.then(serve);
      const { signal, served } = await running.exit;
      if (isStopping) return 'stopped';
      if (signal === 'SIGKILL' && options.crashAt !== undefined) return 'itself';
      if (served || starts === mostStarts) return 'failed';
      running = launch(options);
    }
  };
  const death = live();
  return {
    get pid() {
      return running.child.pid ?? 0;
    },
    serving,
    death,
    isAlive: () => running.child.exitCode === null && running.child.signalCode === null,
    arm: async () => {
      await Promise.race([serving, death]);
      running.child.kill('SIGUSR2');
    },
    signal: (name) => void running.child.kill(name),
    kill: async () => {
      isStopping = true;
      running.child.kill('SIGKILL');
      await death;
    },
  };
};

const withResolvers = (): { readonly promise: Promise<void>; readonly resolve: () => void } => {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
};
