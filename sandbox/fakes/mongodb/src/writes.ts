// The commands that write documents: insert, update, delete, findAndModify.
import { type Document, deserialize, ObjectId } from 'bson';
import { type Stored, Writer } from './collection.js';
import {
  type Call,
  documentList,
  documentOption,
  type Handler,
  namespace,
  refuseOptions,
} from './command.js';
import { CommandError } from './errors.js';
import { first, projector, type Search, searchNow } from './query.js';
import { toSort } from './sort.js';
import { type Collection, DECODE, encodeDocument, type Store } from './store.js';
import { applyUpdate, isReplacement, upserted } from './update.js';
import type { Update } from './update-path.js';
import { toNumber, withIdFirst } from './values.js';

const MAX_BATCH = 100_000;
const ID_ELEMENT = Buffer.from('_id\0');

/** Runs statements one by one; a failed one is reported and, if the command is ordered, ends it. */
function eachStatement(body: Document, statements: unknown[], run: (index: number) => void): Document[] {
  if (statements.length === 0 || statements.length > MAX_BATCH) {
    throw new CommandError(
      16,
      `Write batch sizes must be between 1 and ${MAX_BATCH}. Got ${statements.length}`,
    );
  }
  const errors: Document[] = [];
  for (let i = 0; i < statements.length; i++) {
    try {
      run(i);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      errors.push(error.toWriteError(i));
      if (body.ordered !== false) break;
    }
  }
  return errors;
}

function answer(counts: Document, writeErrors: Document[]): Document {
  return { ...counts, ...(writeErrors.length > 0 && { writeErrors }), ok: 1 };
}

/** The bytes to store: as received if `_id` comes first, as a server keeps it. */
function storedForm(doc: Document, raw: Buffer | undefined): { doc: Document; raw: Buffer } {
  if (raw?.subarray(5, 9).equals(ID_ELEMENT)) return { doc, raw };
  const complete = withIdFirst('_id' in doc ? doc : { _id: new ObjectId(), ...doc });
  return { doc: complete, raw: encodeDocument(complete) };
}

const insert: Handler = (call) => {
  const { body, store } = call;
  const ns = namespace(call);
  const docs = documentList(body, 'documents');
  const raws = call.raw.get('documents');
  return store.write(() => {
    const writer = new Writer(store, store.findOrCreate(ns));
    let n = 0;
    const errors = eachStatement(body, docs, (i) => {
      const stored = storedForm(docs[i] ?? {}, raws?.[i]);
      writer.insert(stored.doc, stored.raw);
      n++;
    });
    return answer({ n }, errors);
  });
};

interface Changed {
  readonly before: Buffer | undefined;
  readonly after: Buffer;
  readonly modified: boolean;
  readonly upsertedId?: unknown;
}

function changeOne(writer: Writer, { key, raw: before, doc: decoded }: Stored, update: Update): Changed {
  const old = decoded ?? deserialize(before, DECODE);
  const entries = writer.entries(old);
  const doc = applyUpdate(old, update);
  const after = encodeDocument(doc);
  const modified = !after.equals(before);
  if (modified) writer.replace(key, entries, doc, after);
  return { before, after, modified };
}

function upsert(writer: Writer, update: Update): Changed {
  const doc = upserted(update);
  const raw = encodeDocument(doc);
  writer.insert(doc, raw);
  return { before: undefined, after: raw, modified: false, upsertedId: doc._id };
}

function updateOf(filter: Document, change: unknown, arrayFilters: unknown): Update {
  if (typeof change !== 'object' || change === null)
    throw new CommandError(9, 'Update argument must be an object');
  return {
    filter,
    change: change as Document | Document[],
    ...(Array.isArray(arrayFilters) && { arrayFilters }),
  };
}

/** Runs one update statement on everything it matches (or the first, unless `multi`). */
function updateMatching(
  store: Store,
  writer: Writer,
  what: Search,
  update: Update,
  multi: boolean,
): Changed[] {
  // Collected first: a change may move a document ahead in the index that is being walked.
  const found = multi
    ? [...searchNow(store, writer.collection, what)]
    : [first(store, writer.collection, what)];
  return found.flatMap((stored) => (stored === undefined ? [] : changeOne(writer, stored, update)));
}

const update: Handler = (call) => {
  const { body, store } = call;
  const ns = namespace(call);
  const statements = documentList(body, 'updates');
  refuseOptions(body, ['let', 'bypassDocumentValidation']);
  return store.write(() => {
    const writer = new Writer(store, store.findOrCreate(ns));
    const counts = { n: 0, nModified: 0 };
    const upsertedIds: Document[] = [];
    const errors = eachStatement(body, statements, (index) => {
      const statement = statements[index] ?? {};
      refuseOptions(statement, ['collation', 'c']);
      const filter = documentOption(statement, 'q') ?? {};
      const change = updateOf(filter, statement.u, statement.arrayFilters);
      const multi = statement.multi === true;
      if (multi && isReplacement(change.change)) {
        throw new CommandError(9, 'multi update is not supported for replacement-style update');
      }
      const changed = updateMatching(store, writer, { filter, sort: toSort(statement.sort) }, change, multi);
      if (changed.length === 0 && statement.upsert === true) {
        upsertedIds.push({ index, _id: upsert(writer, change).upsertedId });
        counts.n++;
      }
      counts.n += changed.length;
      counts.nModified += changed.filter((one) => one.modified).length;
    });
    return answer({ ...counts, ...(upsertedIds.length > 0 && { upserted: upsertedIds }) }, errors);
  });
};

const remove: Handler = (call) => {
  const { body, store } = call;
  const ns = namespace(call);
  const statements = documentList(body, 'deletes');
  refuseOptions(body, ['let']);
  return store.write(() => {
    const collection = store.find(ns);
    let n = 0;
    const errors = eachStatement(body, statements, (i) => {
      const statement = statements[i] ?? {};
      refuseOptions(statement, ['collation']);
      if (collection === undefined) return;
      const writer = new Writer(store, collection);
      const filter = documentOption(statement, 'q') ?? {};
      const found = [...searchNow(store, collection, { filter, limit: toNumber(statement.limit, 0) })];
      for (const stored of found) writer.remove(stored);
      n += found.length;
    });
    return answer({ n }, errors);
  });
};

function modify(call: Call, collection: Collection): { value: Document | null; lastErrorObject: Document } {
  const { body, store } = call;
  const writer = new Writer(store, collection);
  const filter = documentOption(body, 'query') ?? {};
  const what = { filter, sort: toSort(body.sort) };
  const project = projector(documentOption(body, 'fields') ?? documentOption(body, 'projection'));
  const shown = (raw: Buffer): Document => deserialize(project(raw), { ...DECODE });
  if (body.remove === true) {
    const stored = first(store, collection, what);
    if (stored === undefined) return { value: null, lastErrorObject: { n: 0 } };
    writer.remove(stored);
    return { value: shown(stored.raw), lastErrorObject: { n: 1 } };
  }
  const change = updateOf(filter, body.update, body.arrayFilters);
  const wantsNew = body.new === true;
  const [changed] = updateMatching(store, writer, what, change, false);
  if (changed !== undefined) {
    const value = shown(wantsNew ? changed.after : (changed.before ?? changed.after));
    return { value, lastErrorObject: { n: 1, updatedExisting: true } };
  }
  if (body.upsert !== true) return { value: null, lastErrorObject: { n: 0, updatedExisting: false } };
  const { after, upsertedId } = upsert(writer, change);
  const lastErrorObject = { n: 1, updatedExisting: false, upserted: upsertedId };
  return { value: wantsNew ? shown(after) : null, lastErrorObject };
}

const findAndModify: Handler = (call) => {
  const ns = namespace(call);
  refuseOptions(call.body, ['collation', 'let', 'bypassDocumentValidation']);
  return call.store.write(() => ({ ...modify(call, call.store.findOrCreate(ns)), ok: 1 }));
};

/** The commands that write documents, by name. */
export const WRITES: Readonly<Record<string, Handler>> = {
  insert,
  update,
  delete: remove,
  findAndModify,
  findandmodify: findAndModify,
};
