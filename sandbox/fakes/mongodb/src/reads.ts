// The commands that read: find, getMore, killCursors, count, distinct, aggregate, explain.
import { type Document, deserialize, Long } from 'bson';
import { Aggregator } from 'mingo/aggregator';
import {
  type Call,
  documentList,
  documentOption,
  type Handler,
  namespace,
  refuseOptions,
} from './command.js';
import type { Source } from './cursors.js';
import { CommandError } from './errors.js';
import { isStage, MINGO, unknownStage, withMingo } from './match.js';
import { planQuery } from './planner.js';
import { count, PAUSE, projector, type Search, search, searchNow } from './query.js';
import { toSort } from './sort.js';
import { DECODE, encodeDocument, type Store } from './store.js';
import { promoted } from './update.js';
import { encodeValue, toNumber, valuesAt } from './values.js';

const READ_OPTIONS = ['collation', 'let', 'tailable', 'awaitData', 'min', 'max', 'returnKey', 'showRecordId'];

function searchOf(body: Document, filterName: string): Search {
  const [limit, skip] = [toNumber(body.limit, 0), toNumber(body.skip, 0)];
  if (skip < 0) throw new CommandError(51024, "BSON field 'skip' value must be >= 0");
  return {
    filter: documentOption(body, filterName) ?? {},
    sort: toSort(body.sort),
    skip,
    limit: Math.abs(limit),
  };
}

function* encoded(
  found: Iterable<{ raw: Buffer } | typeof PAUSE>,
  project: (raw: Buffer) => Buffer,
): Source & Iterable<Buffer | typeof PAUSE> {
  for (const item of found) yield item === PAUSE ? PAUSE : project(item.raw);
}

function optionalNumber(value: unknown): number | undefined {
  return value === undefined ? undefined : toNumber(value, 0);
}

const find: Handler = (call) => {
  const { body, store } = call;
  const ns = namespace(call);
  refuseOptions(body, READ_OPTIONS);
  const what = searchOf(body, 'filter');
  const collection = store.find(ns);
  const project = projector(documentOption(body, 'projection'));
  const single = body.singleBatch === true || toNumber(body.limit, 0) < 0;
  const found = collection === undefined ? [] : search(store, collection, what);
  return call.cursors.first(ns, encoded(found, project), optionalNumber(body.batchSize), single);
};

const getMore: Handler = ({ body, cursors }) => {
  const id: unknown = body.getMore;
  if (!(id instanceof Long))
    throw new CommandError(14, "BSON field 'getMore' is the wrong type, expected long");
  return cursors.next(id, toNumber(body.batchSize, 0));
};

const killCursors: Handler = ({ body, cursors }) => {
  const ids = Array.isArray(body.cursors) ? body.cursors.map((id) => Long.fromString(String(id))) : [];
  const killed = ids.map((id) => cursors.kill(id));
  return {
    cursorsKilled: ids.filter((_, i) => killed[i]),
    cursorsNotFound: ids.filter((_, i) => !killed[i]),
    cursorsAlive: [],
    cursorsUnknown: [],
    ok: 1,
  };
};

const countCommand: Handler = (call) => {
  refuseOptions(call.body, READ_OPTIONS);
  const collection = call.store.find(namespace(call));
  return {
    n: collection === undefined ? 0 : count(call.store, collection, searchOf(call.body, 'query')),
    ok: 1,
  };
};

const distinct: Handler = (call) => {
  const { body, store } = call;
  refuseOptions(body, READ_OPTIONS);
  const collection = store.find(namespace(call));
  const values = new Map<string, unknown>();
  if (collection !== undefined) {
    for (const { raw } of searchNow(store, collection, searchOf(body, 'query'))) {
      for (const value of valuesAt(deserialize(raw, DECODE), String(body.key), 'exists').flat(1)) {
        if (value !== undefined) values.set(encodeValue(value).toString('latin1'), value);
      }
    }
  }
  return { values: [...values].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value), ok: 1 };
};

interface Pipeline {
  /** The leading stages, as a search of the store. */
  readonly head: Search;
  /** The later stages, which mingo runs on the result. */
  readonly rest: Document[];
}

/** Leading $match, $sort, $skip and $limit, in that order, are a search and can use an index. */
function split(pipeline: Document[]): Pipeline {
  const order = ['$match', '$sort', '$skip', '$limit'];
  const head: Document = {};
  let stages = 0;
  let after = 0;
  for (const stage of pipeline) {
    const [name = ''] = Object.keys(stage);
    const position = order.indexOf(name);
    if (position < after) break;
    head[name] = stage[name];
    after = position + 1;
    stages++;
  }
  const what = searchOf(
    { filter: head.$match, sort: head.$sort, skip: head.$skip, limit: head.$limit },
    'filter',
  );
  return { head: what, rest: pipeline.slice(stages) };
}

/** The stages that countDocuments sends: they need no document. */
function isCount(rest: Document[]): boolean {
  const [only] = rest;
  return rest.length === 1 && JSON.stringify(only) === '{"$group":{"_id":1,"n":{"$sum":1}}}';
}

function* documentsOf(store: Store, ns: string, what: Search): Generator<Document> {
  const collection = store.find(ns);
  if (collection === undefined) return;
  for (const { raw } of searchNow(store, collection, what)) yield deserialize(raw, { promoteBuffers: false });
}

function* aggregated(call: Call, ns: string, { head, rest }: Pipeline): Generator<Buffer> {
  const collection = call.store.find(ns);
  if (isCount(promoted(rest))) {
    const n = collection === undefined ? 0 : count(call.store, collection, head);
    if (n > 0) yield encodeDocument({ _id: 1, n });
    return;
  }
  const options = {
    ...MINGO,
    collectionResolver: (name: string) => [...documentsOf(call.store, `${call.db}.${name}`, { filter: {} })],
  };
  const stream = withMingo(() =>
    new Aggregator(promoted(rest), options).stream(documentsOf(call.store, ns, head)),
  );
  for (;;) {
    const { value, done } = withMingo(() => stream.next());
    if (done === true) return;
    // A pipeline gives documents.
    yield encodeDocument(value as Document);
  }
}

const aggregate: Handler = (call) => {
  const { body } = call;
  refuseOptions(body, ['collation', 'let']);
  const pipeline = documentList(body, 'pipeline');
  for (const stage of pipeline) {
    const name = Object.keys(stage)[0] ?? '';
    if (name === '$changeStream') {
      throw new CommandError(40573, 'The $changeStream stage is only supported on replica sets');
    }
    if (!isStage(name)) throw unknownStage(name);
  }
  const ns = typeof body.aggregate === 'string' ? namespace(call) : `${call.db}.$cmd.aggregate`;
  const parts = split(pipeline);
  return call.cursors.first(
    ns,
    aggregated(call, ns, parts),
    optionalNumber(documentOption(body, 'cursor')?.batchSize),
  );
};

const explain: Handler = (call) => {
  const inner = documentOption(call.body, 'explain') ?? {};
  if (typeof inner.find !== 'string') throw new CommandError(59, 'explain is supported for find only');
  const ns = `${call.db}.${inner.find}`;
  const what = searchOf(inner, 'filter');
  const collection = call.store.find(ns);
  if (collection === undefined)
    return { queryPlanner: { namespace: ns, winningPlan: { stage: 'EOF' } }, ok: 1 };
  const plan = planQuery(collection, what.filter, what.sort);
  const cost = { keys: 0, documents: 0 };
  let nReturned = 0;
  for (const item of search(call.store, collection, what, cost)) if (item !== PAUSE) nReturned++;
  const scan = { stage: 'IXSCAN', indexName: plan.index.name, keyPattern: plan.index.key };
  const read =
    plan.full && plan.index.name === '_id_' ? { stage: 'COLLSCAN' } : { stage: 'FETCH', inputStage: scan };
  return {
    queryPlanner: {
      namespace: ns,
      winningPlan: plan.sorted ? read : { stage: 'SORT', sortPattern: what.sort, inputStage: read },
    },
    executionStats: { nReturned, totalKeysExamined: cost.keys, totalDocsExamined: cost.documents },
    ok: 1,
  };
};

/** The commands that read, by name. */
export const READS: Readonly<Record<string, Handler>> = {
  find,
  getMore,
  killCursors,
  count: countCommand,
  distinct,
  aggregate,
  explain,
};
