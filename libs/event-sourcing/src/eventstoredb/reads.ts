// Reads of one stream or of all streams. The client gives them no deadline of its own: a server that accepts a read and then hangs
// would hold it for ever.
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
import type { AllRead, RawEvent, StreamRead } from '../store/driver.js';
import { StoreUnavailable } from '../store/failures.js';
import { failureOf, isStreamNotFound } from './failures.js';

/** A server that sends nothing for so long while its next event is awaited counts as unavailable. */
const silenceMs = 10_000;

const timedOut = (): StoreUnavailable => new StoreUnavailable({ cause: new Error('read timed out') });

/** All events of a stream in order; none for a stream that does not exist. */
export const wholeStream = (
  client: EventStoreDBClient,
  stream: string,
  deadlineMs: number,
): Promise<readonly RawEvent[]> =>
  new Promise((resolve, reject) => {
    const found: RawEvent[] = [];
    // A decision must not rest on the events of a node that is behind, so the leader is read.
    const reading = client.readStream(stream, { requiresLeader: true });
    const timer = setTimeout(() => {
      void reading.cancel().catch(() => undefined);
      reject(timedOut());
    }, deadlineMs);
    reading.on('data', ({ event }) => {
      if (event !== undefined) found.push(event);
    });
    reading.on('end', () => {
      clearTimeout(timer);
      resolve(found);
    });
    reading.on('error', (error) => {
      clearTimeout(timer);
      if (isStreamNotFound(error)) resolve([]);
      else reject(failureOf(error));
    });
  });

async function* eventsOf(
  reading: StreamingRead<ResolvedEvent> | StreamingRead<AllStreamResolvedEvent>,
): AsyncGenerator<RawEvent, void, void> {
  let isWaiting = true;
  const watchdog = setTimeout(() => {
    if (isWaiting) reading.destroy(timedOut());
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
    if (!isStreamNotFound(error)) throw failureOf(error);
  } finally {
    clearTimeout(watchdog);
    await reading.cancel().catch(() => undefined);
  }
}

const limited = (maxCount: number | undefined) => (maxCount === undefined ? {} : { maxCount });

export const streamEvents = (
  client: EventStoreDBClient,
  { stream, from, limit, backwards = false }: StreamRead,
): AsyncGenerator<RawEvent, void, void> =>
  eventsOf(
    client.readStream(stream, {
      direction: backwards ? BACKWARDS : FORWARDS,
      fromRevision: from ?? (backwards ? END : START),
      requiresLeader: true,
      ...limited(limit),
    }),
  );

export const allEvents = (
  client: EventStoreDBClient,
  { from, limit, backwards = false }: AllRead,
): AsyncGenerator<RawEvent, void, void> =>
  eventsOf(
    client.readAll({
      direction: backwards ? BACKWARDS : FORWARDS,
      fromPosition: from === undefined ? (backwards ? END : START) : { commit: from, prepare: from },
      requiresLeader: true,
      ...limited(limit),
    }),
  );
