// Streams in memory, with the revisions, the repeated appends and the storage format of the real store, and failures on
// demand.
import { AppError } from '@parlance/errors';
import {
  type Codec,
  type Encoded,
  type EventMeta,
  EventMetadata,
  type EventStore,
  eventId,
  type Message,
  type RawEvent,
  type Recorded,
  type Revision,
  type StoreDriver,
  WrongRevision,
} from '@parlance/event-sourcing';

interface Row {
  readonly encoded: Encoded;
  readonly id: string;
  readonly metadata: EventMetadata;
}

export class MemoryEventStore implements EventStore {
  /** The number of next appends or reads that fail because the store is away. */
  outage = 0;
  /** Streams that were read so far. */
  reads = 0;
  /** Last events that were looked at so far. */
  looks = 0;
  readonly #streams = new Map<string, Row[]>();
  readonly driver: Pick<StoreDriver, 'streamEvents'> = { streamEvents: ({ stream }) => this.#newest(stream) };

  async read<E extends Message>(stream: string, codec: Codec<E>) {
    this.#fail();
    this.reads += 1;
    const rows = this.#streams.get(stream) ?? [];
    const events = rows.map(({ encoded, id, metadata }, index): Recorded<E> => {
      const event = codec.decode({ ...encoded, personal: encoded.personal ?? null }, metadata);
      if (event === undefined) throw new Error(`${encoded.type} is not known`);
      return {
        event,
        id,
        stream,
        entityId: stream.slice(stream.indexOf('-') + 1),
        revision: BigInt(index),
        position: undefined,
        recordedAt: new Date(metadata.occurredAt),
        metadata,
      };
    });
    const revision: Revision = rows.length === 0 ? 'none' : BigInt(rows.length - 1);
    return { events, revision };
  }

  async append<E extends Message>(
    stream: string,
    events: readonly E[],
    expected: Revision,
    meta: EventMeta,
    codec: Codec<E>,
  ) {
    this.#fail();
    const rows = this.#streams.get(stream) ?? [];
    const revision: Revision = rows.length === 0 ? 'none' : BigInt(rows.length - 1);
    if (revision !== expected) {
      // As the real store does: a second append of the same ids at the same place succeeds without effect.
      const begin = expected === 'none' ? 0 : Number(expected) + 1;
      const isRepeat = events.every(
        (_, index) => rows[begin + index]?.id === eventId(stream, meta.commandId, index),
      );
      if (!isRepeat) throw new WrongRevision(stream);
      return { revision: BigInt(begin + events.length - 1), position: undefined };
    }
    for (const [index, event] of events.entries()) {
      const encoded = codec.encode(event);
      const id = eventId(stream, meta.commandId, index);
      if (rows.some((row) => row.id === id))
        throw new Error(`${encoded.type} would be stored twice under one id`);
      const metadata = EventMetadata.parse({ ...meta, eventId: id, schemaVersion: encoded.version });
      rows.push({ encoded, id, metadata });
    }
    this.#streams.set(stream, rows);
    return { revision: BigInt(rows.length - 1), position: undefined };
  }

  async *#newest(stream: string): AsyncGenerator<RawEvent, void, void> {
    this.#fail();
    this.looks += 1;
    const rows = this.#streams.get(stream) ?? [];
    const last = rows.at(-1);
    if (last === undefined) return;
    const { encoded, id, metadata } = last;
    const created = new Date(metadata.occurredAt);
    const revision = BigInt(rows.length - 1);
    yield { id, streamId: stream, revision, type: encoded.type, data: encoded.data, metadata, created };
  }

  /** Types of a stream's events, in order. */
  typesOf(stream: string): string[] {
    return (this.#streams.get(stream) ?? []).map(({ encoded }) => encoded.type);
  }

  #fail(): void {
    if (this.outage <= 0) return;
    this.outage -= 1;
    throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 2 });
  }
}
