// The durable state: one LMDB environment with documents as BSON, index entries and a catalogue of collections.
// Every write of every connection goes through `write`.
import { type Binary, type Document, deserialize, serialize, UUID } from 'bson';
import { type Database, open, type RootDatabase } from 'lmdb';
import { CommitQueue } from './commit-queue.js';
import { CommandError } from './errors.js';

/** LMDB's limit for a key at its default page size. */
export const MAX_KEY_BYTES = 1978;
/** Sorts after every continuation of a key prefix: no value's encoding starts with it. */
export const AFTER = Buffer.from([0xff]);
const PURGE_BATCH = 5_000;
/** Catalogue keys that are no collection's name. */
const STATE_KEY = Buffer.from([0]);
const OWNER_KEY = Buffer.from([1]);

/** The options for decoding documents to match and update: 64-bit integers and binaries keep their type. */
export const DECODE = { promoteLongs: false, promoteBuffers: false } as const;

/** One secondary index as the catalogue keeps it. */
export interface Index {
  /** Key space number in the index database. */
  readonly id: number;
  readonly name: string;
  readonly key: Readonly<Record<string, 1 | -1>>;
  readonly unique?: boolean;
  readonly sparse?: boolean;
  readonly partialFilterExpression?: Document;
  /** Set once a document has had an array at one of the fields. */
  multikey?: boolean;
  /** While its creation is being committed: written to, but readers do not see its entries yet. Not stored. */
  building?: boolean;
}

/** One collection as the catalogue keeps it. */
export interface Collection {
  /** Key space number in the document database. */
  readonly id: number;
  /** `database.collection`. */
  readonly ns: string;
  readonly uuid: Binary;
  indexes: Index[];
}

type Bytes = Database<Buffer, Buffer>;

/** The bytes that start every key of one collection or index. */
export function keySpace(id: number, ...rest: Buffer[]): Buffer {
  const prefix = Buffer.allocUnsafe(4);
  prefix.writeUInt32BE(id);
  return Buffer.concat([prefix, ...rest]);
}

/** The open data directory. Opening it a second time takes it from the process that had it before. */
export class Store {
  readonly documents: Bytes;
  readonly indexEntries: Bytes;
  private readonly root: RootDatabase<Buffer, Buffer>;
  private readonly catalogue: Bytes;
  private readonly collections = new Map<string, Collection>();
  private state = { nextId: 1, garbage: [] as number[] };
  /**
   * The id of the process that may write: the one that opened the directory last. An older one is fenced off, never
   * mixed in.
   */
  private readonly owner = Buffer.from(new UUID().buffer);
  private closing: Promise<void> | undefined;
  private closed = false;
  private readonly commits = new CommitQueue(
    (jobs) => this.transaction(jobs),
    () => this.load(),
  );

  constructor(dataDir: string) {
    const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
    this.root = open<Buffer, Buffer>({
      path: dataDir,
      noSubdir: false,
      // Address space only. A map that has to grow is mapped a second time, and the first one stays.
      mapSize: 2 ** 36,
      overlappingSync: false,
      // It batches puts outside of transactions, and there are none of those. Its failures would be unhandled
      // rejections.
      eventTurnBatching: false,
      ...binary,
    });
    this.catalogue = this.root.openDB({ name: 'catalogue', ...binary });
    this.documents = this.root.openDB({ name: 'documents', ...binary });
    this.indexEntries = this.root.openDB({ name: 'indexes', ...binary });
    this.load();
    this.root.transactionSync(() => this.catalogue.putSync(OWNER_KEY, this.owner));
    this.purgeSoon();
  }

  /** False once it is closed: nothing may be read any more. */
  get isOpen(): boolean {
    return !this.closed;
  }

  /** The collection, or undefined if nothing has created it. */
  find(ns: string): Collection | undefined {
    return this.collections.get(ns);
  }

  /** Every collection, by name. */
  all(): Collection[] {
    return [...this.collections.values()].sort((a, b) => (a.ns < b.ns ? -1 : 1));
  }

  /** The collection, created if need be. Only inside `write`, like every method below. */
  findOrCreate(ns: string): Collection {
    const existing = this.collections.get(ns);
    if (existing !== undefined) return existing;
    const name = ns.slice(ns.indexOf('.') + 1);
    if (name === '' || name.includes('\0') || name.includes('$') || Buffer.byteLength(ns) > 255) {
      throw new CommandError(73, `Invalid namespace specified '${ns}'`);
    }
    const created: Collection = { id: this.nextId(), ns, uuid: new UUID(), indexes: [] };
    this.save(created);
    return created;
  }

  /** Persists a changed collection. */
  save(collection: Collection): void {
    this.collections.set(collection.ns, collection);
    const indexes = collection.indexes.map(({ building, ...index }) => index);
    this.catalogue.putSync(Buffer.from(collection.ns), Buffer.from(serialize({ ...collection, indexes })));
  }

  /** Takes a collection away at once; its space is freed in the background. */
  drop(collection: Collection): void {
    this.collections.delete(collection.ns);
    this.catalogue.removeSync(Buffer.from(collection.ns));
    this.discard([collection.id, ...collection.indexes.map((index) => index.id)]);
  }

  /** Marks key spaces that nothing refers to any more. */
  discard(ids: number[]): void {
    this.state.garbage.push(...ids);
    this.saveState();
    this.purgeSoon();
  }

  /** A key space number that was never used before. */
  nextId(): number {
    const id = this.state.nextId++;
    this.saveState();
    return id;
  }

  /**
   * Runs `job` in the next write transaction and resolves with its result once that is on disk. Jobs run one after the
   * other. A job that throws a {@link CommandError} must have written nothing that it does not want kept. Any other
   * error undoes the whole transaction and rejects every job in it.
   */
  write<T>(job: () => T): Promise<T> {
    return this.commits.write(job);
  }

  /** Changes whenever something is committed, and for as long as a commit is under way: equal means nothing changed. */
  get version(): number {
    return this.commits.version;
  }

  /** Runs `change` so that all it wrote is undone if it throws. Only inside `write`. */
  atomically<T>(change: () => T): T {
    return this.root.transactionSync(change);
  }

  /** Takes no more writes, commits queued ones, then closes. */
  close(): Promise<void> {
    this.closing ??= this.finish();
    return this.closing;
  }

  private async finish(): Promise<void> {
    await this.commits.close();
    this.closed = true;
    await this.root.close();
  }

  /** Jobs run on this thread, LMDB's commit with its fsync on another: reads are served meanwhile. */
  private async transaction(jobs: () => void): Promise<void> {
    await this.root.childTransaction(() => {
      if (this.catalogue.get(OWNER_KEY)?.equals(this.owner) !== true) {
        throw new Error('another process has opened this data directory since');
      }
      jobs();
    });
  }

  private load(): void {
    this.collections.clear();
    this.state = { nextId: 1, garbage: [] };
    for (const { key, value } of this.catalogue.getRange({})) {
      // `save` and `saveState` wrote these two shapes.
      if (key.equals(OWNER_KEY)) continue;
      if (key.equals(STATE_KEY)) this.state = deserialize(value) as typeof this.state;
      else this.collections.set(key.toString(), deserialize(value, DECODE) as Collection);
    }
  }

  private saveState(): void {
    this.catalogue.putSync(STATE_KEY, Buffer.from(serialize(this.state)));
  }

  private purgeSoon(): void {
    if (this.state.garbage.length === 0) return;
    setImmediate(() => {
      // A store that closes meanwhile purges after its next start.
      if (this.closing === undefined) this.write(() => this.purge()).then(undefined, () => undefined);
    });
  }

  /** Deletes a bounded part of the first discarded key space; ids are unique across both databases. */
  private purge(): void {
    const [id] = this.state.garbage;
    if (id === undefined) return;
    const range = { start: keySpace(id), end: keySpace(id + 1), limit: PURGE_BATCH };
    let left = PURGE_BATCH;
    for (const database of [this.documents, this.indexEntries]) {
      const keys = [...database.getKeys({ ...range, limit: left })];
      for (const key of keys) database.removeSync(key);
      left -= keys.length;
      if (left === 0) break;
    }
    if (left > 0) {
      this.state.garbage.shift();
      this.saveState();
    }
    this.purgeSoon();
  }
}

/** The stored form of a document; throws BSONObjectTooLarge above 16 MiB. */
export function encodeDocument(doc: Document): Buffer {
  const tooLarge = (size: string): CommandError =>
    new CommandError(10334, `BSONObj size: ${size} is invalid. Size must be between 0 and 16793600(16MB)`);
  try {
    const bytes = serialize(doc, { ignoreUndefined: true });
    if (bytes.length > 16 * 1024 * 1024) throw tooLarge(String(bytes.length));
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  } catch (error) {
    // The serializer's own buffer ends a little above the limit.
    throw error instanceof RangeError ? tooLarge('more than 17 MiB') : error;
  }
}
