// One category's events, live, in the order of the store, in batches of the events that have arrived. A follower has a
// subscription of its own until it has handled all older events. Then it shares one with the other followers of this
// process.
import { Bell } from './bell.js';
import { canJoinFeed, feedOf } from './category-feed.js';
import type { EventStoreConnection } from './event-store-connection.js';
import { type Batch, endOf, type SubscriptionOptions } from './store/driver.js';

export interface CategorySubscriptionOptions
  extends Pick<SubscriptionOptions, 'category' | 'after' | 'onConnected'> {
  readonly store: EventStoreConnection;
  readonly batchSize: number;
  readonly signal: AbortSignal;
}

/** A follower that has handled an event no older than this has caught up. */
const freshMs = 5_000;

const isFresh = ({ events }: Batch): boolean => {
  const newest = events.at(-1);
  return newest !== undefined && Date.now() - newest.created.getTime() < freshMs;
};

async function* ownBatches(options: CategorySubscriptionOptions): AsyncGenerator<Batch, void, void> {
  const { store, batchSize, signal, ...followed } = options;
  const bell = new Bell();
  const source = store.driver.subscribe({ ...followed, ring: bell.ring });
  signal.addEventListener('abort', bell.ring);
  try {
    while (!signal.aborted) {
      const batch = source.take(batchSize);
      if (batch !== undefined) {
        yield batch;
        continue;
      }
      source.throwIfFailed();
      await bell.rung();
    }
  } finally {
    signal.removeEventListener('abort', bell.ring);
    await source.close();
  }
}

/**
 * Yields batches until the signal aborts.
 * @throws StoreUnavailable when the connection is lost; subscribe again after the last handled position
 */
export async function* categoryBatches(
  options: CategorySubscriptionOptions,
): AsyncGenerator<Batch, void, void> {
  const { store, category, batchSize, signal } = options;
  let after = options.after;
  while (!signal.aborted) {
    for await (const batch of ownBatches({ ...options, after })) {
      yield batch;
      after = endOf(batch, after);
      if (isFresh(batch) && canJoinFeed(store.driver, category, after)) break;
    }
    if (signal.aborted) return;
    for await (const batch of feedOf(store.driver, category, after).batches({ after, batchSize, signal })) {
      yield batch;
      after = endOf(batch, after);
    }
  }
}
