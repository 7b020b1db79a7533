// Events as they lie in the store, one after the other: for the tools that look at a store as a whole.
import {
  type AllStreamResolvedEvent,
  BACKWARDS,
  END,
  type EventStoreDBClient,
  FORWARDS,
  type ResolvedEvent,
  START,
  type StreamingRead,
} from '@eventstore/db-client';
import { AppError } from '@parlance/errors';
import type { RawEvent } from './esdb-event-store.js';
import { isStreamNotFound, storeError } from './store-errors.js';

type Store = { readonly client: EventStoreDBClient };

/** A server that says nothing for so long while it is waited for is taken for gone. */
const silenceMs = 10_000;

async function* eventsOf(
  reading: StreamingRead<ResolvedEvent> | StreamingRead<AllStreamResolvedEvent>,
): AsyncGenerator<RawEvent, void, void> {
  let isWaiting = true;
  const watchdog = setTimeout(() => {
    if (isWaiting)
      reading.destroy(new AppError('SERVICE_UNAVAILABLE', { cause: new Error('read timed out') }));
    else watchdog.refresh();
  }, silenceMs);
  try {
    for await (const { event } of reading) {
      isWaiting = false;
      if (event !== undefined) yield event;
      isWaiting = true;
      watchdog.refresh();
    }
  } catch (error) {
    if (!isStreamNotFound(error)) throw storeError(error);
  } finally {
    clearTimeout(watchdog);
    await reading.cancel().catch(() => undefined);
  }
}

/**
 * Events of a stream from a revision on, in order; none where there is no such stream.
 * @throws AppError SERVICE_UNAVAILABLE when the store does not answer
 */
export const rawStream = (
  { client }: Store,
  stream: string,
  options: { readonly from?: bigint; readonly limit?: number } = {},
): AsyncGenerator<RawEvent, void, void> =>
  eventsOf(
    client.readStream(stream, {
      fromRevision: options.from ?? START,
      requiresLeader: true,
      ...(options.limit === undefined ? {} : { maxCount: options.limit }),
    }),
  );

/** The last event of a stream. @throws AppError SERVICE_UNAVAILABLE when the store does not answer */
export const newestOfStream = async ({ client }: Store, stream: string): Promise<RawEvent | undefined> => {
  const fromEnd = { direction: BACKWARDS, fromRevision: END, maxCount: 1, requiresLeader: true } as const;
  const reading = client.readStream(stream, fromEnd);
  for await (const event of eventsOf(reading)) return event;
  return undefined;
};

/** Events of all streams, the newest first. @throws AppError SERVICE_UNAVAILABLE when the store does not answer */
export const newestEvents = (
  { client }: Store,
  { limit }: { readonly limit: number },
): AsyncGenerator<RawEvent, void, void> =>
  eventsOf(
    client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: limit, requiresLeader: true }),
  );

/** Events of all streams in the order of the store. @throws AppError SERVICE_UNAVAILABLE when the store does not answer */
export const allEvents = ({ client }: Store): AsyncGenerator<RawEvent, void, void> =>
  eventsOf(client.readAll({ direction: FORWARDS, fromPosition: START, requiresLeader: true }));

/** Position of the newest event of the store; -1 while it is empty. */
export const headOf = async (store: Store): Promise<bigint> => {
  for await (const event of newestEvents(store, { limit: 1 })) return event.position?.commit ?? -1n;
  return -1n;
};

/** A subscription tells its position at least this often, so no more events than this lie ahead of it. */
const quietAtMost = 4_096;

/**
 * True when no event of the category lies after `after`, up to and with `upTo`. Also false when too many events to look
 * at lie between. Then a subscription of the category has not come far enough either.
 */
export const isQuiet = async (
  { client }: Store,
  category: string,
  { after, upTo }: { readonly after: bigint; readonly upTo: bigint },
): Promise<boolean> => {
  if (after >= upTo) return true;
  const fromPosition = after < 0n ? START : { commit: after, prepare: after };
  let looked = 0;
  const reading = client.readAll({
    ...{ direction: FORWARDS, fromPosition, maxCount: quietAtMost, requiresLeader: true },
  });
  for await (const event of eventsOf(reading)) {
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
 * @throws AppError SERVICE_UNAVAILABLE when the store does not answer
 */
export const oldestAhead = async (
  { client }: Store,
  category: string,
  after: bigint,
): Promise<RawEvent | undefined> => {
  const fromPosition = after < 0n ? START : { commit: after, prepare: after };
  const reading = client.readAll({
    ...{ direction: FORWARDS, fromPosition, maxCount: quietAtMost, requiresLeader: true },
  });
  let looked = 0;
  for await (const event of eventsOf(reading)) {
    looked += 1;
    const isAhead = (event.position?.commit ?? -1n) > after;
    if (isAhead && (event.streamId.startsWith(`${category}-`) || looked === quietAtMost)) return event;
  }
  return undefined;
};
