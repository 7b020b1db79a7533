// Webhooks as a service is configured to send them.
import type { Secret } from '@parlance/config';
import { Egress } from '@parlance/egress';
import { derivedSecrets } from './secrets.js';
import { WebhookSender } from './sender.js';

/** What `egressEnv`, `webhookEnv` and the signing key of callers parse to. */
export interface WebhooksEnv {
  readonly EGRESS_ALLOW_PRIVATE: readonly string[];
  readonly EGRESS_DENY: readonly string[];
  readonly WEBHOOK_SIGNING_KEY?: Secret | undefined;
  readonly WEBHOOK_SIGNING_KEY_PREVIOUS?: Secret | undefined;
  readonly CALLER_SIGNING_KEY: Secret;
}

export interface Webhooks {
  readonly egress: Egress;
  readonly sender: WebhookSender;
}

/** @throws Error for a range in EGRESS_DENY that is none */
export const createWebhooks = (env: WebhooksEnv): Webhooks => {
  const egress = new Egress({ allowPrivate: env.EGRESS_ALLOW_PRIVATE, deny: env.EGRESS_DENY });
  const previous = env.WEBHOOK_SIGNING_KEY_PREVIOUS;
  const secrets = derivedSecrets(
    env.WEBHOOK_SIGNING_KEY ?? env.CALLER_SIGNING_KEY,
    ...(previous === undefined ? [] : [previous]),
  );
  return { egress, sender: new WebhookSender({ egress, secrets }) };
};
