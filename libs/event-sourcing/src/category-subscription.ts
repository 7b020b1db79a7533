// One category's events, live, in the order of the store: a catch-up subscription to $all filtered by stream prefix,
// read in batches of whatever has arrived, so that the reader's pace holds the server back.
import { type AllStreamSubscription, START, streamNameFilter } from '@eventstore/db-client';
import { AppError } from '@parlance/errors';
import type { EsdbEventStore, RawEvent } from './esdb-event-store.js';
import { storeError } from './store-errors.js';

export interface CategorySubscriptionOptions {
  readonly store: EsdbEventStore;
  readonly category: string;
  /** Position of the last event that was handled; negative starts with the first event of the store. */
  readonly after: bigint;
  readonly batchSize: number;
  readonly signal: AbortSignal;
  /** The server has accepted the subscription. */
  readonly onConnected?: () => void;
}

export interface Batch {
  readonly events: readonly RawEvent[];
  /** With no events: everything up to here belongs to other categories. */
  readonly scannedTo?: bigint;
}

/** The server tells how far its filter has looked after every so many of its search windows of 32 events. */
const checkpointInterval = 32;
/** Events held here while a batch is being handled; beyond it the server has to wait. */
const buffered = 512;

/** Wakes one waiter; a wake-up that nobody waits for is kept for the next. */
class Bell {
  #rung = false;
  #wake: (() => void) | undefined;

  readonly ring = (): void => {
    this.#rung = true;
    this.#wake?.();
  };

  async rung(): Promise<void> {
    if (!this.#rung) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#rung = false;
    this.#wake = undefined;
  }
}

const take = (subscription: AllStreamSubscription, limit: number): readonly RawEvent[] => {
  const events: RawEvent[] = [];
  while (events.length < limit) {
    // Readable.read is not typed by the element; the subscription carries resolved events and nothing else.
    const resolved = subscription.read() as { readonly event?: RawEvent } | null;
    if (resolved === null) break;
    if (resolved.event !== undefined) events.push(resolved.event);
  }
  return events;
};

/**
 * Yields batches until the signal aborts.
 * @throws AppError SERVICE_UNAVAILABLE when the connection is lost; subscribe again after the last handled position
 */
export async function* categoryBatches(
  options: CategorySubscriptionOptions,
): AsyncGenerator<Batch, void, void> {
  const { store, category, after, batchSize, signal, onConnected } = options;
  const bell = new Bell();
  let failure: unknown;
  let scannedTo: bigint | undefined;
  const subscription = store.client.subscribeToAll(
    {
      fromPosition: after < 0n ? START : { commit: after, prepare: after },
      filter: streamNameFilter({
        prefixes: [`${category}-`],
        checkpointInterval,
        checkpointReached: (_subscription, position) => {
          scannedTo = position.commit;
          bell.ring();
        },
      }),
    },
    { highWaterMark: buffered },
  );
  const fail = (error?: unknown): void => {
    failure ??=
      error ?? new AppError('SERVICE_UNAVAILABLE', { cause: new Error('the subscription has ended') });
    bell.ring();
  };
  // Without this listener a lost connection would end the process.
  subscription.on('error', fail);
  subscription.on('end', () => fail());
  subscription.on('close', () => fail());
  subscription.on('readable', bell.ring);
  subscription.on('confirmation', () => onConnected?.());
  signal.addEventListener('abort', bell.ring);
  try {
    while (!signal.aborted) {
      const events = take(subscription, batchSize);
      if (events.length > 0) {
        yield { events };
      } else if (failure !== undefined) {
        throw storeError(failure);
      } else if (scannedTo !== undefined) {
        // Whatever was sent before this mark has been read above, because nothing is left.
        const mark = scannedTo;
        scannedTo = undefined;
        yield { events, scannedTo: mark };
      } else {
        await bell.rung();
      }
    }
  } finally {
    signal.removeEventListener('abort', bell.ring);
    await subscription.unsubscribe().catch(() => undefined);
    subscription.destroy();
  }
}
