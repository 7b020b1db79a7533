// Opens secrets for a request that this process is about to send. A value is opened for one request and not kept
// after it. So a new value is used at once, and a deleted secret never again.
import { type Keyring, secretBinding } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import type { Clock } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import type { Mentions } from './references.js';
import { noteUse, sealedSecrets } from './sealed-secrets.js';

/** The values of the secrets that one request mentions. */
export interface OpenedSecrets {
  /** @throws AppError SECRET_NOT_FOUND for a secret that was not asked for */
  byId(id: string): string;
  /** @throws AppError SECRET_NOT_FOUND for a secret that was not asked for */
  byName(name: string): string;
}

export interface SecretValuesOptions {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

const valueIn = (values: ReadonlyMap<string, string>, key: string): string => {
  const value = values.get(key);
  if (value === undefined) throw new AppError('SECRET_NOT_FOUND');
  return value;
};

export class SecretValues {
  readonly #options: SecretValuesOptions;

  constructor(options: SecretValuesOptions) {
    this.#options = options;
  }

  /**
   * Opens the secrets in force that a request mentions, and notes that they were used.
   * @throws AppError SECRET_NOT_FOUND when the organization does not have one of them
   */
  async open(organizationId: string, mentions: Mentions): Promise<OpenedSecrets> {
    const { db, keyring, clock } = this.#options;
    const isEmpty = mentions.ids.length + mentions.names.length === 0;
    const sealed = isEmpty ? [] : await sealedSecrets(db, organizationId, mentions);
    const ids = new Map<string, string>();
    const names = new Map<string, string>();
    for (const { id, name, version, sealed: envelope } of sealed) {
      const binding = secretBinding({ organizationId, secretId: id, version });
      const value = keyring.open(envelope, binding).toString('utf8');
      ids.set(id, value);
      names.set(name, value);
    }
    const opened: OpenedSecrets = {
      byId: (id) => valueIn(ids, id.toLowerCase()),
      byName: (name) => valueIn(names, name),
    };
    for (const id of mentions.ids) opened.byId(id);
    for (const name of mentions.names) opened.byName(name);
    await noteUse(db, organizationId, [...ids.keys()], clock.now());
    return opened;
  }
}
