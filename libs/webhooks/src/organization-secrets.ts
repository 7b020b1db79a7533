// Secrets of organizations, asked for when a request is about to be sent and opened in this process. Nothing is kept after
// the request, so that a rotated secret is used at once and a deleted one never again.
import { randomUUID } from 'node:crypto';
import { type Caller, type SealedSecret, serviceRequests } from '@parlance/contracts';
import { type Keyring, secretBinding } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import { currentContext } from '@parlance/observability';
import type { RpcClient } from '@parlance/rpc';
import type { SecretMentions } from './placeholders.js';
import { openHeader } from './sealed-headers.js';
import { nothingOpened, type OpenedSecrets, type WebhookSecrets } from './secrets.js';

export interface OrganizationSecretsOptions {
  readonly rpc: Pick<RpcClient, 'call'>;
  readonly callerFor: (organizationId: string) => Caller;
  readonly keyring: Keyring;
  /** The signing secrets of webhooks that name none; without this member such a webhook finds no secret. */
  readonly derived?: Pick<WebhookSecrets, 'signing'>;
}

const valueIn = (values: ReadonlyMap<string, string>, key: string): string => {
  const value = values.get(key);
  if (value === undefined) throw new AppError('SECRET_NOT_FOUND');
  return value;
};

const isGood = ({ goodUntil }: { readonly goodUntil: string }): boolean => Date.parse(goodUntil) > Date.now();

export class OrganizationSecrets implements WebhookSecrets {
  readonly #options: OrganizationSecretsOptions;

  constructor(options: OrganizationSecretsOptions) {
    this.#options = options;
  }

  async signing(organizationId: string, secretId: string | undefined): Promise<readonly string[]> {
    const { derived } = this.#options;
    if (secretId === undefined) {
      if (derived === undefined) throw new AppError('SECRET_NOT_FOUND');
      return derived.signing(organizationId, secretId);
    }
    const [secret] = await this.#sealed(organizationId, { ids: [secretId], names: [] });
    if (secret === undefined) throw new AppError('SECRET_NOT_FOUND');
    const { id, previous } = secret;
    const versions = [secret, ...(previous !== null && isGood(previous) ? [previous] : [])];
    return versions.map((version) => this.#value(organizationId, id, version));
  }

  async open(organizationId: string, mentions: SecretMentions): Promise<OpenedSecrets> {
    if (mentions.ids.length + mentions.names.length === 0) return nothingOpened;
    const secrets = await this.#sealed(organizationId, mentions);
    const values = secrets.map((secret) => [secret, this.#value(organizationId, secret.id, secret)] as const);
    const ids = new Map(values.map(([{ id }, value]) => [id, value]));
    const names = new Map(values.map(([{ name }, value]) => [name, value]));
    const opened: OpenedSecrets = {
      byId: (id) => valueIn(ids, id.toLowerCase()),
      byName: (name) => valueIn(names, name),
    };
    for (const id of mentions.ids) opened.byId(id);
    for (const name of mentions.names) opened.byName(name);
    return opened;
  }

  header(sealed: string, place: Parameters<WebhookSecrets['header']>[1]): string {
    return openHeader(this.#options.keyring, place, sealed);
  }

  async #sealed(organizationId: string, mentions: SecretMentions): Promise<SealedSecret[]> {
    const { rpc, callerFor } = this.#options;
    const caller = callerFor(organizationId);
    const requestId = currentContext()?.requestId ?? randomUUID();
    const { data } = await rpc.call(
      serviceRequests.secretsSealed,
      { body: { ids: [...mentions.ids], names: [...mentions.names] } },
      { caller, requestId },
    );
    return data;
  }

  #value(
    organizationId: string,
    secretId: string,
    { version, sealed }: { readonly version: number; readonly sealed: string },
  ): string {
    return this.#options.keyring
      .open(sealed, secretBinding({ organizationId, secretId, version }))
      .toString('utf8');
  }
}
