// Pieces that every operation of the OpenAPI document has.
import { type ErrorCode, errorCodes } from '@parlance/errors';
import { errorSchemaName } from './errors.js';
import type { Json } from './schemas.js';

export const reference = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

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

/** One response per status of these codes. */
export const errorResponses = (given: readonly ErrorCode[]): Json => {
  const codes = [...new Set(given)];
  const statuses = [...new Set(codes.map((code) => errorCodes[code].status))].sort(
    (left, right) => left - right,
  );
  return Object.fromEntries(
    statuses.map((status) => {
      const ofStatus = codes.filter((code) => errorCodes[code].status === status);
      const description = ofStatus.map((code) => `\`${code}\`: ${errorCodes[code].message}`).join('\n\n');
      const schemas = ofStatus.map((code) => reference('schemas', errorSchemaName(code)));
      const schema = schemas.length === 1 ? schemas[0] : { anyOf: schemas };
      const content = { 'application/json': { schema } };
      const headers =
        status === 429 || status === 503
          ? { headers: { 'Retry-After': reference('headers', 'RetryAfter') } }
          : {};
      return [String(status), { description, ...headers, content, 'x-codes': ofStatus }];
    }),
  );
};
