// Events as they lie in the store, one after the other: for tools that read a store as a whole, and for waits on a read model.
import type { EventStoreConnection } from './event-store-connection.js';
import type { RawEvent, StoreDriver } from './store/driver.js';

type Store = Pick<EventStoreConnection, 'driver'>;

/**
 * Events of a stream from a revision on, in order; none where there is no such stream.
 * @throws StoreUnavailable when the store does not answer
 */
export const rawStream = (
  { driver }: Store,
  stream: string,
  options: { readonly from?: bigint; readonly limit?: number } = {},
): AsyncGenerator<RawEvent, void, void> => driver.streamEvents({ stream, ...options });

/** The last event of a stream. @throws StoreUnavailable when the store does not answer */
export const newestOfStream = async ({ driver }: Store, stream: string): Promise<RawEvent | undefined> => {
  for await (const event of driver.streamEvents({ stream, limit: 1, backwards: true })) return event;
  return undefined;
};

/** Events of all streams, the newest first. @throws StoreUnavailable when the store does not answer */
export const newestEvents = (
  { driver }: Store,
  { limit }: { readonly limit: number },
): AsyncGenerator<RawEvent, void, void> => driver.allEvents({ limit, backwards: true });

/** Events of all streams in the order of the store. @throws StoreUnavailable when the store does not answer */
export const allEvents = ({ driver }: Store): AsyncGenerator<RawEvent, void, void> => driver.allEvents({});

/** Position of the newest event of the store; -1 while it is empty. */
export const headOf = async (store: Store): Promise<bigint> => {
  for await (const event of newestEvents(store, { limit: 1 })) return event.position?.commit ?? -1n;
  return -1n;
};

/** A subscription reports its position at least this often, so no more events than this lie ahead of it. */
const quietAtMost = 4_096;

const aheadOf = (driver: StoreDriver, after: bigint): AsyncGenerator<RawEvent, void, void> =>
  driver.allEvents({ from: after < 0n ? undefined : after, limit: quietAtMost });

/**
 * True when no event of the category lies after `after`, up to and with `upTo`. Also false when too many events to look
 * at lie between. Then a subscription of the category has not come far enough either.
 */
export const isQuiet = async (
  { driver }: Store,
  category: string,
  { after, upTo }: { readonly after: bigint; readonly upTo: bigint },
): Promise<boolean> => {
  if (after >= upTo) return true;
  let looked = 0;
  for await (const event of aheadOf(driver, after)) {
    looked += 1;
    const position = event.position?.commit ?? -1n;
    if (position > upTo) return true;
    if (position > after && event.streamId.startsWith(`${category}-`)) return false;
    if (position === upTo) return true;
  }
  return looked < quietAtMost;
};

/**
 * The oldest event of the category after `after`; undefined where a follower at this position has nothing to do. After a long
 * way without an event of the category, the event there: a follower should have looked that far.
 * @throws StoreUnavailable when the store does not answer
 */
export const oldestAhead = async (
  { driver }: Store,
  category: string,
  after: bigint,
): Promise<RawEvent | undefined> => {
  let looked = 0;
  for await (const event of aheadOf(driver, after)) {
    looked += 1;
    const isAhead = (event.position?.commit ?? -1n) > after;
    if (isAhead && (event.streamId.startsWith(`${category}-`) || looked === quietAtMost)) return event;
  }
  return undefined;
};
