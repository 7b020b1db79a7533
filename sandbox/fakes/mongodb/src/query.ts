// Runs a plan. It walks index ranges in small steps, and checks the conditions that the index could not decide. It
// sorts results that the index could not order. Nothing is held between steps, so a reader never pins old pages and
// never holds a whole collection.
import { type Document, deserialize } from 'bson';
import { Query } from 'mingo/query';
import { documentKey, type Stored } from './collection.js';
import { CommandError, shuttingDown } from './errors.js';
import { compileFilter, isOperatorDocument, MINGO, type Predicate, withMingo } from './match.js';
import { isPoint, type Plan, planQuery } from './planner.js';
import { type Sort, sortKey } from './sort.js';
import { type Collection, DECODE, encodeDocument, keySpace, type Store } from './store.js';
import { isDocument, toNumber, withIdFirst } from './values.js';

const FIRST_STEP = 32;
const MAX_STEP = 512;
const SORT_MEMORY_BYTES = 100 * 1024 * 1024;

/** Yielded now and then by a long search, so that its reader can let other connections be served. */
export const PAUSE = Symbol('pause');

/** The documents that a find, count, distinct, update or delete looks for. */
export interface Search {
  readonly filter: Document;
  readonly sort?: Sort;
  readonly skip?: number;
  /** 0 means no limit. */
  readonly limit?: number;
}

/** The cost of a search, as `explain` reports it. */
export interface Cost {
  keys: number;
  documents: number;
}

/** Checks that the search may go on: during a pause the server may have stopped, or its collection or index been dropped. */
function checkAlive(store: Store, { ns }: Collection, { space }: Plan): void {
  if (!store.isOpen) throw shuttingDown();
  const now = store.find(ns);
  if (now?.id === space || now?.indexes.some(({ id }) => id === space)) return;
  throw new CommandError(175, `the collection or index that was read was dropped: ${ns}`);
}

/** The documents' keys that a plan leads to, a step at a time. */
function* steps(store: Store, collection: Collection, plan: Plan): Generator<Buffer[]> {
  if (plan.points !== undefined) {
    yield plan.reverse ? [...plan.points].reverse() : plan.points;
    return;
  }
  for (const { start, end } of plan.reverse ? [...plan.ranges].reverse() : plan.ranges) {
    let from = plan.reverse ? end : start;
    let exclusiveStart = plan.reverse;
    for (let step = FIRST_STEP; ; step = Math.min(step * 2, MAX_STEP)) {
      checkAlive(store, collection, plan);
      const options = plan.reverse
        ? { start: from, end: start, inclusiveEnd: true, reverse: true, exclusiveStart, limit: step }
        : { start: from, end, exclusiveStart, limit: step };
      let last: Buffer | undefined;
      const keys: Buffer[] = [];
      if (plan.index.name === '_id_') {
        for (const key of store.documents.getKeys(options)) keys.push(key);
        last = keys.at(-1);
      } else {
        for (const { key, value } of store.indexEntries.getRange(options)) {
          keys.push(keySpace(collection.id, key.subarray(key.length - value.readUInt16BE(0))));
          last = key;
        }
      }
      if (last === undefined) break;
      yield keys;
      if (keys.length < step) break;
      from = last;
      exclusiveStart = true;
    }
  }
}

/** The stored documents that match, in index order; `matches` is asked where the plan is not exact. */
function* walk(
  store: Store,
  collection: Collection,
  plan: Plan,
  matches: Predicate,
  cost: Cost,
): Generator<Stored | typeof PAUSE> {
  const seen = plan.multikey ? new Set<string>() : undefined;
  for (const keys of steps(store, collection, plan)) {
    const { version } = store;
    cost.keys += keys.length;
    for (const key of keys) {
      if (seen?.has(key.toString('latin1'))) continue;
      seen?.add(key.toString('latin1'));
      // A document removed since its index entry was read is simply no longer there.
      const raw = store.documents.get(key);
      cost.documents++;
      if (raw === undefined) continue;
      // A document changed since its index entry was read may no longer match the index.
      if (plan.exact && store.version === version) yield { key, raw };
      else {
        const doc = deserialize(raw, DECODE);
        if (matches(doc)) yield { key, raw, doc };
      }
    }
    if (keys.length === MAX_STEP) yield PAUSE;
  }
}

function* sorted(
  source: Iterable<Stored | typeof PAUSE>,
  sort: Sort,
  keep: number,
): Generator<Stored | typeof PAUSE> {
  let held: (Stored & { order: Buffer })[] = [];
  let bytes = 0;
  const order = (): void => {
    held.sort((a, b) => Buffer.compare(a.order, b.order));
    held = held.slice(0, keep);
    bytes = held.reduce((sum, item) => sum + item.raw.length, 0);
  };
  for (const item of source) {
    if (item === PAUSE) {
      yield PAUSE;
      continue;
    }
    held.push({ ...item, order: sortKey(deserialize(item.raw, DECODE), sort) });
    bytes += item.raw.length;
    if (held.length > keep * 2 + 1000) order();
    if (bytes > SORT_MEMORY_BYTES) {
      throw new CommandError(
        292,
        `Sort exceeded memory limit of ${SORT_MEMORY_BYTES} bytes; an index can give the order`,
      );
    }
  }
  order();
  yield* held;
}

function* slice(
  source: Iterable<Stored | typeof PAUSE>,
  skip: number,
  limit: number,
): Generator<Stored | typeof PAUSE> {
  let at = 0;
  for (const item of source) {
    if (item === PAUSE) yield PAUSE;
    else if (at++ >= skip) {
      yield item;
      if (limit > 0 && at >= skip + limit) return;
    }
  }
}

/** The documents that a search finds, in its order; `cost` (if given) adds up the reads of the search. */
export function search(
  store: Store,
  collection: Collection,
  { filter, sort = {}, skip = 0, limit = 0 }: Search,
  cost: Cost = { keys: 0, documents: 0 },
): Generator<Stored | typeof PAUSE> {
  const plan = planQuery(collection, filter, sort);
  const found = walk(store, collection, plan, compileFilter(filter), cost);
  const keep = limit > 0 ? skip + limit : Number.POSITIVE_INFINITY;
  return slice(plan.sorted ? found : sorted(found, sort, keep), skip, limit);
}

/** The documents a search finds, without pauses: for writes, which own the event loop anyway. */
export function* searchNow(store: Store, collection: Collection, what: Search): Generator<Stored> {
  for (const item of search(store, collection, what)) if (item !== PAUSE) yield item;
}

/** The first document a search finds; by `_id`, without the machinery of a scan. */
export function first(store: Store, collection: Collection, what: Search): Stored | undefined {
  const { filter } = what;
  const id: unknown = filter._id;
  if (!isPoint(id) || isOperatorDocument(id)) {
    return searchNow(store, collection, { ...what, limit: 1 }).next().value ?? undefined;
  }
  const key = documentKey(collection, id);
  const raw = store.documents.get(key);
  if (raw === undefined) return undefined;
  const doc = deserialize(raw, DECODE);
  return Object.keys(filter).length === 1 || compileFilter(filter)(doc) ? { key, raw, doc } : undefined;
}

/** The number of matching documents, from the index alone where it decides. */
export function count(store: Store, collection: Collection, what: Search): number {
  const { filter, skip = 0, limit = 0 } = what;
  const plan = planQuery(collection, filter);
  let total = 0;
  if (plan.exact) {
    const database = plan.index.name === '_id_' ? store.documents : store.indexEntries;
    for (const range of plan.ranges) total += database.getKeysCount(range);
  } else for (const _ of searchNow(store, collection, { filter })) total++;
  const rest = Math.max(0, total - skip);
  return limit > 0 ? Math.min(rest, limit) : rest;
}

/** A function from a stored document to the bytes that answer a find with this projection. */
export function projector(projection: Document | undefined): (raw: Buffer) => Buffer {
  if (projection === undefined || Object.keys(projection).length === 0) return (raw) => raw;
  const spec: Document = {};
  // A client may send 1 as any BSON number.
  for (const [path, value] of Object.entries(projection)) {
    if (path.endsWith('.$'))
      throw new CommandError(2, 'positional projection is not supported by this server');
    spec[path] = typeof value === 'object' && !isDocument(value) ? toNumber(value, 0) : value;
  }
  const everything = new Query<Document>({}, MINGO);
  return (raw) =>
    withMingo(() => {
      const [doc] = everything.find<Document>([deserialize(raw, DECODE)], spec).all();
      return encodeDocument(withIdFirst(doc ?? {}));
    });
}
