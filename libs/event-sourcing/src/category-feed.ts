// The caught-up followers of a category in a process share one subscription. So the store sends every event once, and it
// is decoded once. A follower that falls behind leaves, and comes back after catching up alone.
import { Bell } from './bell.js';
import {
  type Batch,
  type CategorySubscription,
  endOf,
  positionOf,
  type RawEvent,
  type StoreDriver,
} from './store/driver.js';

/** The most events that are held for the slowest reader: a reader that needs older ones has fallen behind. */
const mostHeld = 1_024;
/** Events that every reader has had are held for readers that join next. */
const leastHeld = 64;

export interface FeedReader {
  /** Position of the last event that was handled. */
  readonly after: bigint;
  readonly batchSize: number;
  readonly signal: AbortSignal;
}

export class CategoryFeed {
  readonly #source: CategorySubscription;
  readonly #bell = new Bell();
  readonly #ended: () => void;
  /** The position of each reader. */
  readonly #readers = new Map<symbol, bigint>();
  #held: RawEvent[] = [];
  /** Everything after this position is held, or yet to come. */
  #from: bigint;
  /** The position up to which no further event of this category follows the last event held. */
  #scannedTo: bigint;

  /** @param ended called when no reader can join any more: the feed has failed, or the last reader has left */
  constructor(driver: StoreDriver, category: string, after: bigint, ended: () => void) {
    this.#from = after;
    this.#scannedTo = after;
    this.#ended = ended;
    this.#source = driver.subscribe({ category, after, ring: this.#bell.ring });
  }

  /** True when all events after this position can be had here. */
  reachesBackTo(position: bigint): boolean {
    return position >= this.#from;
  }

  /**
   * Ends when the signal aborts, or the reader has fallen behind.
   * @throws StoreUnavailable when the connection is lost
   */
  async *batches({ after, batchSize, signal }: FeedReader): AsyncGenerator<Batch, void, void> {
    const reader = Symbol();
    let position = after;
    signal.addEventListener('abort', this.#bell.ring);
    this.#readers.set(reader, position);
    try {
      while (!signal.aborted && this.reachesBackTo(position)) {
        const batch = this.#after(position, batchSize);
        if (batch === undefined) {
          this.#throwIfFailed();
          await this.#bell.rung();
          continue;
        }
        yield batch;
        position = endOf(batch, position);
        this.#readers.set(reader, position);
        this.#forget();
      }
    } finally {
      signal.removeEventListener('abort', this.#bell.ring);
      this.#readers.delete(reader);
      if (this.#readers.size === 0) await this.#close();
    }
  }

  #after(position: bigint, limit: number): Batch | undefined {
    const held = this.#heldAfter(position, limit);
    if (held.length > 0) return { events: held };
    // Only a reader that has had all events asks for more. So the fastest reader sets the pace at which the store is read.
    this.#take(limit);
    const events = this.#heldAfter(position, limit);
    if (events.length > 0) return { events };
    return this.#scannedTo > position ? { events, scannedTo: this.#scannedTo } : undefined;
  }

  #heldAfter(position: bigint, limit: number): readonly RawEvent[] {
    const first = this.#held.findLastIndex((event) => positionOf(event) <= position) + 1;
    return this.#held.slice(first, first + limit);
  }

  #take(limit: number): void {
    const batch = this.#source.take(limit);
    if (batch === undefined) return;
    this.#held.push(...batch.events);
    this.#scannedTo = endOf(batch, this.#scannedTo);
    this.#bell.ring();
    this.#drop(this.#held.length - mostHeld);
  }

  #forget(): void {
    const slowest = [...this.#readers.values()].reduce((a, b) => (a < b ? a : b));
    const had = this.#held.findLastIndex((event) => positionOf(event) <= slowest) + 1;
    this.#drop(Math.min(had, this.#held.length - leastHeld));
  }

  #drop(count: number): void {
    const last = this.#held.splice(0, Math.max(0, count)).at(-1);
    if (last !== undefined) this.#from = positionOf(last);
  }

  #throwIfFailed(): void {
    try {
      this.#source.throwIfFailed();
    } catch (error) {
      this.#ended();
      throw error;
    }
  }

  async #close(): Promise<void> {
    this.#ended();
    await this.#source.close();
  }
}

/** The feeds of a connection, by category. */
const feeds = new WeakMap<StoreDriver, Map<string, CategoryFeed>>();

/** True when a feed with all events after this position can be had. */
export const canJoinFeed = (driver: StoreDriver, category: string, after: bigint): boolean =>
  feeds.get(driver)?.get(category)?.reachesBackTo(after) ?? true;

/** The category's feed, made where there is none. A reader must read from it at once, because only a reader ends it. */
export const feedOf = (driver: StoreDriver, category: string, after: bigint): CategoryFeed => {
  const own = feeds.get(driver) ?? new Map<string, CategoryFeed>();
  feeds.set(driver, own);
  const known = own.get(category);
  if (known !== undefined) return known;
  const feed: CategoryFeed = new CategoryFeed(driver, category, after, () => {
    if (own.get(category) === feed) own.delete(category);
  });
  own.set(category, feed);
  return feed;
};
