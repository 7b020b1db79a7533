// Pieces that every operation of the OpenAPI document has.
import { type Json, reference } from './schemas.js';

export const rateHeaders = {
  'RateLimit-Limit': reference('headers', 'RateLimitLimit'),
  'RateLimit-Remaining': reference('headers', 'RateLimitRemaining'),
  'RateLimit-Reset': reference('headers', 'RateLimitReset'),
};

export const concurrencyHeaders = {
  'X-Concurrency-Limit': reference('headers', 'ConcurrencyLimit'),
  'X-Concurrency-Remaining': reference('headers', 'ConcurrencyRemaining'),
};

export const withExample = (example: unknown): Json => (example === undefined ? {} : { example });
