// Runs a plan: walks index ranges in small steps, checks what the index could not decide, sorts what it could not
// order. Nothing is held between steps, so a reader never pins old pages and never holds a whole collection.
import { type Document, deserialize } from 'bson';
import { Query } from 'mingo/query';
import type { Stored } from './collection.js';
import { CommandError } from './errors.js';
import { compileFilter, MINGO, type Predicate, withMingo } from './match.js';
import { type Plan, planQuery } from './planner.js';
import { type Sort, sortKey } from './sort.js';
import { type Collection, DECODE, encodeDocument, keySpace, type Store } from './store.js';
import { isDocument, toNumber, withIdFirst } from './values.js';

const FIRST_STEP = 32;
const MAX_STEP = 512;
const SORT_MEMORY_BYTES = 100 * 1024 * 1024;

/** Yielded now and then by a long search, so that its reader can let other connections be served. */
export const PAUSE = Symbol('pause');

/** What a find, count, distinct, update or delete looks for. */
export interface Search {
  readonly filter: Document;
  readonly sort?: Sort;
  readonly skip?: number;
  /** 0 means no limit. */
  readonly limit?: number;
}

/** What a search cost, as `explain` reports it. */
export interface Cost {
  keys: number;
  documents: number;
}

function* keysIn(store: Store, plan: Plan, cost: Cost): Generator<Buffer> {
  const database = plan.index.name === '_id_' ? store.documents : store.indexEntries;
  const ranges = plan.reverse ? [...plan.ranges].reverse() : plan.ranges;
  for (const { start, end } of ranges) {
    let from = plan.reverse ? end : start;
    let exclusiveStart = plan.reverse;
    for (let step = FIRST_STEP; ; step = Math.min(step * 2, MAX_STEP)) {
      const options = plan.reverse
        ? { start: from, end: start, inclusiveEnd: true, reverse: true, exclusiveStart, limit: step }
        : { start: from, end, exclusiveStart, limit: step };
      const keys =
        database === store.documents
          ? [...database.getKeys(options)].map((key) => ({ key, document: key }))
          : [...database.getRange(options)].map(({ key, value }) => ({ key, document: tail(key, value) }));
      cost.keys += keys.length;
      for (const { document } of keys) yield document;
      const last = keys.at(-1);
      if (last === undefined || keys.length < step) break;
      from = last.key;
      exclusiveStart = true;
    }
  }
}

function tail(key: Buffer, value: Buffer): Buffer {
  return key.subarray(key.length - value.readUInt16BE(0));
}

/** The stored documents a plan leads to and `matches` accepts (all, if undefined), in index order. */
function* walk(
  store: Store,
  collection: Collection,
  plan: Plan,
  matches: Predicate | undefined,
  cost: Cost,
): Generator<Stored | typeof PAUSE> {
  const seen = plan.multikey ? new Set<string>() : undefined;
  for (const found of keysIn(store, plan, cost)) {
    if (cost.documents % MAX_STEP === MAX_STEP - 1) yield PAUSE;
    const key = plan.index.name === '_id_' ? found : keySpace(collection.id, found);
    if (seen?.has(key.toString('latin1'))) continue;
    seen?.add(key.toString('latin1'));
    // A document removed since its index entry was read is simply no longer there.
    const raw = store.documents.get(key);
    cost.documents++;
    if (raw === undefined) continue;
    if (matches === undefined || matches(deserialize(raw, DECODE))) yield { key, raw };
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

/** The documents a search finds, in its order; `cost` (if given) adds up what it took. */
export function search(
  store: Store,
  collection: Collection,
  { filter, sort = {}, skip = 0, limit = 0 }: Search,
  cost: Cost = { keys: 0, documents: 0 },
): Generator<Stored | typeof PAUSE> {
  const plan = planQuery(collection, filter, sort);
  const matches = compileFilter(filter);
  const found = walk(store, collection, plan, plan.exact ? undefined : matches, cost);
  const keep = limit > 0 ? skip + limit : Number.POSITIVE_INFINITY;
  return slice(plan.sorted ? found : sorted(found, sort, keep), skip, limit);
}

/** The documents a search finds, without pauses: for writes, which own the event loop anyway. */
export function* searchNow(store: Store, collection: Collection, what: Search): Generator<Stored> {
  for (const item of search(store, collection, what)) if (item !== PAUSE) yield item;
}

/** How many documents match, from the index alone where it decides. */
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
