// One catch-up subscription to $all filtered by stream prefix, read at the reader's pace, which holds the server back.
import { type AllStreamSubscription, START, streamNameFilter } from '@eventstore/db-client';
import type { EsdbEventStore, RawEvent } from './esdb-event-store.js';
import { storeError } from './store-errors.js';

export interface Batch {
  readonly events: readonly RawEvent[];
  /** The position in a batch without events: all events up to it belong to other categories. */
  readonly scannedTo?: bigint;
}

export interface SourceOptions {
  readonly store: EsdbEventStore;
  readonly category: string;
  /** Position of the last event that was handled; negative starts with the first event of the store. */
  readonly after: bigint;
  /** Called when there may be events to take, or the subscription has failed. */
  readonly ring: () => void;
  /** Called when the server has accepted the subscription. */
  readonly onConnected?: (() => void) | undefined;
}

/** The server tells the position of its filter after every so many of its search windows of 32 events. */
const checkpointInterval = 32;
/** Events held here while a batch is being handled; beyond it the server has to wait. */
const buffered = 512;

/** Place in the order of all events of an event that a subscription sent. */
export const positionOf = (raw: RawEvent): bigint => {
  if (raw.position === undefined)
    throw new Error('an event of a subscription to all events came without its position');
  return raw.position.commit;
};

/** Position up to which everything has been dealt with after this batch. */
export const endOf = ({ events, scannedTo }: Batch, before: bigint): bigint => {
  const last = events.at(-1);
  return last === undefined ? (scannedTo ?? before) : positionOf(last);
};

/** Events of a category in the order of the store, from a position on. */
export class CategorySource {
  readonly #subscription: AllStreamSubscription;
  readonly #patience: NodeJS.Timeout;
  #failure: unknown;
  #scannedTo: bigint | undefined;

  constructor({ store, category, after, ring, onConnected }: SourceOptions) {
    this.#subscription = store.client.subscribeToAll(
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
      this.#failure ??= storeError(error ?? new Error('the subscription has ended'));
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
    this.#patience = setTimeout(() => fail(new Error('the subscription was not accepted')), store.deadlineMs);
  }

  /** The events that have arrived, at most `limit`; undefined when there are none, and `ring` will tell. */
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

  /** @throws AppError SERVICE_UNAVAILABLE when the connection is lost; subscribe again after the last handled position */
  throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  async close(): Promise<void> {
    clearTimeout(this.#patience);
    await this.#subscription.unsubscribe().catch(() => undefined);
    this.#subscription.destroy();
  }
}
