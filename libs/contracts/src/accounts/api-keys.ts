// Rows about API keys. The gateway serves them itself: a key carries a subset of its maker's permissions.
import { z } from 'zod';
import { KeyChangeBody, NewKeyBody, RotationBody, ShownKey } from './api-key-bodies.js';
import { authOperation, id } from './auth-operation.js';

const KeyOnce = ShownKey.extend({ key: z.string() }).meta({
  id: 'ApiKeyOnce',
  description: 'A new API key, with the key itself, which is shown only here.',
});

export const apiKeyOperations = [
  authOperation({
    id: 'auth.apiKeyCreate',
    method: 'POST',
    path: '/api-key/create',
    who: 'ownerOrAdmin',
    summary: 'Create an API key for the active organization',
    description:
      'The key itself is returned only in this response. It has at most the permissions of its creator, expires after 365 days unless set otherwise, and is revoked when its creator leaves the organization.',
    body: NewKeyBody,
    answer: KeyOnce,
    errors: ['PERMISSION_DENIED'],
    idempotent: true,
    verified: true,
  }),
  authOperation({
    id: 'auth.apiKeyList',
    method: 'GET',
    path: '/api-key/list',
    who: 'ownerOrAdmin',
    summary: 'List the API keys of the active organization',
    description: 'Includes ended keys with their `disabledReason`. The keys themselves are never returned.',
    query: z.strictObject({ organizationId: id.optional() }),
    answer: z.object({ apiKeys: z.array(ShownKey), total: z.int() }),
    errors: ['NOT_FOUND'],
  }),
  authOperation({
    id: 'auth.apiKeyUpdate',
    method: 'POST',
    path: '/api-key/update',
    who: 'ownerOrAdmin',
    summary: 'Update an API key',
    description:
      'Changes its name, state, expiry or allowed IP addresses. Returns 409 `CONFLICT` if the key has ended.',
    body: KeyChangeBody,
    answer: ShownKey,
    errors: ['CONFLICT', 'NOT_FOUND'],
    forgets: 'key',
  }),
  authOperation({
    id: 'auth.apiKeyDelete',
    method: 'POST',
    path: '/api-key/delete',
    who: 'ownerOrAdmin',
    summary: 'Revoke an API key',
    description: 'The key is rejected everywhere within five seconds. It stays in the list.',
    body: z.strictObject({ keyId: id }),
    answer: z.object({ success: z.boolean() }),
    errors: ['NOT_FOUND'],
    forgets: 'key',
  }),
  authOperation({
    id: 'auth.apiKeyRotate',
    method: 'POST',
    path: '/api-key/rotate',
    who: 'ownerOrAdmin',
    summary: 'Rotate an API key',
    description:
      'Creates a new key with the same permissions and lifetime; the old key stays valid for a grace period. A key can be rotated once.',
    body: RotationBody,
    answer: KeyOnce,
    errors: ['CONFLICT', 'NOT_FOUND', 'PERMISSION_DENIED'],
    idempotent: true,
    verified: true,
    forgets: 'key',
  }),
] as const;
