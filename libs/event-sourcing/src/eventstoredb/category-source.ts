// One catch-up subscription to $all filtered by stream prefix, read at the reader's pace, which holds the server back.
import {
  type AllStreamSubscription,
  type EventStoreDBClient,
  START,
  streamNameFilter,
} from '@eventstore/db-client';
import type { Batch, CategorySubscription, RawEvent, SubscriptionOptions } from '../store/driver.js';
import { failureOf } from './failures.js';

/** The server reports the position of its filter after every so many of its search windows of 32 events. */
const checkpointInterval = 32;
/** Events held here while a batch is being handled; beyond it the server has to wait. */
const buffered = 512;

/** Events of a category in the order of the store, from a position on. */
export class CategorySource implements CategorySubscription {
  readonly #subscription: AllStreamSubscription;
  readonly #patience: NodeJS.Timeout;
  #failure: unknown;
  #scannedTo: bigint | undefined;

  /** @param acceptMs the longest wait for the server to accept the subscription */
  constructor(
    client: EventStoreDBClient,
    { category, after, ring, onConnected }: SubscriptionOptions,
    acceptMs: number,
  ) {
    this.#subscription = client.subscribeToAll(
      {
        fromPosition: after < 0n ? START : { commit: after, prepare: after },
        filter: streamNameFilter({
          prefixes: [`${category}-`],
          checkpointInterval,
          checkpointReached: (_subscription, position) => {
            this.#scannedTo = position.commit;
            ring();
          },
        }),
      },
      { highWaterMark: buffered },
    );
    const fail = (error?: unknown): void => {
      clearTimeout(this.#patience);
      this.#failure ??= failureOf(error ?? new Error('the subscription has ended'));
      ring();
    };
    // Without this listener a lost connection would end the process.
    this.#subscription.on('error', fail);
    this.#subscription.on('end', () => fail());
    this.#subscription.on('close', () => fail());
    this.#subscription.on('readable', ring);
    this.#subscription.on('confirmation', () => {
      clearTimeout(this.#patience);
      onConnected?.();
    });
    // The client gives subscriptions no deadline: one that begins while its connection is given up can wait for ever.
    this.#patience = setTimeout(() => fail(new Error('the subscription was not accepted')), acceptMs);
  }

  take(limit: number): Batch | undefined {
    const events: RawEvent[] = [];
    while (events.length < limit) {
      // Readable.read is not typed by the element; the subscription carries resolved events and nothing else.
      const resolved = this.#subscription.read() as { readonly event?: RawEvent } | null;
      if (resolved === null) break;
      if (resolved.event !== undefined) events.push(resolved.event);
    }
    if (events.length > 0) return { events };
    // All events before this mark have been taken, because nothing is left.
    const mark = this.#scannedTo;
    this.#scannedTo = undefined;
    return mark === undefined ? undefined : { events, scannedTo: mark };
  }

  throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  async close(): Promise<void> {
    clearTimeout(this.#patience);
    await this.#subscription.unsubscribe().catch(() => undefined);
    this.#subscription.destroy();
  }
}
