// Rows about API keys. The gateway serves them itself: a key carries a subset of its maker's permissions.
import { z } from 'zod';
import { KeyChangeBody, NewKeyBody, RotationBody, ShownKey } from './api-key-bodies.js';
import { authOperation, id } from './auth-operation.js';

const KeyOnce = ShownKey.extend({ key: z.string() }).meta({ id: 'ApiKeyOnce' });

export const apiKeyOperations = [
  authOperation({
    id: 'auth.apiKeyCreate',
    method: 'POST',
    path: '/api-key/create',
    who: 'ownerOrAdmin',
    summary: 'Make an API key for the active organization; the answer shows it once',
    description:
      'It carries at most the permissions of its maker, lives 365 days unless told otherwise, and falls with its maker.',
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
    description: 'Keys that have ended stay in the list with their `disabledReason`. No key itself is shown.',
    query: z.strictObject({ organizationId: id.optional() }),
    answer: z.object({ apiKeys: z.array(ShownKey), total: z.int() }),
    errors: ['NOT_FOUND'],
  }),
  authOperation({
    id: 'auth.apiKeyUpdate',
    method: 'POST',
    path: '/api-key/update',
    who: 'ownerOrAdmin',
    summary: 'Rename an API key, switch it off or on, or give it another end or other addresses',
    description: 'A key that has ended cannot be changed any more and answers 409 `CONFLICT`.',
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
    summary: 'Revoke an API key; it stays in the list',
    description: 'The key is refused everywhere within five seconds.',
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
    summary: 'Make the next key with the same rights; the previous one stays good for a while',
    description: 'The next key lives as long as the previous one was made to live. A key is rotated once.',
    body: RotationBody,
    answer: KeyOnce,
    errors: ['CONFLICT', 'NOT_FOUND', 'PERMISSION_DENIED'],
    idempotent: true,
    verified: true,
    forgets: 'key',
  }),
] as const;
