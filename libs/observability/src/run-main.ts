// The life of a process: start, run until told to stop or until something breaks, drain, exit with a code that tells.
import { StartRefusal } from '@parlance/config';
import { createLogger, type Logger } from './logging/logger.js';
import type { RunningService } from './running.js';
import { flushTelemetry } from './telemetry/telemetry.js';

type Listener = (reason: unknown) => void;

/** The part of Node's `process` that is used; tests bring their own. */
export interface ProcessHost {
  on(event: 'SIGTERM' | 'SIGINT' | 'unhandledRejection' | 'uncaughtException', listener: Listener): unknown;
  exit(code: number): void;
}

export interface RunMainOptions {
  readonly host?: ProcessHost;
  readonly logger?: Logger;
  /** The longest time of an orderly stop. */
  readonly stopLimitMs?: number;
  /** The longest time of a stop after a crash. */
  readonly crashLimitMs?: number;
}

/** True when it settled well in time. */
const within = async (limitMs: number, work: Promise<unknown>, logger: Logger): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => {
      logger.error({ limitMs }, 'stopping took too long');
      resolve(false);
    }, limitMs);
  });
  const done = work.then(
    () => true,
    (error: unknown) => {
      logger.error({ err: error }, 'stopping failed');
      return false;
    },
  );
  return Promise.race([done, limit]).finally(() => clearTimeout(timer));
};

/** Operators read a refusal; the stack of an error is for developers. */
const toldOf = (error: unknown) =>
  error instanceof StartRefusal ? { reason: error.message } : { err: error };

/**
 * Runs a service until SIGTERM or SIGINT, then stops it within 25 s, or its own limit, and exits 0. A second signal exits
 * 1 at once. After an uncaught error the state of the process can no longer be trusted. The error is logged, and the
 * process stops within 5 s and exits 1.
 */
export const runMain = async (
  start: () => Promise<RunningService>,
  {
    host = process,
    logger = createLogger({ service: 'main' }),
    stopLimitMs = 25_000,
    crashLimitMs = 5_000,
  }: RunMainOptions = {},
): Promise<void> => {
  let stopping = false;
  let exitCode = 0;
  let running: RunningService | undefined;
  const starting = Promise.resolve().then(start);

  const shutdown = async (limitMs: number): Promise<void> => {
    if (stopping) return;
    stopping = true;
    const stopped = await within(
      limitMs,
      starting.then((service) => service.stop()),
      logger,
    );
    await within(2_000, flushTelemetry(), logger);
    host.exit(stopped ? exitCode : 1);
  };
  const onSignal = (signal: string): void => {
    if (stopping) {
      host.exit(1);
      return;
    }
    logger.info({ signal }, 'stopping');
    void shutdown(running?.stopLimitMs ?? stopLimitMs);
  };
  const onCrash = (message: string, reason: unknown): void => {
    exitCode = 1;
    logger.fatal({ err: reason }, message);
    void shutdown(crashLimitMs);
  };

  host.on('SIGTERM', () => onSignal('SIGTERM'));
  host.on('SIGINT', () => onSignal('SIGINT'));
  host.on('unhandledRejection', (reason) => onCrash('unhandled rejection', reason));
  host.on('uncaughtException', (error) => onCrash('uncaught exception', error));

  try {
    running = await starting;
    logger.info({ started: running.name }, 'serving');
  } catch (error) {
    if (stopping) return;
    stopping = true;
    logger.fatal(toldOf(error), 'could not start');
    await within(2_000, flushTelemetry(), logger);
    host.exit(1);
  }
};
