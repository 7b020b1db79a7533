// What signs a webhook, and what its headers and body refer to: a port, because secrets that organizations make are kept
// by a service of their own. Until it is asked, every organization has one signing secret, made from a key of ours.
import { hkdfSync } from 'node:crypto';
import type { Secret } from '@parlance/config';
import { AppError } from '@parlance/errors';

/** Where webhooks get secrets from. */
export interface WebhookSecrets {
  /**
   * What to sign with, in the form `whsec_` and base64: the newest first, and while it is being exchanged the one
   * before it too. Without an id, the organization's own.
   * @throws AppError SECRET_NOT_FOUND
   */
  signing(organizationId: string, secretId: string | undefined): Promise<readonly string[]>;
  /** The value of the secret with this id. @throws AppError SECRET_NOT_FOUND */
  byId(organizationId: string, secretId: string): Promise<string>;
  /** The value of the secret with this name. @throws AppError SECRET_NOT_FOUND */
  byName(organizationId: string, name: string): Promise<string>;
}

const bytes = 32;

/** The signing secret of an organization under one key: the same at every time and in every process. */
export const signingSecretOf = (key: Secret, organizationId: string): string => {
  const derived = hkdfSync('sha256', key.reveal(), '', `parlance webhook signing|${organizationId}`, bytes);
  return `whsec_${Buffer.from(derived).toString('base64')}`;
};

const unknownSecret = async (): Promise<never> => {
  throw new AppError('SECRET_NOT_FOUND');
};

/**
 * Signing secrets made from keys of ours; no secret of an organization's own.
 * @param keys the one in use first, then those that are being phased out
 */
export const derivedSecrets = (...keys: readonly [Secret, ...Secret[]]): WebhookSecrets => ({
  signing: async (organizationId, secretId) =>
    secretId === undefined ? keys.map((key) => signingSecretOf(key, organizationId)) : unknownSecret(),
  byId: unknownSecret,
  byName: unknownSecret,
});
