// Writes one document and its index entries. A unique index is checked before anything is written, and no index is ever
// out of step with its documents.
import { type Document, deserialize } from 'bson';
import { CommandError } from './errors.js';
import { compileFilter, type Predicate } from './match.js';
import { AFTER, type Collection, DECODE, type Index, keySpace, MAX_KEY_BYTES, type Store } from './store.js';
import { encodeEntry, encodeValue, isDocument, valuesAt } from './values.js';

/** A stored document with the key it is stored under. */
export interface Stored {
  readonly key: Buffer;
  readonly raw: Buffer;
  /** The same, if it had to be decoded already; its receiver may use it up. */
  readonly doc?: Document;
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

/** The index's keys for a document, each without the document's own; one per array element. */
function entriesOf(index: Index, doc: Document): Buffer[] {
  if (!isIndexed(index, doc)) return [];
  let combinations: unknown[][] = [[]];
  let arrayField: string | undefined;
  for (const path of Object.keys(index.key)) {
    const values = valuesAt(doc, path, 'index');
    if (values.length > 1) {
      if (arrayField !== undefined) {
        throw new CommandError(171, `cannot index parallel arrays [${path}] [${arrayField}]`);
      }
      arrayField = path;
    }
    const [value = null] = values;
    if (values.length <= 1) for (const combination of combinations) combination.push(value);
    else combinations = combinations.flatMap((head) => values.map((item) => [...head, item]));
  }
  const ways = Object.values(index.key);
  return combinations.map((values) => encodeEntry(index.id, values, ways));
}

/** Whether an index is multikey with this document; its bounds may then not be combined, even for one element. */
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
    this.change(key, [], { doc, raw });
  }

  /** The index entries that a document has now; `replace` needs them once the document itself is used up. */
  entries(doc: Document): Buffer[][] {
    return this.collection.indexes.map((index) => entriesOf(index, doc));
  }

  /** Puts another content under the same `_id`; throws DuplicateKey as `insert` does. */
  replace(key: Buffer, before: Buffer[][], doc: Document, raw: Buffer): void {
    this.change(key, before, { doc, raw });
  }

  /** Removes a stored document. */
  remove(stored: Stored): void {
    this.change(stored.key, this.entries(stored.doc ?? deserialize(stored.raw, DECODE)), undefined);
  }

  /** Indexes every stored document; throws DuplicateKey (having written part) if a unique index cannot hold. */
  build(index: Index): void {
    const range = { start: keySpace(this.collection.id), end: keySpace(this.collection.id + 1) };
    for (const { key, value } of this.store.documents.getRange(range)) {
      const doc = deserialize(value, DECODE);
      const entries = entriesOf(index, doc);
      this.check(index, entries, key, doc);
      this.enter(index, entries, key, doc);
    }
  }

  private change(key: Buffer, before: Buffer[][], next: { doc: Document; raw: Buffer } | undefined): void {
    const { indexes } = this.collection;
    const after = next === undefined ? [] : this.entries(next.doc);
    if (next !== undefined) {
      for (const [i, index] of indexes.entries()) this.check(index, after[i] ?? [], key, next.doc);
    }
    for (const [i, index] of indexes.entries()) {
      const [old = [], now = []] = [before[i], after[i]];
      if (old.length === now.length && old.every((entry, at) => now[at]?.equals(entry))) continue;
      for (const entry of old) this.store.indexEntries.removeSync(withDocument(entry, key));
      if (next !== undefined) this.enter(index, now, key, next.doc);
    }
    if (next === undefined) this.store.documents.removeSync(key);
    else this.store.documents.putSync(key, next.raw);
  }

  private check(index: Index, entries: Buffer[], key: Buffer, doc: Document): void {
    for (const entry of entries) {
      const own = limited(withDocument(entry, key));
      if (index.unique !== true) continue;
      const range = { start: entry, end: Buffer.concat([entry, AFTER]), limit: 2 };
      for (const taken of this.store.indexEntries.getKeys(range)) {
        if (!taken.equals(own)) throw duplicateKey(this.collection.ns, index.name, index.key, doc);
      }
    }
  }

  private enter(index: Index, entries: Buffer[], key: Buffer, doc: Document): void {
    const tail = Buffer.allocUnsafe(2);
    tail.writeUInt16BE(key.length - 4);
    for (const entry of entries) this.store.indexEntries.putSync(withDocument(entry, key), tail);
    if (index.multikey !== true && hasArray(index, doc)) {
      index.multikey = true;
      this.store.save(this.collection);
    }
  }
}

/** An index entry's key ends with the document's own key, which keeps equal values apart and ordered. */
function withDocument(entry: Buffer, key: Buffer): Buffer {
  return Buffer.concat([entry, key.subarray(4)]);
}
