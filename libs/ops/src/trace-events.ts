// The events of one request: the events that carry its id, the events that they caused, and all events of their calls.
import { newestEvents, rawStream } from '@parlance/event-sourcing';
import type { OpenedStreams } from './event-sourced-service.js';
import { type StoredEvent, storedEventOf } from './stored-event.js';

export interface TracedEvents {
  /** The events that the request caused, in the order in which they were recorded. */
  readonly caused: readonly StoredEvent[];
  /** All events of the streams that the request touched, including `caused`. */
  readonly streams: ReadonlyMap<string, readonly StoredEvent[]>;
  /** The time of the oldest event that was looked at; undefined when all were. */
  readonly lookedBackTo: string | undefined;
}

/** Small parts of many events, by which their connection is found. */
interface Link {
  readonly event: StoredEvent;
  readonly causes: readonly string[];
}

const linkOf = (event: StoredEvent): Link => ({
  // Only the place and the links of an event are kept: parts of transcripts are large.
  event: { ...event, data: {} },
  causes: event.causationId === null ? [event.requestId] : [event.requestId, event.causationId],
});

const newestLinks = async (
  { eventStore }: OpenedStreams,
  scan: number,
): Promise<{ links: Link[]; lookedBackTo: string | undefined }> => {
  const links: Link[] = [];
  let looked = 0;
  let oldest: Date | undefined;
  for await (const raw of newestEvents(eventStore, { limit: scan })) {
    looked += 1;
    oldest = raw.created;
    const event = storedEventOf(raw);
    if (event !== undefined) links.push(linkOf(event));
  }
  return { links: links.reverse(), lookedBackTo: looked < scan ? undefined : oldest?.toISOString() };
};

/** Effects come after their causes, so one walk in order finds whole chains. */
const causedBy = (links: readonly Link[], requestId: string): readonly StoredEvent[] => {
  const known = new Set([requestId]);
  return links.flatMap(({ event, causes }) => {
    if (!causes.some((cause) => known.has(cause))) return [];
    known.add(event.id);
    return [event];
  });
};

const readStream = async ({ eventStore }: OpenedStreams, stream: string): Promise<readonly StoredEvent[]> => {
  const events: StoredEvent[] = [];
  for await (const raw of rawStream(eventStore, stream)) {
    const event = storedEventOf(raw);
    if (event !== undefined) events.push(event);
  }
  return events;
};

/** Streams that these events name in their data. */
const namedIn = (events: readonly StoredEvent[]): readonly string[] =>
  events.flatMap(({ data }) => {
    const { callId, outboundCallId } = data;
    return [
      ...(typeof callId === 'string' ? [`call-${callId}`] : []),
      ...(typeof outboundCallId === 'string' ? [`outboundCall-${outboundCallId}`] : []),
    ];
  });

/** Looks among the newest `scan` events. */
export const tracedEvents = async (
  opened: OpenedStreams,
  requestId: string,
  scan: number,
): Promise<TracedEvents> => {
  const { links, lookedBackTo } = await newestLinks(opened, scan);
  const caused = causedBy(links, requestId);
  const streams = new Map<string, readonly StoredEvent[]>();
  const waiting = [...new Set(caused.map(({ stream }) => stream))];
  for (const stream of waiting) {
    const events = await readStream(opened, stream);
    if (events.length === 0) continue;
    streams.set(stream, events);
    for (const other of namedIn(events)) if (!waiting.includes(other)) waiting.push(other);
  }
  return { caused, streams, lookedBackTo };
};
