// Makes the sender of webhooks from the configuration of a service.
import type { Secret } from '@parlance/config';
import { keyringOf } from '@parlance/crypto';
import { Egress } from '@parlance/egress';
import type { Masking } from './masking.js';
import { OrganizationSecrets, type OrganizationSecretsOptions } from './organization-secrets.js';
import { remembering } from './remembered-secrets.js';
import { derivedSecrets, type WebhookSecrets } from './secrets.js';
import { WebhookSender } from './sender.js';

/** The parsed settings of `egressEnv`, `webhookEnv` and `cryptoEnv`. */
export interface WebhooksEnv {
  readonly EGRESS_ALLOW_PRIVATE: readonly string[];
  readonly EGRESS_DENY: readonly string[];
  readonly WEBHOOK_SIGNING_KEY: Secret;
  readonly WEBHOOK_SIGNING_KEY_PREVIOUS?: Secret | undefined;
  readonly KEK_ID: string;
  readonly KEK: Secret;
}

export interface Webhooks {
  readonly egress: Egress;
  readonly sender: WebhookSender;
  readonly secrets: WebhookSecrets;
  /** A sender for one request whose answer is shown, and the masking of the secrets that it has opened by then. */
  readonly revealing: () => { readonly sender: WebhookSender; readonly masking: () => Masking };
}

/** @throws Error for an entry of EGRESS_DENY that is no range */
export const createWebhooks = (
  env: WebhooksEnv,
  { rpc, callerFor }: Pick<OrganizationSecretsOptions, 'rpc' | 'callerFor'>,
): Webhooks => {
  const egress = new Egress({ allowPrivate: env.EGRESS_ALLOW_PRIVATE, deny: env.EGRESS_DENY });
  const previous = env.WEBHOOK_SIGNING_KEY_PREVIOUS;
  const derived = derivedSecrets(env.WEBHOOK_SIGNING_KEY, ...(previous === undefined ? [] : [previous]));
  const keyring = keyringOf(env);
  const secrets = new OrganizationSecrets({ rpc, callerFor, keyring, derived });
  return {
    egress,
    sender: new WebhookSender({ egress, secrets }),
    secrets,
    revealing: () => {
      const remembered = remembering(secrets);
      return {
        sender: new WebhookSender({ egress, secrets: remembered.secrets }),
        masking: remembered.masking,
      };
    },
  };
};
