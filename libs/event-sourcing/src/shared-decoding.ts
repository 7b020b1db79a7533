// Decodes an event once for all followers of a category, for as long as any of them holds the raw event.
import type { Codec } from './codec.js';
import type { Message } from './decider.js';
import type { Recorded } from './event-store.js';
import type { EventStoreConnection } from './event-store-connection.js';
import type { RawEvent } from './store/driver.js';

interface Entry {
  readonly codec: object;
  readonly recorded: Promise<unknown>;
}

const opened = new WeakMap<RawEvent, Entry>();
const sealed = new WeakMap<RawEvent, Entry>();

/** The store's `decode`, with the very same event for every follower of the same codec. A failure is not kept. */
export const decodeOnce = <E extends Message>(
  store: EventStoreConnection,
  raw: RawEvent,
  codec: Codec<E>,
  personal: boolean,
): Promise<Recorded<E>> => {
  const known = personal ? opened : sealed;
  const entry = known.get(raw);
  // An event that this very codec has decoded is of its type.
  if (entry?.codec === codec) return entry.recorded as Promise<Recorded<E>>;
  const recorded = store.decode(raw, codec, { personal });
  known.set(raw, { codec, recorded });
  recorded.catch(() => known.delete(raw));
  return recorded;
};
