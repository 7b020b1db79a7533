export { createWebhooks, type Webhooks, type WebhooksEnv } from './create-webhooks.js';
export { headerText, isConfigurable } from './headers.js';
export { keepHeader } from './kept-headers.js';
export { Masking, mask } from './masking.js';
export { type OpenedSecrets, openSecrets, refuseOrigin, type SecretUse } from './opened-secrets.js';
export { OrganizationSecrets, type OrganizationSecretsOptions } from './organization-secrets.js';
export {
  fillJson,
  type SecretMentions,
  secretMentionsIn,
  withSecrets,
} from './placeholders.js';
export {
  type HeaderPlace,
  openHeader,
  type SealedHeader,
  sealedHeaderBindings,
  sealHeader,
  type WebhookHeader,
  webhookOwner,
} from './sealed-headers.js';
export { derivedSecrets, signingSecretOf, type WebhookSecrets } from './secrets.js';
export {
  type WebhookMessage,
  WebhookSender,
  type WebhookSenderOptions,
  type WebhookTarget,
} from './sender.js';

/** The version of the format of webhooks, written in each of them. */
export const webhookApiVersion = '2026-07';
