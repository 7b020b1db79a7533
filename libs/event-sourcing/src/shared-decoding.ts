// Decodes an event once for all followers of a category, for as long as any of them holds the raw event.
import type { Codec } from './codec.js';
import type { Message } from './decider.js';
import type { Recorded } from './event-store.js';
import type { EventStoreConnection } from './event-store-connection.js';
import type { OpenedParts } from './projector.js';
import type { RawEvent } from './store/driver.js';

interface Entry {
  readonly codec: object;
  readonly recorded: Promise<unknown>;
}

const opened = new WeakMap<RawEvent, Entry>();
const sealed = new WeakMap<RawEvent, Entry>();

/** Whether the personal part of an event of this type is opened for work that needs these parts. */
export const opens = ({ definitions }: Codec<Message>, type: string, parts: OpenedParts): boolean => {
  const { personal, foldsWithoutPersonal } = definitions[type] ?? {};
  return personal !== undefined && (parts === 'folded' ? foldsWithoutPersonal !== true : parts);
};

/**
 * The store's `decode`, with the very same event for every follower of the same codec. An event without a personal part is the
 * same for all of them. A failure is not kept.
 */
export const decodeOnce = <E extends Message>(
  store: EventStoreConnection,
  raw: RawEvent,
  codec: Codec<E>,
  parts: OpenedParts,
): Promise<Recorded<E>> => {
  const personal = opens(codec, raw.type, parts);
  const known = personal ? opened : sealed;
  const entry = known.get(raw);
  // An event that this very codec has decoded is of its type.
  if (entry?.codec === codec) return entry.recorded as Promise<Recorded<E>>;
  const recorded = store.decode(raw, codec, { personal });
  known.set(raw, { codec, recorded });
  recorded.catch(() => known.delete(raw));
  return recorded;
};
