// Rows about API keys. The gateway serves them itself: a key carries a subset of its maker's permissions.
import { z } from 'zod';
import { KeyChangeBody, NewKeyBody, ShownKey } from '../api-key-requests.js';
import { authOperation, id } from './auth-operation.js';

/** A key as better-auth lists it, without the hash. */
const ListedKey = z.looseObject({ id: z.string(), key: z.undefined().optional() });

export const apiKeyOperations = [
  authOperation({
    id: 'auth.apiKeyCreate',
    method: 'POST',
    path: '/api-key/create',
    who: 'ownerOrAdmin',
    summary: 'Make an API key for the active organization; the answer shows it once',
    body: NewKeyBody,
    answer: ShownKey.extend({ key: z.string() }),
    errors: ['PERMISSION_DENIED'],
    verified: true,
  }),
  authOperation({
    id: 'auth.apiKeyList',
    method: 'GET',
    path: '/api-key/list',
    who: 'ownerOrAdmin',
    summary: 'List the API keys of the active organization',
    query: z.strictObject({ organizationId: id.optional() }),
    answer: z.object({ apiKeys: z.array(ListedKey), total: z.int() }),
    errors: ['NOT_FOUND'],
  }),
  authOperation({
    id: 'auth.apiKeyUpdate',
    method: 'POST',
    path: '/api-key/update',
    who: 'ownerOrAdmin',
    summary: 'Rename an API key, switch it off or on, or give it another end',
    body: KeyChangeBody,
    answer: ListedKey,
    errors: ['NOT_FOUND'],
    forgets: 'key',
  }),
  authOperation({
    id: 'auth.apiKeyDelete',
    method: 'POST',
    path: '/api-key/delete',
    who: 'ownerOrAdmin',
    summary: 'Revoke an API key',
    body: z.strictObject({ keyId: id }),
    answer: z.object({ success: z.boolean() }),
    errors: ['NOT_FOUND'],
    forgets: 'key',
  }),
] as const;
