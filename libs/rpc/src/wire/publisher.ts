// Publishes messages. The first one in an iteration of the event loop goes out at once. Those that follow in the same iteration
// go out together at its end: one write to the socket instead of one for each message.
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
  #isWithinIteration = false;

  /** @param collects false: each message goes out at once */
  constructor(nats: NatsConnection, { collects }: { readonly collects: boolean }) {
    this.#nats = nats;
    this.#collects = collects;
  }

  publish(message: OutgoingMessage): void {
    if (this.#isWithinIteration) {
      this.#waiting.push(message);
      return;
    }
    if (this.#collects) this.#beginIteration();
    this.#send(message);
  }

  #beginIteration(): void {
    this.#isWithinIteration = true;
    setImmediate(() => {
      this.#isWithinIteration = false;
      this.flush();
    });
  }

  /** Sends what waits for the end of the iteration. */
  flush(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
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
