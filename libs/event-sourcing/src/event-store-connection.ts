// A connection to the event store, and what every engine needs around it: deadlines, deterministic ids, metadata, and personal parts
// that are sealed on the way in and opened on the way out.
import type { Secret } from '@parlance/config';
import { currentContext } from '@parlance/observability';
import { z } from 'zod';
import type { Codec, Encoded } from './codec.js';
import type { Message } from './decider.js';
import { type EventStore, eventId, type Recorded } from './event-store.js';
import { EventStoreDbDriver } from './eventstoredb/eventstoredb-driver.js';
import { type EventMeta, EventMetadata, metadataOf } from './metadata.js';
import { NewerEvent } from './newer-event.js';
import type { Appended, ProposedEvent, RawEvent, Revision, StoreDriver } from './store/driver.js';

/** Keys per subject, as libs/crypto keeps them. The subject of an event is its stream. */
export interface PersonalParts {
  seal(subject: string, value: unknown): Promise<string>;
  /** Null once the subject was forgotten. */
  open(subject: string, sealed: string): Promise<unknown>;
  /** Keyed hashes that a column can be searched by. */
  hashes(subject: string, texts: readonly string[]): Promise<readonly string[]>;
}

export interface EventStoreOptions {
  readonly url: Secret;
  /** Shown by the server beside the connection. */
  readonly name: string;
  /** Opens and seals personal parts; without it, events that have one can be neither written nor read. */
  readonly personalData?: PersonalParts;
  /** Longest wait for a read, an append, or a subscription to be accepted, in milliseconds (5 s). */
  readonly deadlineMs?: number;
}

/** The payload in the store: `personal` is the sealed part. */
const StoredPayload = z.object({
  data: z.record(z.string(), z.unknown()),
  personal: z.string().optional(),
});

const OpenedPersonal = z.record(z.string(), z.unknown()).nullable();

/** Time in which an answer reaches the caller of a request. */
const answerMs = 300;
/** With less time left than this, the request can no longer be answered in time anyway. */
const leastMs = 200;

const Versioned = z.object({ schemaVersion: z.int() });

/**
 * Before anything else of the event is read: a newer release may have given it another shape.
 * @throws NewerEvent
 */
export const refuseNewer = (
  { type, metadata, streamId, revision }: RawEvent,
  { definitions }: Codec<Message>,
): void => {
  const stored = Versioned.safeParse(metadata).data?.schemaVersion;
  const known = Object.hasOwn(definitions, type) ? definitions[type]?.version : undefined;
  if (known === undefined || (stored ?? 0) > known)
    throw new NewerEvent(type, stored, ` (${streamId}, revision ${revision})`);
};

const entityIn = (stream: string): string => stream.slice(stream.indexOf('-') + 1);

export class EventStoreConnection implements EventStore {
  /** Reads and subscriptions without the domain's codecs. */
  readonly driver: StoreDriver;
  readonly #deadlineMs: number;
  readonly #personalData: PersonalParts | undefined;

  constructor(
    driver: StoreDriver,
    {
      personalData,
      deadlineMs,
    }: { readonly personalData: PersonalParts | undefined; readonly deadlineMs: number },
  ) {
    this.driver = driver;
    this.#personalData = personalData;
    this.#deadlineMs = deadlineMs;
  }

  /** @throws Error for a store that was opened without keys: a mistake of the service */
  get personalData(): PersonalParts {
    if (this.#personalData === undefined)
      throw new Error('this store was opened without keys for personal data');
    return this.#personalData;
  }

  async read<E extends Message>(
    stream: string,
    codec: Codec<E>,
  ): Promise<{ readonly events: readonly Recorded<E>[]; readonly revision: Revision }> {
    const raw = await this.driver.readStream(stream, this.#timeLeftMs());
    const events: Recorded<E>[] = [];
    for (const event of raw) {
      const personal = codec.definitions[event.type]?.foldsWithoutPersonal !== true;
      events.push(await this.decode(event, codec, { personal }));
    }
    return { events, revision: events.at(-1)?.revision ?? 'none' };
  }

  async append<E extends Message>(
    stream: string,
    events: readonly E[],
    expected: Revision,
    meta: EventMeta,
    codec: Codec<E>,
  ): Promise<Appended> {
    const proposed: ProposedEvent[] = [];
    // One after the other: the first event of a new subject makes its key, the others find it.
    for (const [index, event] of events.entries()) {
      const encoded = codec.encode(event);
      const id = eventId(stream, meta.commandId, index);
      const metadata = metadataOf(meta, id, encoded.version);
      const data = await this.#payload(stream, encoded);
      proposed.push({ id, type: encoded.type, data, metadata });
    }
    return this.driver.append({ stream, expected, events: proposed }, this.#timeLeftMs());
  }

  /**
   * The domain event in a raw one. Without `personal` the personal part stays sealed and reads as null.
   * @throws NewerEvent for a type or a version that the codec does not know, ZodError for an event that does not fit its
   * schema, and AppError SERVICE_UNAVAILABLE when the key store does not answer
   */
  async decode<E extends Message>(
    raw: RawEvent,
    codec: Codec<E>,
    options: { readonly personal: boolean } = { personal: true },
  ): Promise<Recorded<E>> {
    refuseNewer(raw, codec);
    const metadata = EventMetadata.parse(raw.metadata);
    const payload = StoredPayload.parse(raw.data);
    const sealed = options.personal ? payload.personal : undefined;
    const personal = sealed === undefined ? null : await this.#open(raw.streamId, sealed);
    const event = codec.decode({ type: raw.type, data: payload.data, personal }, metadata);
    return {
      event,
      id: raw.id,
      stream: raw.streamId,
      entityId: entityIn(raw.streamId),
      revision: raw.revision,
      position: raw.position?.commit,
      recordedAt: raw.created,
      metadata,
      ...(payload.personal !== undefined && { sealed: payload.personal }),
    };
  }

  /** Resolves when the engine answers. @throws StoreUnavailable */
  async ping(): Promise<void> {
    await this.driver.readStream('parlance_ping-0', this.#timeLeftMs());
  }

  /** Such as `26.0.3`; `unknown` where the engine cannot say. @throws when it does not answer */
  serverVersion(): Promise<string> {
    return this.driver.serverVersion();
  }

  /** Ends the open calls and closes the connection. */
  close(): Promise<void> {
    return this.driver.close();
  }

  async #payload(stream: string, { data, personal }: Encoded): Promise<z.input<typeof StoredPayload>> {
    if (personal === undefined) return { data };
    return { data, personal: await this.personalData.seal(stream, personal) };
  }

  async #open(stream: string, sealed: string): Promise<z.output<typeof OpenedPersonal>> {
    return OpenedPersonal.parse(await this.personalData.open(stream, sealed));
  }

  /**
   * Shorter than the patience of a request's caller. So the caller learns that the store is away, and when to come back.
   * Work that goes on after a request has been answered has its own time.
   */
  #timeLeftMs(): number {
    const deadline = currentContext()?.deadline ?? 0;
    const leftMs = deadline - Date.now() - answerMs;
    return leftMs < leastMs ? this.#deadlineMs : Math.min(this.#deadlineMs, leftMs);
  }
}

/** Connects lazily: nothing is sent until the first read or append. */
export const connectEventStore = ({
  url,
  name,
  personalData,
  deadlineMs = 5_000,
}: EventStoreOptions): EventStoreConnection =>
  new EventStoreConnection(new EventStoreDbDriver({ url, name, acceptMs: deadlineMs }), {
    personalData,
    deadlineMs,
  });
