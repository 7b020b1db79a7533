// The requests for API keys over HTTP, and the form that shows a key. A key carries at most its maker's permissions.
import { type Caller, type NewKeyBody, type ShownKey } from '@parlance/contracts';
import { AppError, validationError } from '@parlance/errors';
import { effectivePermissions, everything, keyPermissions, listedPermissions } from './api-key-format.js';
import type { KeptKey } from './api-key-store.js';

const daySeconds = 86_400;
const defaultDays = 365;

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
 * @throws AppError VALIDATION_ERROR for a permission that takes a person, PERMISSION_DENIED for a permission that the
 *   maker lacks
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
