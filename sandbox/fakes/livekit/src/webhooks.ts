// Webhooks as LiveKit sends them: signed with a hash of the body, in order per room, tried again for 30 seconds.
import { createHash, randomUUID } from 'node:crypto';
import { AccessToken } from 'livekit-server-sdk';
import type { LiveKitFaults } from './faults.js';
import {
  type DisconnectReason,
  type Participant,
  participantJson,
  type Room,
  roomJson,
} from './room-model.js';

export interface WebhookTarget {
  readonly url: string;
  readonly apiKey: string;
  readonly apiSecret: string;
}

const maxAgeMs = 30_000;
const lateMs = 5_000;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());

export class Webhooks {
  readonly #target: WebhookTarget;
  readonly #faults: LiveKitFaults;
  readonly #queues = new Map<string, Promise<void>>();
  #stopped = false;

  constructor(target: WebhookTarget, faults: LiveKitFaults) {
    this.#target = target;
    this.#faults = faults;
  }

  /** Queues an event behind the earlier ones of its room. */
  send(event: string, room: Room, participant?: Participant, reason?: DisconnectReason): void {
    const body = JSON.stringify({
      event,
      id: `EV_${randomUUID()}`,
      createdAt: String(Math.floor(Date.now() / 1_000)),
      room: roomJson(room),
      ...(participant
        ? {
            participant: { ...participantJson(participant), ...(reason ? { disconnectReason: reason } : {}) },
          }
        : {}),
    });
    const { mode: fault, ms } = this.#faults.take('webhooks');
    if (fault === 'drop') return;
    const deliver = async (): Promise<void> => {
      if (fault === 'late') await pause(ms || lateMs);
      await this.#deliver(body, fault === 'forged');
      if (fault === 'duplicate') await this.#deliver(body, false);
    };
    if (fault === 'reorder') {
      void pause(500).then(deliver);
      return;
    }
    const queue = (this.#queues.get(room.name) ?? Promise.resolve()).then(deliver);
    this.#queues.set(room.name, queue);
    void queue.finally(() => {
      if (this.#queues.get(room.name) === queue) this.#queues.delete(room.name);
    });
  }

  stop(): void {
    this.#stopped = true;
  }

  async #authorization(body: string, forged: boolean): Promise<string> {
    const secret = forged ? `${this.#target.apiSecret}x` : this.#target.apiSecret;
    const token = new AccessToken(this.#target.apiKey, secret, { ttl: '5m' });
    token.sha256 = createHash('sha256').update(body).digest('base64');
    return token.toJwt();
  }

  async #deliver(body: string, forged: boolean): Promise<void> {
    const deadline = Date.now() + maxAgeMs;
    for (let wait = 100; !this.#stopped && Date.now() < deadline; wait = Math.min(wait * 2, 5_000)) {
      try {
        const response = await fetch(this.#target.url, {
          method: 'POST',
          headers: {
            'content-type': 'application/webhook+json',
            authorization: await this.#authorization(body, forged),
          },
          body,
          signal: AbortSignal.timeout(5_000),
        });
        await response.arrayBuffer();
        if (response.status < 500 && response.status !== 429) return;
      } catch {
        // Not reached: tried again below, as long as the event is worth it.
      }
      await pause(wait);
    }
  }
}
