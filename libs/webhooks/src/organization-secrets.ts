// Secrets of organizations, asked for when a request is about to be sent and opened in this process. Nothing is kept after
// the request, so that a rotated secret is used at once and a deleted one never again.
import { randomUUID } from 'node:crypto';
import { type Caller, type SealedSecret, serviceRequests } from '@parlance/contracts';
import type { Keyring } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import { currentContext } from '@parlance/observability';
import type { RpcClient } from '@parlance/rpc';
import { type OpenedSecrets, openSecrets, type SecretUse, valueOfSecret } from './opened-secrets.js';
import type { SecretMentions } from './placeholders.js';
import { openHeader, type SealedHeader } from './sealed-headers.js';
import { nothingOpened, type WebhookSecrets } from './secrets.js';

export interface OrganizationSecretsOptions {
  readonly rpc: Pick<RpcClient, 'call'>;
  readonly callerFor: (organizationId: string) => Caller;
  readonly keyring: Keyring;
  /** The signing secrets of webhooks that name none; without this member such a webhook finds no secret. */
  readonly derived?: Pick<WebhookSecrets, 'signing'>;
}

const isGood = ({ goodUntil }: { readonly goodUntil: string }): boolean => Date.parse(goodUntil) > Date.now();

export class OrganizationSecrets implements WebhookSecrets {
  readonly #options: OrganizationSecretsOptions;

  constructor(options: OrganizationSecretsOptions) {
    this.#options = options;
  }

  async signing(organizationId: string, secretId: string | undefined): Promise<readonly string[]> {
    const { derived, keyring } = this.#options;
    if (secretId === undefined) {
      if (derived === undefined) throw new AppError('SECRET_NOT_FOUND');
      return derived.signing(organizationId, secretId);
    }
    const [secret] = await this.#sealed(organizationId, { ids: [secretId], names: [] });
    if (secret === undefined) throw new AppError('SECRET_NOT_FOUND');
    const { id, previous } = secret;
    const versions = [secret, ...(previous !== null && isGood(previous) ? [previous] : [])];
    return versions.map((version) => valueOfSecret(keyring, organizationId, id, version));
  }

  async open(organizationId: string, use: SecretUse): Promise<OpenedSecrets> {
    if (use.ids.length + use.names.length === 0) return nothingOpened;
    return openSecrets(this.#options.keyring, organizationId, await this.#sealed(organizationId, use), use);
  }

  header(sealed: SealedHeader, place: Parameters<WebhookSecrets['header']>[1]): string {
    return openHeader(this.#options.keyring, place, sealed);
  }

  async #sealed(organizationId: string, { ids, names }: SecretMentions): Promise<SealedSecret[]> {
    const { rpc, callerFor } = this.#options;
    const caller = callerFor(organizationId);
    const requestId = currentContext()?.requestId ?? randomUUID();
    const { data } = await rpc.call(
      serviceRequests.secretsSealed,
      { body: { ids: [...ids], names: [...names] } },
      { caller, requestId },
    );
    return data;
  }
}
