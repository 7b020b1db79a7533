// The store of objects. The content of each is in a file of its own under a random name, and everything else in one
// LMDB environment. An object is there when its entry is committed, so a killed process leaves the old object or the
// new one whole. No key ever becomes a path, so a key may hold any characters.
import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, opendir, open as openFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import { S3Error } from './s3-error.js';

export interface StoredObject {
  /** The name of the file with the content. */
  readonly contentId: string;
  readonly size: number;
  /** Without quotes. */
  readonly etag: string;
  /** Milliseconds since 1970; S3 tells whole seconds. */
  readonly modifiedAt: number;
  /** More headers for the answer to a read, such as content-type and x-amz-meta-*. */
  readonly headers: Readonly<Record<string, string>>;
  /** Base64, by header. */
  readonly checksums: Readonly<Record<string, string>>;
}

/** Decides about a write when its turn has come. @throws S3Error to refuse */
export type Precondition = (current: StoredObject | undefined) => void;

export interface StoredBucket {
  readonly name: string;
  readonly createdAt: number;
}

/** Sorts after everything that begins with the same bytes: UTF-8 has no such byte. */
const after = Buffer.from([0xff]);
const keyOf = (bucket: string, key: string): Buffer => Buffer.from(`${bucket}/${key}`);
/** In bytes. */
export const longestKey = 1024;
/** One byte more than any key has is enough to compare with; the database takes no more than 1978. */
const limited = (bucket: string, bytes: Buffer): Buffer => bytes.subarray(0, bucket.length + longestKey + 2);
const noSuchBucket = (bucket: string): S3Error =>
  new S3Error('NoSuchBucket', 'The specified bucket does not exist', { BucketName: bucket });

/** Makes the entries of a directory durable; Windows has no such thing. */
const syncDirectory = async (path: string): Promise<void> => {
  if (process.platform === 'win32') return;
  const directory = await openFile(path, 'r');
  await directory.sync().finally(() => directory.close());
};

export class ObjectStore {
  readonly #contentDir: string;
  readonly #root: RootDatabase;
  readonly #buckets: Database<{ readonly createdAt: number }, string>;
  readonly #objects: Database<StoredObject, Buffer>;
  /** The process that may write: the one that opened the directory last. An older one is fenced off. */
  readonly #owner: Database<string, string>;
  readonly #me = randomUUID();

  private constructor(dataDir: string, contentDir: string) {
    this.#contentDir = contentDir;
    // A commit is told after it is on disk; commits that wait together share one flush.
    this.#root = open({ path: join(dataDir, 'index'), noSubdir: false, overlappingSync: false });
    this.#buckets = this.#root.openDB({ name: 'buckets' });
    this.#objects = this.#root.openDB({ name: 'objects', keyEncoding: 'binary' });
    this.#owner = this.#root.openDB({ name: 'owner' });
  }

  /** Opens a data directory, takes it from the process that had it, and removes content that nothing refers to. */
  static async open(dataDir: string): Promise<ObjectStore> {
    const contentDir = join(dataDir, 'content');
    await mkdir(contentDir, { recursive: true });
    const store = new ObjectStore(dataDir, contentDir);
    await store.#owner.put('owner', store.#me);
    await syncDirectory(dataDir);
    await store.#removeOrphans();
    return store;
  }

  buckets(): StoredBucket[] {
    return [...this.#buckets.getRange()].map(({ key, value }) => ({ name: key, ...value }));
  }

  hasBucket(bucket: string): boolean {
    return this.#buckets.doesExist(bucket);
  }

  /** @throws S3Error NoSuchBucket */
  requireBucket(bucket: string): void {
    if (!this.hasBucket(bucket)) throw noSuchBucket(bucket);
  }

  /** False when there was one. */
  async createBucket(bucket: string): Promise<boolean> {
    let created = false;
    await this.#commit(() => {
      created = !this.hasBucket(bucket);
      if (created) void this.#buckets.put(bucket, { createdAt: Date.now() });
    });
    return created;
  }

  /** @throws S3Error NoSuchBucket, BucketNotEmpty */
  deleteBucket(bucket: string): Promise<void> {
    return this.#commit(() => {
      this.requireBucket(bucket);
      const [first] = this.#objects.getKeys({ ...this.#range(bucket, ''), limit: 1 });
      if (first) throw new S3Error('BucketNotEmpty', 'The bucket you tried to delete is not empty');
      void this.#buckets.remove(bucket);
    });
  }

  find(bucket: string, key: string): StoredObject | undefined {
    return this.#objects.get(keyOf(bucket, key));
  }

  /** Objects in the order of their keys' bytes, from a key on (which need not exist). */
  *scan(bucket: string, prefix: string, from: Buffer): Generator<{ key: string; object: StoredObject }> {
    const { start, end } = this.#range(bucket, prefix);
    const given = limited(bucket, Buffer.concat([Buffer.from(`${bucket}/`), from]));
    const range = { start: Buffer.compare(given, start) > 0 ? given : start, end };
    for (const { key, value } of this.#objects.getRange(range))
      yield { key: key.toString().slice(bucket.length + 1), object: value };
  }

  /** The content as a file, which stays whole while it is open, also during writes. */
  async openContent(
    bucket: string,
    key: string,
  ): Promise<{ object: StoredObject; file: FileHandle } | undefined> {
    for (let object = this.find(bucket, key); object; ) {
      try {
        return { object, file: await openFile(this.#pathOf(object.contentId), 'r') };
      } catch (error) {
        // Replaced or deleted since it was looked up: look again. Content that is gone though it is referred to is damage.
        const now = this.find(bucket, key);
        if (now?.contentId === object.contentId) throw error;
        object = now;
      }
    }
    return undefined;
  }

  /** Writes content that no object has yet; it is on disk when this resolves, and gone when it fails. */
  async writeContent(content: AsyncIterable<Buffer>): Promise<string> {
    const contentId = randomUUID();
    const file = await openFile(this.#pathOf(contentId), 'wx', 0o600);
    try {
      for await (const piece of content) await file.appendFile(piece);
      await file.sync();
      await syncDirectory(this.#contentDir);
    } catch (error) {
      await this.discardContent(contentId);
      throw error;
    } finally {
      await file.close();
    }
    return contentId;
  }

  discardContent(contentId: string): Promise<void> {
    return rm(this.#pathOf(contentId), { force: true });
  }

  /** Makes the object be there, whole and durable; an object that it replaces is removed. */
  async put(bucket: string, key: string, object: StoredObject, allow: Precondition): Promise<void> {
    let replaced: StoredObject | undefined;
    try {
      await this.#commit(() => {
        this.requireBucket(bucket);
        replaced = this.find(bucket, key);
        allow(replaced);
        void this.#objects.put(keyOf(bucket, key), object);
      });
    } catch (error) {
      await this.discardContent(object.contentId);
      throw error;
    }
    if (replaced) await this.discardContent(replaced.contentId);
  }

  /** Deletes existing objects; a missing one is no error. */
  async delete(bucket: string, keys: readonly string[]): Promise<void> {
    const gone: string[] = [];
    await this.#commit(() => {
      this.requireBucket(bucket);
      for (const key of keys) {
        const object = this.find(bucket, key);
        if (object) gone.push(object.contentId);
        void this.#objects.remove(keyOf(bucket, key));
      }
    });
    await Promise.all(gone.map((contentId) => this.discardContent(contentId)));
  }

  /** For when nothing is going on any more. */
  close(): Promise<void> {
    return this.#root.close();
  }

  /** Runs decisions and writes as one; on disk when it resolves, nothing written when it rejects. */
  async #commit(work: () => void): Promise<void> {
    let refused: unknown;
    await this.#root.transaction(() => {
      try {
        if (this.#owner.get('owner') !== this.#me)
          throw new Error('another process has opened this data directory');
        work();
      } catch (error) {
        // Every decision is made before the first write, so there is nothing to undo.
        refused = error;
      }
    });
    if (refused !== undefined) throw refused;
  }

  async #removeOrphans(): Promise<void> {
    const live = new Set<string>();
    for (const { value } of this.#objects.getRange()) live.add(value.contentId);
    for await (const { name } of await opendir(this.#contentDir))
      if (!live.has(name)) await rm(join(this.#contentDir, name), { recursive: true, force: true });
  }

  #range(bucket: string, prefix: string): { start: Buffer; end: Buffer } {
    const start = limited(bucket, keyOf(bucket, prefix));
    return { start, end: Buffer.concat([start, after]) };
  }

  #pathOf(contentId: string): string {
    return join(this.#contentDir, contentId);
  }
}
