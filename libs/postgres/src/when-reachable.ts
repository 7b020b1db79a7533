// Retries the first use of Postgres by a process. On a busy machine the first connection can exceed the timeout of a request, and
// after a reboot Postgres may start last.
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@parlance/errors';
import type { Logger } from '@parlance/observability';
import { codeOf } from './socket-errors.js';

export interface ReachOptions {
  readonly logger: Logger;
  /** Total time for all attempts in milliseconds; a minute by default. */
  readonly limitMs?: number;
}

const firstDelayMs = 250;
const longestDelayMs = 5_000;

// SQLSTATE class 28: user or password; 3D000: no such database; 42501: no right to connect.
const refusal = /^(?:28...|3D000|42501)$/;

/** False if the server refused the connection, because waiting does not help then. */
const mayPass = (error: unknown): boolean =>
  error instanceof AppError &&
  error.code === 'SERVICE_UNAVAILABLE' &&
  !(error.cause instanceof Error && refusal.test(codeOf(error.cause)));

/**
 * Retries with exponential backoff while Postgres cannot be reached.
 * @param work must be safe to repeat after a partial failure
 * @throws the error of the last attempt
 */
export const whenReachable = async <T>(
  work: () => Promise<T>,
  { logger, limitMs = 60_000 }: ReachOptions,
): Promise<T> => {
  const deadline = performance.now() + limitMs;
  for (let pauseMs = firstDelayMs; ; pauseMs = Math.min(longestDelayMs, 2 * pauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (!mayPass(error) || performance.now() + pauseMs > deadline) throw error;
      logger.warn({ err: error, pauseMs }, 'postgres unreachable, retrying');
      await delay(pauseMs);
    }
  }
};
