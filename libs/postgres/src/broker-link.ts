// Tells whether the broker can be reached. An attempt without this question would end in a timeout, and the client
// would send its buffered requests late.
import { Events, type NatsConnection } from 'nats';

export class BrokerLink {
  /** False from a lost connection until the next one. */
  isUp = true;
  #isClosed = false;

  constructor(nats: NatsConnection, onReconnect: () => void) {
    void this.#watch(nats, onReconnect);
  }

  /** Stops telling. */
  close(): void {
    this.#isClosed = true;
  }

  async #watch(nats: NatsConnection, onReconnect: () => void): Promise<void> {
    for await (const { type } of nats.status()) {
      if (this.#isClosed) return;
      if (type === Events.Disconnect) this.isUp = false;
      if (type !== Events.Reconnect) continue;
      this.isUp = true;
      onReconnect();
    }
    this.isUp = false; // closed for good
  }
}
