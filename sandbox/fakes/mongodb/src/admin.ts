// The commands about the server, its collections and its indexes.
import type { Document } from 'bson';
import { Writer } from './collection.js';
import {
  type Call,
  documentList,
  documentOption,
  type Handler,
  namespace,
  refuseOptions,
} from './command.js';
import { CommandError, refuse } from './errors.js';
import { compileFilter } from './match.js';

import { toSort } from './sort.js';
import { type Collection, encodeDocument, type Index, type Store } from './store.js';
import { compareValues } from './values.js';
import { CursorReply, MAX_MESSAGE_BYTES } from './wire.js';

/** The server that drivers see: a standalone one of this version. */
const VERSION = '7.0.0';
const MAX_WIRE_VERSION = 21;
const INDEX_OPTIONS = new Set([
  'v',
  'key',
  'name',
  'ns',
  'unique',
  'sparse',
  'partialFilterExpression',
  'background',
]);

const hello: Handler = ({ connectionId, name, body, login }) => ({
  helloOk: true,
  [name === 'hello' ? 'isWritablePrimary' : 'ismaster']: true,
  maxBsonObjectSize: 16 * 1024 * 1024,
  maxMessageSizeBytes: MAX_MESSAGE_BYTES,
  maxWriteBatchSize: 100_000,
  localTime: new Date(),
  logicalSessionTimeoutMinutes: 30,
  connectionId,
  minWireVersion: 0,
  maxWireVersion: MAX_WIRE_VERSION,
  readOnly: false,
  ...login.mechanisms(body),
  ok: 1,
});

const buildInfo: Handler = () => ({
  version: VERSION,
  versionArray: VERSION.split('.').map(Number).concat(0),
  modules: [],
  bits: 64,
  maxBsonObjectSize: 16 * 1024 * 1024,
  storageEngines: ['lmdb'],
  ok: 1,
});

const saslStart: Handler = ({ body, login }) => login.start(body);
const saslContinue: Handler = ({ body, login }) => login.continue(body);

const ok: Handler = () => ({ ok: 1 });

function inDatabase(call: Call): Collection[] {
  return call.store.all().filter(({ ns }) => ns.startsWith(`${call.db}.`));
}

async function inOneBatch(call: Call, ns: string, docs: Document[]): Promise<CursorReply> {
  return call.cursors.first(ns, docs.map(encodeDocument).values(), docs.length + 1);
}

const listCollections: Handler = (call) => {
  const matches = compileFilter(documentOption(call.body, 'filter') ?? {});
  const docs = inDatabase(call).map(({ ns, uuid }) => ({
    name: ns.slice(call.db.length + 1),
    type: 'collection',
    options: {},
    info: { readOnly: false, uuid },
    idIndex: { v: 2, key: { _id: 1 }, name: '_id_' },
  }));
  return inOneBatch(call, `${call.db}.$cmd.listCollections`, docs.filter(matches));
};

const listDatabases: Handler = (call) => {
  const names = new Set(call.store.all().map(({ ns }) => ns.slice(0, ns.indexOf('.'))));
  const matches = compileFilter(documentOption(call.body, 'filter') ?? {});
  const databases = [...names].map((name) => ({ name, empty: false })).filter(matches);
  return { databases, ok: 1 };
};

const create: Handler = (call) => {
  const ns = namespace(call);
  refuseOptions(call.body, ['capped', 'timeseries', 'validator', 'collation', 'viewOn', 'clusteredIndex']);
  return call.store.write(() => {
    if (call.store.find(ns) !== undefined) throw new CommandError(48, `Collection ${ns} already exists.`);
    call.store.findOrCreate(ns);
    return { ok: 1 };
  });
};

const drop: Handler = (call) => {
  const ns = namespace(call);
  return call.store.write(() => {
    const collection = call.store.find(ns);
    if (collection === undefined) return { ok: 1 };
    call.store.drop(collection);
    return { nIndexesWas: collection.indexes.length + 1, ns, ok: 1 };
  });
};

const dropDatabase: Handler = (call) =>
  call.store.write(() => {
    for (const collection of inDatabase(call)) call.store.drop(collection);
    return { dropped: call.db, ok: 1 };
  });

function describe(index: Index): Document {
  const { name, key, unique, sparse, partialFilterExpression } = index;
  return {
    v: 2,
    key,
    name,
    ...(unique && { unique }),
    ...(sparse && { sparse }),
    ...(partialFilterExpression && { partialFilterExpression }),
  };
}

function existing(call: Call): Collection {
  const ns = namespace(call);
  const collection = call.store.find(ns);
  if (collection === undefined) throw new CommandError(26, `ns does not exist: ${ns}`);
  return collection;
}

const listIndexes: Handler = (call) => {
  const { ns, indexes } = existing(call);
  return inOneBatch(call, ns, [{ v: 2, key: { _id: 1 }, name: '_id_' }, ...indexes.map(describe)]);
};

function indexOf(spec: Document): Omit<Index, 'id'> {
  for (const [option, value] of Object.entries(spec)) {
    if (!INDEX_OPTIONS.has(option) && value !== false && value !== undefined) {
      throw new CommandError(67, `Index option '${option}' is not supported by this server`);
    }
  }
  const fields = documentOption(spec, 'key') ?? {};
  if (Object.keys(fields).length === 0) throw new CommandError(67, 'Index keys cannot be empty.');
  for (const [path, way] of Object.entries(fields)) {
    if (typeof way === 'string') throw refuse(`the '${way}' index on '${path}'`);
    if (path.includes('$')) throw new CommandError(67, `Index field '${path}' cannot contain '$'`);
  }
  const partialFilterExpression = documentOption(spec, 'partialFilterExpression');
  if (partialFilterExpression !== undefined) compileFilter(partialFilterExpression);
  return {
    name: typeof spec.name === 'string' ? spec.name : Object.entries(fields).flat().join('_'),
    key: toSort(fields),
    ...(spec.unique === true && { unique: true }),
    ...(spec.sparse === true && { sparse: true }),
    ...(partialFilterExpression && { partialFilterExpression }),
  };
}

/** Whether the index is there already; throws if its name or its key is taken by another. */
function isThere(collection: Collection, wanted: Omit<Index, 'id'>): boolean {
  const same = (a: Document, b: Document): boolean => compareValues(a, b) === 0;
  if (same(wanted.key, { _id: 1 })) return true;
  for (const known of collection.indexes) {
    if (same(describe(known), describe({ ...wanted, id: 0 }))) return true;
    if (known.name === wanted.name) {
      throw new CommandError(86, `An existing index has the same name as the requested index: ${known.name}`);
    }
    if (same(known.key, wanted.key)) {
      throw new CommandError(85, `Index already exists with a different name or options: ${known.name}`);
    }
  }
  return false;
}

/** Adds indexes with the entries of all documents; all of them or none. */
function addIndexes(store: Store, collection: Collection, wanted: readonly Omit<Index, 'id'>[]): Index[] {
  const before = collection.indexes;
  const added: Index[] = [];
  try {
    store.atomically(() => {
      for (const spec of wanted) {
        if (isThere(collection, spec)) continue;
        const index: Index = { id: store.nextId(), ...spec, building: true };
        new Writer(store, collection).build(index);
        collection.indexes = [...collection.indexes, index];
        store.save(collection);
        added.push(index);
      }
    });
  } catch (error) {
    collection.indexes = before;
    throw error;
  }
  return added;
}

const createIndexes: Handler = async (call) => {
  const { store } = call;
  const ns = namespace(call);
  const wanted = documentList(call.body, 'indexes').map(indexOf);
  const { added, reply } = await store.write(() => {
    const createdCollectionAutomatically = store.find(ns) === undefined;
    const collection = store.findOrCreate(ns);
    const numIndexesBefore = collection.indexes.length + 1;
    const added = addIndexes(store, collection, wanted);
    const numIndexesAfter = collection.indexes.length + 1;
    return { added, reply: { numIndexesBefore, numIndexesAfter, createdCollectionAutomatically, ok: 1 } };
  });
  for (const index of added) index.building = false;
  return reply;
};

const dropIndexes: Handler = (call) => {
  const { index: wanted } = call.body;
  return call.store.write(() => {
    const collection = existing(call);
    const nIndexesWas = collection.indexes.length + 1;
    const names: unknown[] = Array.isArray(wanted) ? wanted : [wanted];
    const gone = collection.indexes.filter(
      (index) => wanted === '*' || names.includes(index.name) || compareValues(wanted, index.key) === 0,
    );
    if (names.includes('_id_')) throw new CommandError(72, 'cannot drop _id index');
    if (gone.length === 0 && wanted !== '*') {
      throw new CommandError(27, `index not found with name [${String(wanted)}]`);
    }
    collection.indexes = collection.indexes.filter((index) => !gone.includes(index));
    call.store.save(collection);
    call.store.discard(gone.map((index) => index.id));
    return { nIndexesWas, ok: 1 };
  });
};

/** The commands about the server, collections and indexes, by name. */
export const ADMIN: Readonly<Record<string, Handler>> = {
  hello,
  isMaster: hello,
  ismaster: hello,
  buildInfo,
  buildinfo: buildInfo,
  saslStart,
  saslContinue,
  ping: ok,
  endSessions: ok,
  refreshSessions: ok,
  startSession: ok,
  listCollections,
  listDatabases,
  create,
  drop,
  dropDatabase,
  listIndexes,
  createIndexes,
  dropIndexes,
};
