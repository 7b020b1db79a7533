// The secrets that sign a webhook, and the secrets that its headers and body mention. This is a port, because a service
// of its own keeps the secrets that organizations make.
import { hkdfSync } from 'node:crypto';
import type { Secret } from '@parlance/config';
import { CannotOpen } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import type { OpenedSecrets, SecretUse } from './opened-secrets.js';
import type { HeaderPlace, SealedHeader } from './sealed-headers.js';

/** The source of secrets for webhooks. */
export interface WebhookSecrets {
  /**
   * The signing secrets, newest first. While a secret is being exchanged, the one before it follows. Without an id,
   * these are the organization's own signing secrets.
   * @throws AppError SECRET_NOT_FOUND
   */
  signing(organizationId: string, secretId: string | undefined): Promise<readonly string[]>;
  /**
   * Opens secrets for one request.
   * @throws AppError SECRET_NOT_FOUND when one of them is unknown; SECRET_ORIGIN_NOT_ALLOWED
   */
  open(organizationId: string, use: SecretUse): Promise<OpenedSecrets>;
  /** The literal value of a header that was stored sealed. @throws CannotOpen */
  header(sealed: SealedHeader, place: HeaderPlace): string;
}

const bytes = 32;

/** The signing secret of an organization under one key: the same at every time and in every process. */
export const signingSecretOf = (key: Secret, organizationId: string): string => {
  const derived = hkdfSync('sha256', key.reveal(), '', `parlance webhook signing|${organizationId}`, bytes);
  return `whsec_${Buffer.from(derived).toString('base64')}`;
};

const unknownSecret = (): never => {
  throw new AppError('SECRET_NOT_FOUND');
};

/** No secret at all. */
export const nothingOpened: OpenedSecrets = { byId: unknownSecret, byName: unknownSecret };

/**
 * Signing secrets made from keys of the platform; no secret of an organization's own.
 * @param keys the one in use first, then those that are being phased out
 */
export const derivedSecrets = (...keys: readonly [Secret, ...Secret[]]): WebhookSecrets => ({
  signing: async (organizationId, secretId) =>
    secretId === undefined ? keys.map((key) => signingSecretOf(key, organizationId)) : unknownSecret(),
  open: async (_organizationId, { ids, names }) =>
    ids.length + names.length === 0 ? nothingOpened : unknownSecret(),
  header: () => {
    throw new CannotOpen();
  },
});
