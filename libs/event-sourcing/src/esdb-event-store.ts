// EventStoreDB behind the EventStore port: reads with a deadline, and appends at an explicit revision. Personal parts are
// sealed on the way in and opened on the way out.
import { setTimeout as delay } from 'node:timers/promises';
import { EventStoreDBClient, type RecordedEvent } from '@eventstore/db-client';
import type { Secret } from '@parlance/config';
import { AppError } from '@parlance/errors';
import { currentContext } from '@parlance/observability';
import { z } from 'zod';
import { BatchAppends, type ProposedEvent } from './batch-appends.js';
import { certificateError } from './certificates.js';
import type { Codec, Encoded } from './codec.js';
import type { Message } from './decider.js';
import {
  type Appended,
  type EventStore,
  eventId,
  type Recorded,
  type Revision,
  WrongRevision,
} from './event-store.js';
import { fromLeader } from './from-leader.js';
import { type EventMeta, EventMetadata, metadataOf } from './metadata.js';
import { NewerEvent } from './newer-event.js';
import { askFeatures } from './server-features.js';
import { isStreamNotFound, isWrongRevision, storeError } from './store-errors.js';

/** Keys per subject, as libs/crypto keeps them. The subject of an event is its stream. */
export interface PersonalParts {
  seal(subject: string, value: unknown): Promise<string>;
  /** Null once the subject was forgotten. */
  open(subject: string, sealed: string): Promise<unknown>;
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

/** The event as the client hands it over, from a read or a subscription. */
export type RawEvent = Pick<
  RecordedEvent,
  'id' | 'streamId' | 'revision' | 'type' | 'data' | 'metadata' | 'created'
> & {
  readonly position?: { readonly commit: bigint } | undefined;
};

/** Time in which an answer reaches the caller of a request. */
const answerMs = 300;
/** With less time left than this, the request can no longer be answered in time anyway. */
const leastMs = 200;

/** Before anything else of the event is read: a newer release may have given it another shape. */
const refuseNewer = (
  { type, metadata, streamId, revision }: RawEvent,
  { definitions }: Codec<Message>,
): void => {
  const stored = z.object({ schemaVersion: z.int() }).safeParse(metadata).data?.schemaVersion;
  const known = Object.hasOwn(definitions, type) ? definitions[type]?.version : undefined;
  if (known === undefined || (stored ?? 0) > known)
    throw new NewerEvent(type, stored, ` (${streamId}, revision ${revision})`);
};

const entityIn = (stream: string): string => stream.slice(stream.indexOf('-') + 1);

export class EsdbEventStore implements EventStore {
  /** For subscriptions, which live in this library only. */
  readonly client: EventStoreDBClient;
  readonly deadlineMs: number;
  readonly #appends: BatchAppends;
  readonly #personalData: PersonalParts | undefined;
  readonly #url: Secret;

  constructor({ url, name, personalData, deadlineMs = 5_000 }: EventStoreOptions) {
    this.client = EventStoreDBClient.connectionString(withConnectionName(url.reveal(), name));
    // The client's own appends have no deadline, and one map keeps those of all clients of a process. An error of one
    // connection forgets all of them. A late answer to a forgotten append then throws in a stream handler, which ends the
    // process.
    this.#appends = new BatchAppends(this.client);
    this.#personalData = personalData;
    this.#url = url;
    this.deadlineMs = deadlineMs;
  }

  async read<E extends Message>(
    stream: string,
    codec: Codec<E>,
  ): Promise<{ readonly events: readonly Recorded<E>[]; readonly revision: Revision }> {
    const raw = await fromLeader(() => this.#readAll(stream));
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
    try {
      const append = { stream, expected, events: proposed };
      return await fromLeader(() => this.#appends.append(append, this.#timeLeftMs()));
    } catch (error) {
      if (isWrongRevision(error)) throw new WrongRevision(stream, { cause: error });
      throw storeError(error);
    }
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
    };
  }

  /** Resolves when the store answers. @throws AppError SERVICE_UNAVAILABLE */
  async ping(): Promise<void> {
    await fromLeader(() => this.#readAll('parlance_ping-0'));
  }

  /** The reason why the certificate of a node is refused; undefined where none is. */
  certificateError(): Promise<unknown> {
    return certificateError(this.#url.reveal());
  }

  /** Such as `23.10.7`; `unknown` for a server that is older than the question. @throws when it does not answer */
  async serverVersion(): Promise<string> {
    return (await askFeatures(this.client)).serverVersion;
  }

  /** Ends the open calls and closes the connection. */
  async close(): Promise<void> {
    const patience = new AbortController();
    await Promise.race([
      this.#hangUp().finally(() => patience.abort()),
      delay(1_000, undefined, { signal: patience.signal }).catch(() => undefined),
    ]);
  }

  // The client's own `dispose` ends the calls and keeps the connection, which keeps the process.
  async #hangUp(): Promise<void> {
    this.#appends.close();
    await this.client.dispose();
    const getChannel: unknown = Reflect.get(this.client, 'getChannel');
    const channel: unknown = typeof getChannel === 'function' ? await getChannel() : undefined;
    if (typeof channel !== 'object' || channel === null || !('close' in channel)) return;
    if (typeof channel.close === 'function') channel.close();
  }

  async #payload(stream: string, { data, personal }: Encoded): Promise<z.input<typeof StoredPayload>> {
    if (personal === undefined) return { data };
    if (this.#personalData === undefined)
      throw new Error('this store was opened without keys for personal data');
    return { data, personal: await this.#personalData.seal(stream, personal) };
  }

  async #open(stream: string, sealed: string): Promise<z.output<typeof OpenedPersonal>> {
    if (this.#personalData === undefined)
      throw new Error('this store was opened without keys for personal data');
    return OpenedPersonal.parse(await this.#personalData.open(stream, sealed));
  }

  /**
   * Shorter than the patience of a request's caller. So the caller learns that the store is away, and when to come back.
   * Work that goes on after a request has been answered has its own time.
   */
  #timeLeftMs(): number {
    const deadline = currentContext()?.deadline ?? 0;
    const leftMs = deadline - Date.now() - answerMs;
    return leftMs < leastMs ? this.deadlineMs : Math.min(this.deadlineMs, leftMs);
  }

  // The client gives reads no deadline of their own: a server that accepts and then hangs would hold them for ever.
  #readAll(stream: string): Promise<readonly RawEvent[]> {
    return new Promise((resolve, reject) => {
      const found: RawEvent[] = [];
      // A decision must not rest on the events of a node that is behind, so the leader is read.
      const reading = this.client.readStream(stream, { requiresLeader: true });
      const timer = setTimeout(() => {
        void reading.cancel().catch(() => undefined);
        reject(
          new AppError('SERVICE_UNAVAILABLE', { cause: new Error('read timed out'), retryAfterSeconds: 2 }),
        );
      }, this.#timeLeftMs());
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
        else reject(storeError(error));
      });
    });
  }
}

const withConnectionName = (connectionString: string, name: string): string => {
  if (/[?&]connectionName=/i.test(connectionString)) return connectionString;
  return `${connectionString}${connectionString.includes('?') ? '&' : '?'}connectionName=${encodeURIComponent(name)}`;
};

/** Opens a connection lazily: nothing is sent until the first read or append. */
export const connectEventStore = (options: EventStoreOptions): EsdbEventStore => new EsdbEventStore(options);
