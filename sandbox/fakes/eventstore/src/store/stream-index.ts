// The places of each stream's events in the log: LMDB on disk, plus a small layer in memory for entries that are not
// there yet. Derived from the log: entries that a crash loses here are read again from the log at the next start.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import type { LogRecord } from './log-record.js';
import { eventData } from './messages.js';

const LAYOUT_VERSION = 1;
const CACHED_HEADS = 20_000;
const METADATA_TYPE = '$metadata';

/** A stream as the index knows it; immutable, replaced as the stream grows. */
export interface StreamHead {
  readonly number: number;
  /** Revision of the newest event; -1 when only metadata has been written. */
  readonly last: number;
  readonly tombstoned: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
}

interface Layer {
  readonly heads: Map<string, StreamHead>;
  /** Log positions of the newest revisions of each stream, by stream number. */
  readonly tails: Map<number, { readonly first: number; readonly positions: number[] }>;
  readonly revisionsById: Map<string, number>;
  records: number;
  /** Position after the last record in the layer. */
  end: number;
}

const newLayer = (end: number): Layer => ({
  heads: new Map(),
  tails: new Map(),
  revisionsById: new Map(),
  records: 0,
  end,
});

/** Index over the log's streams. Lookups see every applied record, also those that no flush has written out yet. */
export class StreamIndex {
  private readonly headsDb: Database<StreamHead, string>;
  private readonly positionsDb: Database<Buffer, Buffer>;
  private readonly revisionsDb: Database<Buffer, Buffer>;
  private readonly cache = new Map<string, StreamHead>();
  private active: Layer;
  private flushing: Layer | undefined;
  private nextNumber: number;

  private constructor(private readonly root: RootDatabase<number, string>) {
    this.headsDb = root.openDB<StreamHead, string>({ name: 'heads', encoding: 'json' });
    const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
    this.positionsDb = root.openDB<Buffer, Buffer>({ name: 'positions', ...binary });
    this.revisionsDb = root.openDB<Buffer, Buffer>({ name: 'revisions', ...binary });
    this.nextNumber = root.get('nextNumber') ?? 1;
    this.active = newLayer(root.get('indexedUpTo') ?? 0);
  }

  /** Opens the index of a data directory. One that does not belong to a log that ends at `logEnd` starts empty. */
  static async open(directory: string, options: { fsync: boolean; logEnd: number }): Promise<StreamIndex> {
    const path = join(directory, 'index');
    let root = openRoot(path, options.fsync);
    const usable = root.get('layout') === LAYOUT_VERSION && (root.get('indexedUpTo') ?? 0) <= options.logEnd;
    if (!usable) {
      await root.close();
      await rm(path, { recursive: true });
      root = openRoot(path, options.fsync);
      root.putSync('layout', LAYOUT_VERSION);
    }
    return new StreamIndex(root);
  }

  /** The log position up to which every record has been applied. */
  get appliedUpTo(): number {
    return this.active.end;
  }

  /** Records applied since the last flush began. */
  get unflushed(): number {
    return this.active.records;
  }

  head(stream: string): StreamHead | undefined {
    const known = this.active.heads.get(stream) ?? this.flushing?.heads.get(stream) ?? this.cache.get(stream);
    if (known !== undefined) return known;
    const stored = this.headsDb.get(stream);
    if (stored !== undefined) this.remember(stream, stored);
    return stored;
  }

  /** Log position of one event; undefined when the stream has no such revision. */
  position(streamNumber: number, revision: number): number | undefined {
    for (const layer of [this.active, this.flushing]) {
      const tail = layer?.tails.get(streamNumber);
      const position = tail?.positions[revision - tail.first];
      if (position !== undefined) return position;
    }
    return this.positionsDb.get(positionKey(streamNumber, revision))?.readUIntBE(0, 6);
  }

  /** Newest revision at which the stream holds an event with this id (16 bytes). */
  revisionOf(streamNumber: number, id: Buffer): number | undefined {
    const key = idKey(streamNumber, id);
    const text = key.toString('latin1');
    const recent = this.active.revisionsById.get(text) ?? this.flushing?.revisionsById.get(text);
    return recent ?? this.revisionsDb.get(key)?.readUIntBE(0, 6);
  }

  /** Takes one record in, in log order. */
  apply(record: LogRecord): void {
    const { active } = this;
    const { stream, revision, position } = record;
    active.end = record.next;
    active.records += 1;
    const head = this.head(stream) ?? this.newHead();
    if (record.tombstone) {
      this.put(stream, { ...head, tombstoned: true });
      return;
    }
    const tail = active.tails.get(head.number);
    if (tail === undefined) active.tails.set(head.number, { first: revision, positions: [position] });
    else tail.positions.push(position);
    active.revisionsById.set(idKey(head.number, record.id).toString('latin1'), revision);
    this.put(stream, { ...head, last: revision });
    if (stream.startsWith('$$') && record.type === METADATA_TYPE) this.applyMetadata(stream.slice(2), record);
  }

  /** Writes applied records out in one transaction, once `logOnDisk` says that the log holds them durably. */
  async flush(logOnDisk: () => Promise<void>): Promise<void> {
    if (this.flushing !== undefined || this.active.records === 0) return;
    const layer = this.active;
    this.flushing = layer;
    this.active = newLayer(layer.end);
    await logOnDisk();
    await this.root.transaction(() => this.writeOut(layer));
    this.flushing = undefined;
  }

  /** The same at once, for records that are known to be on disk. */
  flushSync(): void {
    const layer = this.active;
    this.root.transactionSync(() => this.writeOut(layer));
    this.active = newLayer(layer.end);
  }

  async close(): Promise<void> {
    await this.root.close();
  }

  private newHead(): StreamHead {
    const number = this.nextNumber;
    this.nextNumber += 1;
    return { number, last: -1, tombstoned: false, metadata: {} };
  }

  private applyMetadata(stream: string, record: LogRecord): void {
    const head = this.head(stream) ?? this.newHead();
    this.put(stream, { ...head, metadata: parseObject(eventData(record.message)) });
  }

  private put(stream: string, head: StreamHead): void {
    this.active.heads.set(stream, head);
    this.remember(stream, head);
  }

  private remember(stream: string, head: StreamHead): void {
    this.cache.delete(stream);
    this.cache.set(stream, head);
    if (this.cache.size <= CACHED_HEADS) return;
    const { value: oldest } = this.cache.keys().next();
    if (oldest !== undefined) this.cache.delete(oldest);
  }

  private writeOut(layer: Layer): void {
    for (const [stream, head] of layer.heads) this.headsDb.putSync(stream, head);
    for (const [streamNumber, { first, positions }] of layer.tails) {
      for (const [offset, position] of positions.entries()) {
        this.positionsDb.putSync(positionKey(streamNumber, first + offset), sixBytes(position));
      }
    }
    for (const [key, revision] of layer.revisionsById) {
      this.revisionsDb.putSync(Buffer.from(key, 'latin1'), sixBytes(revision));
    }
    this.root.putSync('nextNumber', this.nextNumber);
    this.root.putSync('indexedUpTo', layer.end);
  }
}

function openRoot(path: string, fsync: boolean): RootDatabase<number, string> {
  return open<number, string>({ path, maxDbs: 4, encoding: 'json', noSync: !fsync });
}

function positionKey(streamNumber: number, revision: number): Buffer {
  const key = Buffer.allocUnsafe(10);
  key.writeUInt32BE(streamNumber, 0);
  key.writeUIntBE(revision, 4, 6);
  return key;
}

/** Ids lie beside the ids of their own stream, so that an append touches few pages of the tree. */
function idKey(streamNumber: number, id: Buffer): Buffer {
  const key = Buffer.allocUnsafe(20);
  key.writeUInt32BE(streamNumber, 0);
  id.copy(key, 4);
  return key;
}

function sixBytes(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(6);
  bytes.writeUIntBE(value, 0, 6);
  return bytes;
}

/** Metadata that is not a JSON object counts as none, as in EventStoreDB. */
function parseObject(json: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(json).toString('utf8'));
    // JSON.parse yields plain data; a non-null object that is no array is a record of unknowns.
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}
