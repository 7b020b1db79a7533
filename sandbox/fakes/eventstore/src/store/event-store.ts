// The store itself: decides appends, records them in log and index, and reads them back. Knows nothing of gRPC.
import { randomUUID } from 'node:crypto';
import { assertAppendable, assertStreamName } from './append-limits.js';
import { StreamDeletedError, WrongRevisionError } from './errors.js';
import { decideAppend, type StreamFacts } from './expected-revision.js';
import { LogReader } from './log-reader.js';
import { encodeFrame, FRAME_HEAD_BYTES, FRAME_TAIL_BYTES, LogRecord } from './log-record.js';
import type { ProposedEvent } from './messages.js';
import { recordedEvent } from './recorded-event.js';
import { type Recovery, recover } from './recovery.js';
import { SegmentLog } from './segment-log.js';
import { type StreamHead, StreamIndex } from './stream-index.js';
import {
  firstVisible,
  isSoftDeleted,
  maxAgeMs,
  SOFT_DELETED_METADATA,
  undeletedMetadata,
} from './stream-metadata.js';

const STREAM_WINDOW_BYTES = 16 * 1024;
const FLUSH_RECORDS = 4096;
const FLUSH_MS = 1000;

export interface EventStoreOptions {
  readonly directory: string;
  readonly fsync: boolean;
  readonly segmentBytes: number;
}

/** Revision of the newest event of an append and where it lies; no position when nothing was written. */
export interface Appended {
  readonly revision: number;
  readonly position: number | undefined;
}

export type Direction = 'forwards' | 'backwards';

interface NewRecord {
  readonly stream: string;
  readonly revision: number;
  readonly event: ProposedEvent;
  readonly tombstone?: boolean;
}

/** One data directory, opened by one process at a time (see DataDirLock). */
export class EventStore {
  private readonly flushTimer: NodeJS.Timeout;
  private flushing: Promise<void> = Promise.resolve();

  private constructor(
    readonly log: SegmentLog,
    private readonly index: StreamIndex,
    /** The repairs of the last start. */
    readonly recovery: Recovery,
    /** Holds everything that is stored. */
    readonly directory: string,
  ) {
    this.flushTimer = setInterval(() => this.flush(), FLUSH_MS).unref();
  }

  /** Opens a directory, reading from the log only the records that the index has not seen; a torn tail is cut off. */
  static async open(options: EventStoreOptions): Promise<EventStore> {
    const log = await SegmentLog.open(options);
    let index: StreamIndex | undefined;
    try {
      index = await StreamIndex.open(options.directory, { fsync: options.fsync, logEnd: log.committed });
      const recovery = await recover(log, index, options.directory);
      return new EventStore(log, index, recovery, options.directory);
    } catch (error) {
      await index?.close();
      await log.close();
      throw error;
    }
  }

  /**
   * Appends events to one stream, all or none, and resolves when they are on disk. A repetition resolves with where
   * the events already are. Throws WrongRevisionError, StreamDeletedError, AppendTooLargeError, InvalidRequestError.
   */
  async append(stream: string, expected: number, events: readonly ProposedEvent[]): Promise<Appended> {
    assertAppendable(stream, events);
    const head = this.index.head(stream);
    const ids = events.map((event) => event.id);
    const decision = decideAppend(this.facts(stream, head), expected, ids);
    if (decision.kind === 'append') return this.appendNow(stream, head, events);
    // The state that led to this answer may still be on its way to the disk.
    await this.log.settled();
    if (decision.kind === 'deleted') throw new StreamDeletedError(stream);
    if (decision.kind === 'wrong-revision') throw new WrongRevisionError(stream, expected, head?.last ?? -1);
    return { revision: decision.last, position: head && this.index.position(head.number, decision.last) };
  }

  /** Hides all events of a stream; it can be written to again. Resolves with the position of the deletion. */
  async delete(stream: string, expected: number): Promise<number> {
    await this.assertDeletable(stream, expected);
    return this.record([this.metadataRecord(stream, SOFT_DELETED_METADATA)]);
  }

  /** Deletes a stream for good; its name can never be used again. Resolves with the position of the tombstone. */
  async tombstone(stream: string, expected: number): Promise<number> {
    await this.assertDeletable(stream, expected);
    const revision = (this.index.head(stream)?.last ?? -1) + 1;
    const event = systemEvent('$streamDeleted', '');
    return this.record([{ stream, revision, event, tombstone: true }]);
  }

  /** Whether a read finds the stream; throws StreamDeletedError when it has a tombstone. */
  exists(stream: string): boolean {
    this.assertNotTombstoned(stream);
    return this.lastCommitted(stream) >= 0 && !isSoftDeleted(this.metadata(stream));
  }

  /** Newest revision that is on disk; -1 when there is none. */
  lastCommitted(stream: string): number {
    const head = this.index.head(stream);
    if (head === undefined) return -1;
    let last = head.last;
    while (last >= 0 && (this.index.position(head.number, last) ?? 0) >= this.log.committed) last -= 1;
    return last;
  }

  /** Throws StreamDeletedError when the stream has a tombstone, or is the metadata stream of one that has. */
  assertNotTombstoned(stream: string): void {
    if (this.index.head(stream)?.tombstoned || this.isOwnerTombstoned(stream)) {
      throw new StreamDeletedError(stream);
    }
  }

  /** The metadata of a stream; empty where none was set. */
  metadata(stream: string): Readonly<Record<string, unknown>> {
    return this.index.head(stream)?.metadata ?? {};
  }

  /** The visible events of a stream from a revision on, in either direction. */
  *streamEvents(stream: string, from: number, direction: Direction): Generator<LogRecord> {
    const head = this.index.head(stream);
    if (head === undefined) return;
    const reader = new LogReader(this.log, STREAM_WINDOW_BYTES);
    const oldest = Date.now() - maxAgeMs(head.metadata);
    const last = this.lastCommitted(stream);
    const first = firstVisible(head.metadata, last);
    const step = direction === 'forwards' ? 1 : -1;
    let revision = direction === 'forwards' ? Math.max(from, first) : Math.min(from, last);
    for (; revision >= first && revision <= last; revision += step) {
      const position = this.index.position(head.number, revision);
      if (position === undefined) throw new Error(`index: revision ${revision} of '${stream}' is missing`);
      const record = reader.at(position);
      if (record.createdMs >= oldest) yield record;
    }
  }

  /** Refuses appends from now on and resolves when those that were accepted are on disk. */
  async drain(): Promise<void> {
    await this.log.seal();
  }

  /** Writes the index out and closes the files, after `drain()` and when no read is running any more. */
  async close(): Promise<void> {
    clearInterval(this.flushTimer);
    await this.flushing;
    this.flush();
    await this.flushing;
    await this.log.close();
    await this.index.close();
  }

  private async appendNow(
    stream: string,
    head: StreamHead | undefined,
    events: readonly ProposedEvent[],
  ): Promise<Appended> {
    const last = head?.last ?? -1;
    if (events.length === 0) return { revision: last, position: undefined };
    const records = events.map((event, offset) => ({ stream, revision: last + 1 + offset, event }));
    const metadata = head?.metadata ?? {};
    const undelete = isSoftDeleted(metadata)
      ? [this.metadataRecord(stream, undeletedMetadata(metadata, last + 1))]
      : [];
    const position = await this.record([...undelete, ...records]);
    return { revision: last + events.length, position };
  }

  /** Logs records as one append, applies them to the index, and resolves with the position of the last when on disk. */
  private async record(records: readonly NewRecord[]): Promise<number> {
    this.log.assertWritable();
    const frames: Buffer[] = [];
    const createdMs = Date.now();
    let position = this.log.nextPosition();
    let lastPosition = position;
    for (const [i, { stream, revision, event, tombstone = false }] of records.entries()) {
      const message = recordedEvent(event, { stream, revision, position, createdMs, tombstone });
      const endsAppend = i === records.length - 1;
      const { type, id } = event;
      const frame = encodeFrame({ stream, type, id, revision, createdMs, message, tombstone, endsAppend });
      this.index.apply(new LogRecord(frame.subarray(FRAME_HEAD_BYTES, -FRAME_TAIL_BYTES), position));
      frames.push(frame);
      lastPosition = position;
      position += frame.length;
    }
    const onDisk = this.log.write(frames);
    if (this.index.unflushed >= FLUSH_RECORDS) this.flush();
    await onDisk;
    return lastPosition;
  }

  private async assertDeletable(stream: string, expected: number): Promise<void> {
    assertStreamName(stream);
    const decision = decideAppend(this.facts(stream, this.index.head(stream)), expected, [newId()]);
    if (decision.kind === 'append') return;
    await this.log.settled();
    if (decision.kind === 'deleted') throw new StreamDeletedError(stream);
    throw new WrongRevisionError(stream, expected, this.index.head(stream)?.last ?? -1);
  }

  private facts(stream: string, head: StreamHead | undefined): StreamFacts {
    return {
      last: head?.last ?? -1,
      tombstoned: head?.tombstoned === true || this.isOwnerTombstoned(stream),
      softDeleted: head !== undefined && isSoftDeleted(head.metadata),
      hasMetadata: () => this.index.head(`$$${stream}`) !== undefined,
      revisionOf: (id) => head && this.index.revisionOf(head.number, id),
      holds: (revision, id) => head !== undefined && this.holds(head.number, revision, id),
    };
  }

  private holds(streamNumber: number, revision: number, id: Buffer): boolean {
    if (this.index.revisionOf(streamNumber, id) === revision) return true;
    // The index keeps the newest place of an id only; the log knows every one that is on disk.
    const position = this.index.position(streamNumber, revision);
    if (position === undefined || position >= this.log.committed) return false;
    return new LogReader(this.log, STREAM_WINDOW_BYTES).at(position).id.equals(id);
  }

  /** Whether a metadata stream belongs to a stream that has a tombstone. */
  private isOwnerTombstoned(stream: string): boolean {
    return stream.startsWith('$$') && this.index.head(stream.slice(2))?.tombstoned === true;
  }

  private metadataRecord(stream: string, json: string): NewRecord {
    const metastream = `$$${stream}`;
    const revision = (this.index.head(metastream)?.last ?? -1) + 1;
    return { stream: metastream, revision, event: systemEvent('$metadata', json) };
  }

  private flush(): void {
    this.flushing = this.index
      .flush(() => this.log.settled())
      .catch((cause: unknown) => {
        // Nothing is lost, since the next start reads the log; but entries that cannot be flushed would fill the
        // memory.
        this.log.refuse(
          new Error('the index cannot be written; appends are refused until a restart', { cause }),
        );
      });
  }
}

const newId = (): Buffer => Buffer.from(randomUUID().replaceAll('-', ''), 'hex');

function systemEvent(type: string, json: string): ProposedEvent {
  return {
    id: newId(),
    type,
    contentType: 'application/json',
    data: Buffer.from(json),
    metadata: new Uint8Array(),
  };
}
