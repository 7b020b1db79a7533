import { describe, expect, it } from '@jest/globals';
import { authOperations, operations } from '@parlance/contracts';
import { securityEventOf } from './security-events.js';

describe('a security event', () => {
  it.each(authOperations.filter(({ method }) => method !== 'GET').map(({ id }) => id))(
    'is written for %s, whatever its outcome',
    (id) => {
      expect([200, 302, 401, 422, 429, 503].map((status) => securityEventOf(id, status))).toEqual([
        `${id} succeeded`,
        `${id} succeeded`,
        `${id} refused`,
        `${id} refused`,
        `${id} refused`,
        `${id} failed`,
      ]);
    },
  );

  it('is written for each refused right of any other operation, and for nothing else there', () => {
    for (const { id } of operations)
      expect([200, 401, 403, 404, 422, 429, 503].map((status) => securityEventOf(id, status))).toEqual([
        undefined,
        'access unauthenticated',
        'access denied',
        undefined,
        undefined,
        'access throttled',
        undefined,
      ]);
  });
});
