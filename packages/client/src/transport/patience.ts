// Decides when a request is sent once more, and the wait of the client before.

import type { CallOptions, ClientOptions } from '../method/options.js';
import { ApiError } from './api-error.js';
import { isRead, type Operation } from './operation.js';

/** The patience of the client with one request. Times in milliseconds. */
export interface Patience {
  readonly retries: number;
  readonly timeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly retryDelayMs: number;
}

export const patienceOf = (options: ClientOptions, call: CallOptions): Patience => ({
  retries: call.retries ?? options.retries ?? 3,
  timeoutMs: call.timeoutMs ?? options.timeoutMs ?? 30_000,
  totalTimeoutMs: call.totalTimeoutMs ?? options.totalTimeoutMs ?? 90_000,
  retryDelayMs: options.retryDelayMs ?? 250,
});

const longestDelayMs = 8_000;

/** True for an operation that can be asked twice and is done once. */
export const isRepeatable = (row: Operation): boolean => isRead(row) || row.takesIdempotencyKey;

/**
 * True for a failure that proves nothing and may pass: no answer, or one that asks to come back. A conflict is an answer:
 * the program has to look again before it asks again.
 */
export const mayPass = (error: unknown): boolean =>
  error instanceof ApiError ? error.retryable && error.code !== 'CONFLICT' : true;

/**
 * The wait before a repetition: full jitter under a bound that doubles, and never less than the platform asks for.
 * @param repetition 1 for the first
 * @param random from 0 to 1
 */
export const delayBefore = (
  repetition: number,
  { retryDelayMs }: Pick<Patience, 'retryDelayMs'>,
  retryAfterSeconds: number | undefined,
  random: number,
): number => {
  const jitter = random * Math.min(longestDelayMs, retryDelayMs * 2 ** (repetition - 1));
  return (retryAfterSeconds ?? 0) * 1_000 + jitter;
};

/** Resolves after the time. @throws the reason of the signal, as soon as it says so */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
