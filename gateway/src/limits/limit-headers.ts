// Tells callers where they stand, so that they can slow down before they are refused.
import type { Response } from 'express';
import type { LimitState } from './rate-limits.js';

export const setLimitHeaders = (response: Response, state: LimitState): void => {
  response.setHeader('RateLimit-Limit', String(state.limit));
  response.setHeader('RateLimit-Remaining', String(state.remaining));
  response.setHeader('RateLimit-Reset', String(state.resetSeconds));
};
