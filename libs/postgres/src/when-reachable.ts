// The first work of a process on Postgres. On a busy machine the first connection takes longer than a request would wait for it,
// and after the start of a whole machine Postgres may come last.
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@parlance/errors';
import type { Logger } from '@parlance/observability';
import { codeOf } from './socket-errors.js';

export interface ReachOptions {
  readonly logger: Logger;
  /** The longest time of all tries, in milliseconds (a minute). */
  readonly limitMs?: number;
}

const firstDelayMs = 250;
const longestDelayMs = 5_000;

// SQLSTATE class 28: user or password; 3D000: no such database; 42501: no right to connect.
const refusal = /^(?:28...|3D000|42501)$/;

/** False for a server that has answered and refused, which waiting does not change. */
const mayPass = (error: unknown): boolean =>
  error instanceof AppError &&
  error.code === 'SERVICE_UNAVAILABLE' &&
  !(error.cause instanceof Error && refusal.test(codeOf(error.cause)));

/**
 * Tries again while Postgres cannot be reached, with growing pauses.
 * @param work may be begun again after it failed half-way
 * @throws the error of the work, or of its last try in the time
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
      logger.warn({ err: error, pauseMs }, 'cannot reach postgres yet');
      await delay(pauseMs);
    }
  }
};
