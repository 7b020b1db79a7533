// Pieces that every operation of the OpenAPI document has.
import { defaultBodyLimit } from '@parlance/http';
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

/** Security of an operation that anybody may call. */
export const anybody: Json[] = [{}];

/** @param limitBytes of the body; the default of the gateway unless given */
export const requestBodyOf = (
  schema: Json,
  {
    required,
    limitBytes = defaultBodyLimit,
    example,
  }: { required: boolean; limitBytes?: number | undefined; example: unknown },
): Json => ({
  description: `JSON, at most ${limitBytes / 1024} KiB.`,
  required,
  content: { 'application/json': { schema, ...withExample(example) } },
});
