// A webhook that is to be delivered, and the sealing of its target.
import { type Keyring, sha256 } from '@parlance/crypto';
import { parseJson, stringifyJson } from '@parlance/json';
import type { WebhookTarget } from '@parlance/webhooks';
import type { ConfiguredWebhook } from './configurations.js';
import type { WebhookType } from './webhook-types.js';

export interface Delivery {
  /** The webhook-id: that of the event in the call's stream. */
  readonly id: string;
  readonly organizationId: string;
  readonly callId: string;
  readonly type: WebhookType;
  /** 1 for the first webhook of its call. */
  readonly sequence: number;
  /** The call is told of as it was after this event. */
  readonly revision: bigint;
  readonly occurredAt: Date;
  /** Tries so far. */
  readonly tries: number;
  /** Tries before the last replay. */
  readonly triesBefore: number;
  /** Sealed. */
  readonly target: string;
}

/** The part of a configuration that every try needs. */
export interface DeliveryTarget {
  readonly webhook: WebhookTarget;
  readonly variables: Readonly<Record<string, string | null>>;
  readonly timezone: string;
}

/** One try, as it is remembered. */
export interface Attempt {
  readonly at: string;
  readonly statusCode: number | null;
  readonly durationMs: number;
  readonly error: string | null;
}

/** An address of an organization: its webhooks are sent, paused and stopped together. */
export const endpointOf = (organizationId: string, url: string): string => sha256(`${organizationId} ${url}`);

/** What the sealed target of a delivery is bound to. */
export const targetBinding = (id: string): string => `webhook-target|${id}`;

export const sealTarget = (
  keyring: Keyring,
  id: string,
  { agentId, webhook, variables, timezone }: Omit<ConfiguredWebhook, 'configuredAt'>,
): string => {
  const { url, headers, timeoutMs, body, signingSecretId } = webhook;
  const target: DeliveryTarget = {
    webhook: { url, headers, timeoutMs, body, signingSecretId, agentId },
    variables,
    timezone,
  };
  return keyring.seal(Buffer.from(stringifyJson(target)), targetBinding(id));
};

/** @throws CannotOpen */
export const openTarget = (
  keyring: Keyring,
  { id, target }: Pick<Delivery, 'id' | 'target'>,
): DeliveryTarget =>
  // Sealed above, by this service.
  parseJson(keyring.open(target, targetBinding(id)).toString('utf8')) as DeliveryTarget;
