// Opens secrets for a request that this process is about to send. A value is opened for one request and not kept
// after it. So a new value is used at once, and a deleted secret never again.
import type { Keyring } from '@parlance/crypto';
import type { Clock } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { type OpenedSecrets, openSecrets, type SecretUse } from '@parlance/webhooks';
import { noteUse, sealedSecrets } from './sealed-secrets.js';

export interface SecretValuesOptions {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

export class SecretValues {
  readonly #options: SecretValuesOptions;

  constructor(options: SecretValuesOptions) {
    this.#options = options;
  }

  /**
   * Opens the secrets in force that a request mentions, and notes that they were used.
   * @throws AppError SECRET_NOT_FOUND when the organization does not have one of them; SECRET_ORIGIN_NOT_ALLOWED
   */
  async open(organizationId: string, use: SecretUse): Promise<OpenedSecrets> {
    const { db, keyring, clock } = this.#options;
    const isEmpty = use.ids.length + use.names.length === 0;
    const sealed = isEmpty ? [] : await sealedSecrets(db, organizationId, use);
    const opened = openSecrets(keyring, organizationId, sealed, use);
    const ids = sealed.map(({ id }) => id);
    await noteUse(db, organizationId, ids, clock.now());
    return opened;
  }
}
