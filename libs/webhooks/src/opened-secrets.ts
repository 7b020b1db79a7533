// The one place where secrets of organizations are opened for a request. A secret opens for the origins that it names.
import { originOfUrl, type SealedSecret } from '@parlance/contracts';
import { type Keyring, secretBinding } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import type { SecretMentions } from './placeholders.js';

/** The values of the secrets that one request mentions; nothing keeps them after it. */
export interface OpenedSecrets {
  /** @throws AppError SECRET_NOT_FOUND for one that was not asked for */
  byId(secretId: string): string;
  /** @throws AppError SECRET_NOT_FOUND for one that was not asked for */
  byName(name: string): string;
}

/** The destination of the request whose secrets are opened. */
export interface SecretUse extends SecretMentions {
  /** The address that the request goes to. */
  readonly url: string;
}

export const valueOfSecret = (
  keyring: Keyring,
  organizationId: string,
  secretId: string,
  { version, sealed }: Pick<SealedSecret, 'version' | 'sealed'>,
): string => keyring.open(sealed, secretBinding({ organizationId, secretId, version })).toString('utf8');

const valueIn = (values: ReadonlyMap<string, string>, key: string): string => {
  const value = values.get(key);
  if (value === undefined) throw new AppError('SECRET_NOT_FOUND');
  return value;
};

/** @throws AppError SECRET_ORIGIN_NOT_ALLOWED, naming the secrets that the origin is not allowed for */
export const refuseOrigin = (origin: string | undefined, secrets: readonly string[]): void => {
  if (secrets.length > 0)
    throw new AppError('SECRET_ORIGIN_NOT_ALLOWED', { details: { origin: origin ?? null, secrets } });
};

/** Without a list: a secret of a release before, whose origins are not collected yet. */
const isAllowed = ({ allowedOrigins }: SealedSecret, origin: string | undefined): boolean =>
  allowedOrigins == null || (origin !== undefined && allowedOrigins.includes(origin));

/**
 * @param secrets those of the organization among the mentioned ones
 * @throws AppError SECRET_NOT_FOUND for a mention of none of them; SECRET_ORIGIN_NOT_ALLOWED
 */
export const openSecrets = (
  keyring: Keyring,
  organizationId: string,
  secrets: readonly SealedSecret[],
  { url, ids, names }: SecretUse,
): OpenedSecrets => {
  const origin = originOfUrl(url);
  const refused = secrets.filter((secret) => !isAllowed(secret, origin));
  refuseOrigin(
    origin,
    refused.map(({ name }) => name),
  );
  const values = secrets.map(
    (secret) => [secret, valueOfSecret(keyring, organizationId, secret.id, secret)] as const,
  );
  const byIds = new Map(values.map(([{ id }, value]) => [id, value]));
  const byNames = new Map(values.map(([{ name }, value]) => [name, value]));
  const opened: OpenedSecrets = {
    byId: (id) => valueIn(byIds, id.toLowerCase()),
    byName: (name) => valueIn(byNames, name),
  };
  for (const id of ids) opened.byId(id);
  for (const name of names) opened.byName(name);
  return opened;
};
