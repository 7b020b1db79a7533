// Publishes the messages of an iteration of the event loop together at its end: one write to the socket instead of one for each
// message.
import type { MsgHdrs, NatsConnection } from 'nats';

export interface OutgoingMessage {
  readonly subject: string;
  readonly payload: Uint8Array | string;
  readonly reply?: string;
  readonly headers?: MsgHdrs;
  /** Receives the error of a message that cannot be published. */
  readonly onFailure: (error: unknown) => void;
}

export class Publisher {
  readonly #nats: NatsConnection;
  readonly #collects: boolean;
  #waiting: OutgoingMessage[] = [];

  /** @param collects false: each message goes out at once */
  constructor(nats: NatsConnection, { collects }: { readonly collects: boolean }) {
    this.#nats = nats;
    this.#collects = collects;
  }

  publish(message: OutgoingMessage): void {
    if (!this.#collects) {
      this.#send(message);
      return;
    }
    if (this.#waiting.length === 0) setImmediate(() => this.flush());
    this.#waiting.push(message);
  }

  /** Sends what waits for the end of the iteration. */
  flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const message of waiting) this.#send(message);
  }

  #send({ subject, payload, reply, headers, onFailure }: OutgoingMessage): void {
    try {
      this.#nats.publish(subject, payload, {
        ...(reply === undefined ? {} : { reply }),
        ...(headers === undefined ? {} : { headers }),
      });
    } catch (error) {
      onFailure(error);
    }
  }
}
