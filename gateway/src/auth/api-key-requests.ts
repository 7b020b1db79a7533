// The requests for API keys over HTTP, and the form that shows a key. A key carries at most its maker's permissions.
import { type Caller, isPermission, McpConfirm, name } from '@parlance/contracts';
import { AppError, validationError } from '@parlance/errors';
import { z } from 'zod';
import { canonicalRange } from './address-ranges.js';
import { effectivePermissions, everything, keyPermissions, listedPermissions } from './api-key-format.js';
import type { KeptKey } from './api-key-store.js';
import { id } from './operations/auth-operation.js';

const daySeconds = 86_400;
const longestDays = 3_650;
const defaultDays = 365;
const longestGraceSeconds = 7 * daySeconds;
const mostRanges = 20;

const keyName = name(1, 100);

const permission = z
  .string()
  .refine((value) => value === everything || isPermission(value), 'is not a permission')
  .meta({ examples: ['agent:read'] });

/** Seconds; null for a key without an end. */
const expiresIn = z
  .int()
  .min(60)
  .max(longestDays * daySeconds)
  .nullable();

const allowedAddresses = z
  .array(
    z
      .string()
      .max(64)
      .refine(
        (text) => canonicalRange(text) !== undefined,
        'must be an address, or a range such as 10.0.0.0/8 that begins where it says',
      )
      .transform((text) => canonicalRange(text) ?? text),
  )
  .min(1)
  .max(mostRanges)
  .meta({ description: 'where the key is good from, in CIDR notation; a bare address means itself alone' });

export const NewKeyBody = z
  .strictObject({
    name: keyName,
    permissions: z.array(permission).min(1).max(100),
    expiresInDays: z.int().min(1).max(longestDays).optional(),
    expiresIn: expiresIn.optional().meta({ description: 'seconds; null for ever; 365 days unless given' }),
    allowedAddresses: allowedAddresses.optional(),
    mcpConfirm: McpConfirm.default('always'),
  })
  .refine((body) => body.expiresIn === undefined || body.expiresInDays === undefined, {
    path: ['expiresIn'],
    message: 'goes without expiresInDays',
  });
export type NewKeyBody = z.output<typeof NewKeyBody>;

export const KeyChangeBody = z
  .strictObject({
    keyId: id,
    name: keyName.optional(),
    enabled: z.boolean().optional(),
    expiresIn: expiresIn.optional(),
    allowedAddresses: allowedAddresses.nullable().optional(),
  })
  .refine(
    ({ keyId: _, ...change }) => Object.values(change).some((value) => value !== undefined),
    'must change something',
  );
export type KeyChangeBody = z.output<typeof KeyChangeBody>;

export const RotationBody = z.strictObject({
  keyId: id,
  keepPreviousForSeconds: z.int().min(0).max(longestGraceSeconds).default(daySeconds),
});
export type RotationBody = z.output<typeof RotationBody>;

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
    enabled: z.boolean(),
    allowedAddresses: z.array(z.string()).nullable(),
    mcpConfirm: McpConfirm,
    disabledReason: z.enum(['maker_removed', 'maker_lost_permission', 'expired', 'revoked']).nullable(),
  })
  .meta({ id: 'ApiKey' });
export type ShownKey = z.output<typeof ShownKey>;

const disabledReason = ({ fellFor, expiresAt }: KeptKey, now: Date): ShownKey['disabledReason'] =>
  fellFor ?? (expiresAt !== null && expiresAt <= now ? 'expired' : null);

export const toShownKey = (key: KeptKey, now: Date): ShownKey => ({
  id: key.id,
  name: key.name,
  prefix: key.start,
  permissions: [...listedPermissions(key.permissions)],
  createdBy: key.createdBy,
  createdAt: key.createdAt.toISOString(),
  lastUsedAt: key.lastRequest?.toISOString() ?? null,
  expiresAt: key.expiresAt?.toISOString() ?? null,
  revokedAt: key.fellFor === 'revoked' ? (key.fellAt?.toISOString() ?? null) : null,
  enabled: key.enabled,
  allowedAddresses: key.allowedAddresses === null ? null : [...key.allowedAddresses],
  mcpConfirm: key.mcpConfirm,
  disabledReason: disabledReason(key, now),
});

/** The end of a key that lives for this many seconds from now; null for a key without an end. */
export const endAfter = (seconds: number | null, now: Date): Date | null =>
  seconds === null ? null : new Date(now.getTime() + seconds * 1_000);

/** The lifetime of a new key, in seconds; null for a key without an end. */
export const lifetimeSeconds = ({ expiresIn, expiresInDays }: NewKeyBody): number | null =>
  expiresIn === undefined ? (expiresInDays ?? defaultDays) * daySeconds : expiresIn;

/**
 * @throws AppError VALIDATION_ERROR for a permission that takes a person, PERMISSION_DENIED for one that the maker
 *   lacks
 */
export const refuseExcess = (permissions: readonly string[], maker: Caller): void => {
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
