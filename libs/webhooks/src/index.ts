export { type CallOfValues, valuesOfCall } from './call-values.js';
export { createWebhooks, type Webhooks, type WebhooksEnv } from './create-webhooks.js';
export type { Values } from './placeholders.js';
export { derivedSecrets, signingSecretOf, type WebhookSecrets } from './secrets.js';
export {
  type WebhookMessage,
  WebhookSender,
  type WebhookSenderOptions,
  type WebhookTarget,
} from './sender.js';

/** Version of what webhooks say, in each of them. */
export const webhookApiVersion = '2026-07';
