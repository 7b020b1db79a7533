// Runs an engine as a child process. The engine dies with us even on kill -9, comes back when it falls over, and stops
// when asked.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { endPreviousRun, recordProcess } from './previous-run.js';

export interface ChildOptions {
  /** For messages: "postgres", "nats-server". */
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** Called before every start, when the engine does not run; answers variables for this start. */
  readonly prepare?: () => Readonly<Record<string, string>>;
  /** Where its output goes; appended. */
  readonly logFile: string;
  /** Resolves once the engine answers; rejects or throws while it does not. */
  readonly probe?: () => Promise<void>;
  readonly stopSignal?: NodeJS.Signals;
  /** Until it answers; a minute unless given. */
  readonly startTimeoutMs?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Remembers the process here, so that the next run can end it if we could not. */
  readonly pidFile?: string;
  /**
   * Keeps an IPC channel open, so that a Node child notices our death on any system. A child without a probe is ready
   * when it sends its first message. The message `{ refusal }` says why it does not start.
   */
  readonly ipc?: boolean;
  /**
   * The instructions that the child gets over IPC, once they are known; the child may load its code meanwhile. A
   * rejection ends it.
   */
  readonly instructions?: Promise<object>;
}

export interface Child {
  readonly pid: () => number | undefined;
  /** Kills the engine at once, as a crash would; it is started again by itself. */
  crash(): void;
  /** Ends it for good. */
  stop(): Promise<void>;
}

const hasSetpriv = (): boolean => spawnSync('setpriv', ['--version'], { stdio: 'ignore' }).status === 0;

/** Where the kernel can, ties the child's life to ours, so that kill -9 of the platform leaves nothing behind. */
export const dyingWithParent = (
  command: readonly [string, ...string[]],
  signal: string,
): [string, ...string[]] =>
  hasSetpriv() ? ['setpriv', '--pdeathsig', signal, '--', ...command] : [...command];

const restartDelayMs = 200;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const launch = (options: ChildOptions): ChildProcess => {
  const prepared = options.prepare?.();
  const log = openSync(options.logFile, 'a');
  try {
    const [file, ...args] = options.command;
    const child = spawn(file, args, {
      stdio: options.ipc ? ['ignore', log, log, 'ipc'] : ['ignore', log, log],
      env: { ...process.env, ...options.env, ...prepared },
    });
    if (options.pidFile !== undefined && child.pid !== undefined) recordProcess(options.pidFile, child.pid);
    options.instructions?.then(
      (instructions) => child.connected && child.send(instructions),
      () => child.kill('SIGKILL'),
    );
    return child;
  } finally {
    closeSync(log);
  }
};

/** The reason that a child gave for not starting. */
class ChildRefusal extends Error {}

const refusalIn = (message: unknown): string | undefined =>
  typeof message === 'object' && message !== null && 'refusal' in message
    ? String(message.refusal)
    : undefined;

const noProbe = (child: ChildProcess): (() => Promise<void>) => {
  let first: { readonly message: unknown } | undefined;
  child.once('message', (message) => {
    first = { message };
  });
  return async () => {
    if (first === undefined) throw new Error('it has not said that it is ready');
    const refusal = refusalIn(first.message);
    if (refusal !== undefined) throw new ChildRefusal(refusal);
  };
};

const untilReady = async (
  options: ChildOptions,
  probe: () => Promise<void>,
  alive: () => boolean,
): Promise<void> => {
  const deadline = Date.now() + (options.startTimeoutMs ?? 60_000);
  for (;;) {
    try {
      return await probe();
    } catch (cause) {
      if (cause instanceof ChildRefusal) throw cause;
      if (!alive()) throw new Error(`${options.name} did not start; see ${options.logFile}`, { cause });
      if (Date.now() > deadline) {
        throw new Error(`${options.name} did not answer in time; see ${options.logFile}`, { cause });
      }
      await pause(25);
    }
  }
};

/** Starts the child, waits until it answers, and keeps it running until `stop`. */
export const startChild = async (options: ChildOptions): Promise<Child> => {
  if (options.pidFile !== undefined) await endPreviousRun(options.pidFile, options.stopSignal ?? 'SIGTERM');
  let stopping = false;
  let started = false;
  let child = launch(options);
  const alive = (): boolean =>
    child.exitCode === null && child.signalCode === null && child.pid !== undefined;
  const watch = (): void => {
    child.once('error', () => undefined);
    child.once('exit', () => {
      if (stopping || !started) return;
      setTimeout(() => {
        if (stopping) return;
        child = launch(options);
        watch();
      }, restartDelayMs).unref();
    });
  };
  watch();
  try {
    await untilReady(options, options.probe ?? noProbe(child), alive);
  } catch (error) {
    stopping = true;
    child.kill('SIGKILL');
    throw error;
  }
  started = true;
  return {
    pid: () => child.pid,
    crash: () => {
      child.kill('SIGKILL');
    },
    stop: async () => {
      stopping = true;
      if (!alive()) return;
      const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      child.kill(options.stopSignal ?? 'SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 8_000);
      await gone;
      clearTimeout(timer);
    },
  };
};
