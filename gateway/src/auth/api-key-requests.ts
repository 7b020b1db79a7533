// Making and changing API keys over HTTP. better-auth's own routes would let a person make keys without permissions, or
// write what only the server should; these two take a narrower body and say what a key may carry.
import { type Caller, isPermission } from '@parlance/contracts';
import { AppError, validationError } from '@parlance/errors';
import { z } from 'zod';
import { isStorable } from '../http/json-guard.js';
import {
  effectivePermissions,
  everything,
  keyPermissions,
  listedPermissions,
  storedPermissions,
} from './api-key-format.js';
import type { Auth, KeyRecord } from './better-auth.js';
import type { SessionIdentity } from './identity.js';
import { id } from './operations/auth-operation.js';

const daySeconds = 86_400;
const longestDays = 3_650;

const keyName = z
  .string()
  .min(1)
  .max(100)
  .refine((name) => isStorable(name) && name.trim() !== '', 'must be a name');

const permission = z
  .string()
  .refine((value) => value === everything || isPermission(value), 'is not a permission');

export const NewKeyBody = z
  .strictObject({
    name: keyName,
    /** Every permission that a key can have, unless listed. */
    permissions: z.array(permission).min(1).max(100).default([everything]),
    expiresInDays: z.int().min(1).max(longestDays).optional(),
    /** Seconds, as better-auth's own clients send it. */
    expiresIn: z
      .int()
      .min(60)
      .max(longestDays * daySeconds)
      .nullable()
      .optional(),
  })
  .refine((body) => body.expiresIn == null || body.expiresInDays === undefined, {
    path: ['expiresIn'],
    message: 'goes without expiresInDays',
  });

/** What better-auth's update route may be asked to change. */
export const KeyChangeBody = z.strictObject({
  keyId: id,
  name: keyName.optional(),
  enabled: z.boolean().optional(),
  expiresIn: z.int().min(60).nullable().optional(),
});

/** An API key as it is shown; the key itself only in the answer that made it. */
export const ShownKey = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    prefix: z.string().nullable(),
    permissions: z.array(z.string()),
    createdBy: z.string().nullable(),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime().nullable(),
    expiresAt: z.iso.datetime().nullable(),
    revokedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'ApiKey' });
export type ShownKey = z.output<typeof ShownKey>;

const creatorOf = (metadata: unknown): string | null =>
  typeof metadata === 'object' &&
  metadata !== null &&
  'createdBy' in metadata &&
  typeof metadata.createdBy === 'string'
    ? metadata.createdBy
    : null;

/** Revoking deletes a key, so one that can be shown has not been revoked. */
export const toShownKey = (record: KeyRecord): ShownKey => ({
  id: record.id,
  name: record.name,
  prefix: record.start,
  permissions: [
    ...listedPermissions(record.permissions === null ? null : JSON.stringify(record.permissions)),
  ],
  createdBy: creatorOf(record.metadata),
  createdAt: record.createdAt.toISOString(),
  lastUsedAt: record.lastRequest?.toISOString() ?? null,
  expiresAt: record.expiresAt?.toISOString() ?? null,
  revokedAt: null,
});

// A key may do at most what its maker may do, and never what takes a person.
const refuseExcess = (permissions: readonly string[], maker: Caller): void => {
  const issues = permissions.flatMap((value, index) =>
    value === everything || keyPermissions.some((allowed) => allowed === value)
      ? []
      : [
          {
            path: `body.permissions.${index}`,
            code: 'custom',
            message: 'is not for keys: it takes an owner or admin',
          },
        ],
  );
  if (issues.length > 0) throw validationError(issues);
  const excess = effectivePermissions(permissions).filter((value) => !maker.permissions.includes(value));
  if (excess.length > 0) throw new AppError('PERMISSION_DENIED', { details: { required: excess } });
};

/**
 * Makes a key for the maker's active organization.
 * @throws AppError VALIDATION_ERROR, or PERMISSION_DENIED for more than the maker may do
 */
export const createApiKey = async (
  auth: Auth,
  { caller, userId }: SessionIdentity,
  { name, permissions, expiresInDays, expiresIn }: z.output<typeof NewKeyBody>,
): Promise<ShownKey & { readonly key: string }> => {
  refuseExcess(permissions, caller);
  const created = await auth.createKey({
    name,
    userId,
    organizationId: caller.organizationId,
    permissions: storedPermissions(permissions),
    expiresIn: expiresInDays === undefined ? (expiresIn ?? null) : expiresInDays * daySeconds,
  });
  return { ...toShownKey(created), key: created.key };
};
