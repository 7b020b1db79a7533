// The bodies of requests for API keys, and the form that shows a key.
import { z } from 'zod';
import { isPermission } from '../operations/permissions.js';
import { canonicalRange } from '../values/address-range.js';
import { McpConfirm } from '../values/caller-view.js';
import { name } from '../values/text.js';
import { id } from './auth-operation.js';

const daySeconds = 86_400;
const longestDays = 3_650;
const longestGraceSeconds = 7 * daySeconds;
const mostRanges = 20;

/** Every permission that a key can carry. */
const everything = '*';

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
  .meta({
    description:
      'IP ranges that the key may be used from, in CIDR notation; a bare address allows only itself',
  });

export const NewKeyBody = z
  .strictObject({
    name: keyName,
    permissions: z.array(permission).min(1).max(100),
    expiresInDays: z.int().min(1).max(longestDays).optional(),
    expiresIn: expiresIn
      .optional()
      .meta({ description: 'lifetime in seconds; null for no expiry; 365 days by default' }),
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
  .meta({ id: 'ApiKey', description: 'An API key; the key itself is not shown again.' });
export type ShownKey = z.output<typeof ShownKey>;
