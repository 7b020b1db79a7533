// Tells callers where they stand, so that they can slow down before they are refused.
import type { AppError } from '@parlance/errors';
import type { Concurrency } from '@parlance/rpc';
import type { Response } from 'express';
import type { LimitState } from './rate-limits.js';

export const setLimitHeaders = (response: Response, state: LimitState): void => {
  response.setHeader('RateLimit-Limit', String(state.limit));
  response.setHeader('RateLimit-Remaining', String(state.remaining));
  response.setHeader('RateLimit-Reset', String(state.resetSeconds));
};

/** Sets the headers of an operation that dials. */
export const setConcurrencyHeaders = (response: Response, { limit, remaining }: Concurrency): void => {
  response.setHeader('X-Concurrency-Limit', String(limit));
  response.setHeader('X-Concurrency-Remaining', String(remaining));
};

/** An organization that is refused another call has none left. */
export const concurrencyOf = ({ code, details }: AppError): Concurrency | undefined => {
  if (code !== 'CONCURRENCY_LIMIT' || typeof details !== 'object' || details === null) return undefined;
  const limit = 'maxConcurrentCalls' in details ? details.maxConcurrentCalls : undefined;
  return typeof limit === 'number' ? { limit, remaining: 0 } : undefined;
};
