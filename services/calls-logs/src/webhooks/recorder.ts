// Follows the events of calls and records the messages to send. There is one delivery per call and kind, even for an
// event that is seen twice.
import type { Keyring } from '@parlance/crypto';
import {
  type Projector,
  postgresProjector,
  prepareEach,
  type Recorded,
  type SubscriberOptions,
  type Writes,
} from '@parlance/event-sourcing';
import type { Clock } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { LRUCache } from 'lru-cache';
import { type CallEvent, callEvents } from '../call/call-events.js';
import { type Calls, callCategory } from '../call/call-repository.js';
import type { AgentVersion, WebhookConfigurations } from './configurations.js';
import { addDelivery, type NewDelivery } from './deliveries-repository.js';
import { endpointOf, sealTarget } from './delivery.js';
import { webhookTypeOf } from './webhook-types.js';

export interface RecorderOptions extends Pick<SubscriberOptions<CallEvent>, 'db' | 'eventStore' | 'logger'> {
  readonly calls: Pick<Calls, 'find'>;
  readonly configurations: Pick<WebhookConfigurations, 'find'>;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

/**
 * Not a read model: starting over would look up the receivers of every call again. But no receiver would get a message
 * twice.
 */
export const webhooksId = 'call-webhooks';

const startOf = async (db: Database): Promise<Date> => {
  const { rows } = await db.query<{ since: Date }>('select since from webhook_start');
  return rows[0]?.since ?? new Date(0);
};

class Recorder {
  readonly #options: RecorderOptions;
  /** The configuration versions of open calls, because only their first events name them. */
  readonly #versions = new LRUCache<string, AgentVersion>({ max: 20_000 });
  #since: Date | undefined;

  constructor(options: RecorderOptions) {
    this.#options = options;
  }

  /** Finds the receiver before the transaction, because that may take requests to other services. */
  async prepare(recorded: Recorded<CallEvent>): Promise<Writes | undefined> {
    const delivery = await this.#deliveryOf(recorded);
    return delivery && ((tx) => addDelivery(tx, delivery, this.#options.clock.now()));
  }

  async #deliveryOf(recorded: Recorded<CallEvent>): Promise<NewDelivery | undefined> {
    const { event, entityId: callId } = recorded;
    if (event.type === 'CallDescribed') this.#note(callId, event.data);
    const type = webhookTypeOf(recorded);
    if (type === undefined) return undefined;
    const { db, configurations, keyring } = this.#options;
    this.#since ??= await startOf(db);
    if (recorded.recordedAt < this.#since) return undefined;
    const version = await this.#versionOf(callId);
    if (version === undefined) return undefined;
    const configured = await configurations.find(version, recorded.metadata.requestId);
    if (!configured?.webhook.events.includes(type)) return undefined;
    const { organizationId, agentId } = version;
    const { id, revision } = recorded;
    const { url } = configured.webhook;
    return {
      ...{ id, organizationId, agentId, callId, type, revision },
      occurredAt: new Date(event.data.recordedAt),
      endpointId: endpointOf(organizationId, url),
      origin: new URL(url).origin,
      configuredAt: configured.configuredAt,
      target: sealTarget(keyring, id, configured),
    };
  }

  #note(
    callId: string,
    description: { organizationId: string; agentId: string; configVersion: number | null },
  ): void {
    const { organizationId, agentId, configVersion } = description;
    const version = configVersion !== null && configVersion > 0 ? configVersion : null;
    this.#versions.set(callId, { organizationId, agentId, version });
  }

  async #versionOf(callId: string): Promise<AgentVersion | undefined> {
    if (!this.#versions.has(callId)) {
      const call = await this.#options.calls.find(callId);
      if (call !== undefined) this.#note(callId, call.description);
    }
    return this.#versions.get(callId);
  }
}

/** Starts at once. */
export const startWebhookRecorder = (options: RecorderOptions): Projector => {
  const { db, eventStore, logger } = options;
  const recorder = new Recorder(options);
  return postgresProjector({
    ...{ db, eventStore, logger },
    id: webhooksId,
    about: ['CallDescribed', 'CallEnded', 'CallIngested', 'CallAnalyzed'],
    category: callCategory,
    codec: callEvents,
    personal: false,
    prepare: prepareEach((recorded) => recorder.prepare(recorded)),
  });
};
