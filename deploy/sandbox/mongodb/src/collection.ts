// Writes one document and its index entries, so that a unique index is checked before anything is written and no
// index is ever out of step with its documents.
import { type Document, deserialize } from 'bson';
import { CommandError } from './errors.js';
import { compileFilter, type Predicate } from './match.js';
import { AFTER, type Collection, DECODE, type Index, keySpace, MAX_KEY_BYTES, type Store } from './store.js';
import { encodeValue, inverted, isDocument, valuesAt } from './values.js';

/** A stored document with the key it is stored under. */
export interface Stored {
  readonly key: Buffer;
  readonly raw: Buffer;
}

const partialFilters = new WeakMap<Index, Predicate>();

/** The key a document with this `_id` is stored under. */
export function documentKey(collection: Collection, id: unknown): Buffer {
  return limited(keySpace(collection.id, encodeValue(id)));
}

function limited(key: Buffer): Buffer {
  if (key.length <= MAX_KEY_BYTES) return key;
  throw new CommandError(17280, `key too large to index: ${key.length} bytes, the limit is ${MAX_KEY_BYTES}`);
}

function isIndexed(index: Index, doc: Document): boolean {
  if (index.partialFilterExpression !== undefined) {
    const matches = partialFilters.get(index) ?? compileFilter(index.partialFilterExpression);
    partialFilters.set(index, matches);
    return matches(doc);
  }
  if (index.sparse !== true) return true;
  return Object.keys(index.key).some((path) => valuesAt(doc, path, 'exists').some((v) => v !== undefined));
}

interface IndexKeys {
  /** The encoded values, without the document they belong to; one per array element. */
  readonly prefixes: Buffer[];
  readonly multikey: boolean;
}

function indexKeys(index: Index, doc: Document): IndexKeys {
  if (!isIndexed(index, doc)) return { prefixes: [], multikey: false };
  let prefixes = [keySpace(index.id)];
  let arrayField: string | undefined;
  for (const [path, direction] of Object.entries(index.key)) {
    const encoded = valuesAt(doc, path, 'index').map((value) => encodeValue(value));
    const parts = direction === -1 ? encoded.map(inverted) : encoded;
    if (parts.length === 0) parts.push(direction === -1 ? inverted(encodeValue(null)) : encodeValue(null));
    if (parts.length > 1) {
      if (arrayField !== undefined) {
        throw new CommandError(171, `cannot index parallel arrays [${path}] [${arrayField}]`);
      }
      arrayField = path;
    }
    prefixes = prefixes.flatMap((prefix) => parts.map((part) => Buffer.concat([prefix, part])));
  }
  return { prefixes, multikey: arrayField !== undefined || hasArray(index, doc) };
}

/** An array of one element makes an index multikey too: its bounds may then not be combined. */
function hasArray(index: Index, doc: Document): boolean {
  return Object.keys(index.key).some((path) => {
    let value: unknown = doc;
    for (const part of path.split('.')) {
      if (!isDocument(value)) return false;
      value = value[part];
      if (Array.isArray(value)) return true;
    }
    return false;
  });
}

function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === undefined) return 'null';
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (isDocument(value)) {
    return `{ ${Object.entries(value)
      .map(([key, field]) => `${key}: ${show(field)}`)
      .join(', ')} }`;
  }
  if (Array.isArray(value)) return `[ ${value.map(show).join(', ')} ]`;
  if (typeof value === 'object' && value !== null && '_bsontype' in value) {
    return value._bsontype === 'ObjectId' ? `ObjectId('${String(value)}')` : `${String(value)}`;
  }
  return String(value);
}

function duplicateKey(ns: string, name: string, keyPattern: Document, doc: Document): CommandError {
  const keyValue: Document = {};
  for (const path of Object.keys(keyPattern)) keyValue[path] = valuesAt(doc, path, 'index')[0] ?? null;
  return new CommandError(
    11000,
    `E11000 duplicate key error collection: ${ns} index: ${name} dup key: ${show(keyValue)}`,
    { keyPattern, keyValue },
  );
}

/** A view of one collection through which its documents change. Only inside `Store.write`. */
export class Writer {
  constructor(
    private readonly store: Store,
    readonly collection: Collection,
  ) {}

  /** Stores a new document; throws DuplicateKey if its `_id` or a unique index's key is taken. */
  insert(doc: Document, raw: Buffer): void {
    const id: unknown = doc._id;
    if (Array.isArray(id) || id instanceof RegExp || id === undefined) {
      throw new CommandError(
        53,
        `The '_id' value cannot be of type ${Array.isArray(id) ? 'array' : 'regex'}`,
      );
    }
    const key = documentKey(this.collection, id);
    if (this.store.documents.doesExist(key)) {
      throw duplicateKey(this.collection.ns, '_id_', { _id: 1 }, doc);
    }
    this.change(key, undefined, { doc, raw });
  }

  /** Puts another content under the same `_id`; throws DuplicateKey as `insert` does. */
  replace(key: Buffer, old: Document, doc: Document, raw: Buffer): void {
    this.change(key, old, { doc, raw });
  }

  /** Removes a stored document. */
  remove(stored: Stored): void {
    this.change(stored.key, deserialize(stored.raw, DECODE), undefined);
  }

  /** Indexes every stored document; throws DuplicateKey (having written part) if a unique index cannot hold. */
  build(index: Index): void {
    const range = { start: keySpace(this.collection.id), end: keySpace(this.collection.id + 1) };
    for (const { key, value } of this.store.documents.getRange(range)) {
      const doc = deserialize(value, DECODE);
      const keys = indexKeys(index, doc);
      this.check(index, keys, key, doc);
      this.enter(index, keys, key);
    }
  }

  private change(
    key: Buffer,
    old: Document | undefined,
    next: { doc: Document; raw: Buffer } | undefined,
  ): void {
    const plans = this.collection.indexes.map((index) => ({
      index,
      before: old === undefined ? [] : indexKeys(index, old).prefixes,
      after: next === undefined ? { prefixes: [], multikey: false } : indexKeys(index, next.doc),
    }));
    if (next !== undefined) for (const { index, after } of plans) this.check(index, after, key, next.doc);
    for (const { index, before, after } of plans) {
      const [one] = before;
      const [other] = after.prefixes;
      const single = before.length === 1 && after.prefixes.length === 1;
      if (single && one !== undefined && other !== undefined && one.equals(other)) continue;
      for (const prefix of before) this.store.indexEntries.removeSync(this.entry(prefix, key));
      this.enter(index, after, key);
    }
    if (next === undefined) this.store.documents.removeSync(key);
    else this.store.documents.putSync(key, next.raw);
  }

  private check(index: Index, keys: IndexKeys, key: Buffer, doc: Document): void {
    for (const prefix of keys.prefixes) {
      limited(this.entry(prefix, key));
      if (index.unique !== true) continue;
      const end = Buffer.concat([prefix, AFTER]);
      for (const taken of this.store.indexEntries.getKeys({ start: prefix, end, limit: 2 })) {
        if (!taken.equals(this.entry(prefix, key))) {
          throw duplicateKey(this.collection.ns, index.name, index.key, doc);
        }
      }
    }
  }

  private enter(index: Index, keys: IndexKeys, key: Buffer): void {
    const tail = Buffer.allocUnsafe(2);
    tail.writeUInt16BE(key.length - 4);
    for (const prefix of keys.prefixes) this.store.indexEntries.putSync(this.entry(prefix, key), tail);
    if (keys.multikey && index.multikey !== true) {
      index.multikey = true;
      this.store.save(this.collection);
    }
  }

  /** An index entry's key ends with the document's own key, which keeps equal values apart and ordered. */
  private entry(prefix: Buffer, key: Buffer): Buffer {
    return Buffer.concat([prefix, key.subarray(4)]);
  }
}
