// Applies an update to a document with the results and refusals of a server: operators, replacements, pipelines.
import { type Document, deserialize, Long, ObjectId, serialize, Timestamp } from 'bson';
import { Aggregator } from 'mingo/aggregator';
import { CommandError } from './errors.js';
import { compileFilter, isOperatorDocument, MINGO, type Predicate, withMingo } from './match.js';

import { sortDocuments, toSort } from './sort.js';
import { compareValues, isDocument, toNumber, withIdFirst } from './values.js';

/** One update statement: what to do to a document that matched `filter`. */
export interface Update {
  readonly filter: Document;
  readonly change: Document | Document[];
  readonly arrayFilters?: Document[];
}

type Container = Document | unknown[];
type Slot = { readonly holder: Container; readonly key: string };
type Apply = (slot: Slot, operand: unknown, path: string) => void;

const PIPELINE_STAGES = new Set(['$set', '$addFields', '$unset', '$project', '$replaceRoot', '$replaceWith']);

function get({ holder, key }: Slot): unknown {
  return Array.isArray(holder) ? holder[Number(key)] : Object.hasOwn(holder, key) ? holder[key] : undefined;
}

function put({ holder, key }: Slot, value: unknown): void {
  if (Array.isArray(holder)) holder[Number(key)] = value;
  // Assigning __proto__ would change what the document is.
  else if (key === '__proto__') Object.defineProperty(holder, key, { value, enumerable: true });
  else holder[key] = value;
}

function isNumeric(value: unknown): value is number | Long {
  return typeof value === 'number' || (value instanceof Long && !(value instanceof Timestamp));
}

function isInteger(value: number | Long): boolean {
  return value instanceof Long || Number.isInteger(value);
}

/** 32-bit results that overflow become 64-bit, as do results with a 64-bit operand. */
function arithmetic(slot: Slot, operand: unknown, path: string, times: boolean): void {
  const name = times ? 'multiply' : 'increment';
  if (!isNumeric(operand)) throw new CommandError(14, `Cannot ${name} with non-numeric argument: {${path}}`);
  const current = get(slot) ?? 0;
  if (get(slot) === null || !isNumeric(current)) {
    throw new CommandError(
      14,
      `Cannot apply $${times ? 'mul' : 'inc'} to a value of non-numeric type at '${path}'`,
    );
  }
  const wide = current instanceof Long || operand instanceof Long;
  if (wide && isInteger(current) && isInteger(operand)) {
    const [a, b] = [BigInt(current.toString()), BigInt(operand.toString())];
    put(slot, Long.fromBigInt(times ? a * b : a + b));
    return;
  }
  const [a, b] = [Number(current), Number(operand)];
  const result = times ? a * b : a + b;
  const overflowed = a === (a | 0) && b === (b | 0) && result !== (result | 0);
  put(slot, overflowed ? Long.fromNumber(result) : result);
}

function arrayAt(slot: Slot, operator: string, path: string): unknown[] | undefined {
  const value = get(slot);
  if (value === undefined || Array.isArray(value)) return value;
  throw new CommandError(2, `The field '${path}' must be an array but is not, in ${operator}`);
}

const push: Apply = (slot, operand, path) => {
  const array = arrayAt(slot, '$push', path) ?? [];
  const modified = isDocument(operand) && '$each' in operand;
  const each: unknown = modified ? operand.$each : [operand];
  if (!Array.isArray(each)) throw new CommandError(2, 'The argument to $each in $push must be an array');
  const at = modified ? toNumber(operand.$position, array.length) : array.length;
  let next = [...array];
  next.splice(at, 0, ...each);
  if (modified && operand.$sort !== undefined) next = sortArray(next, operand.$sort);
  if (modified && operand.$slice !== undefined) {
    const keep = toNumber(operand.$slice, 0);
    next = keep < 0 ? next.slice(keep) : next.slice(0, keep);
  }
  put(slot, next);
};

function sortArray(items: unknown[], spec: unknown): unknown[] {
  if (isDocument(spec)) return sortDocuments(items.filter(isDocument), toSort(spec));
  return [...items].sort((a, b) => compareValues(a, b) * toNumber(spec, 1));
}

const addToSet: Apply = (slot, operand, path) => {
  const next = [...(arrayAt(slot, '$addToSet', path) ?? [])];
  const each: unknown = isDocument(operand) && '$each' in operand ? operand.$each : [operand];
  if (!Array.isArray(each)) throw new CommandError(14, 'The argument to $each in $addToSet must be an array');
  for (const item of each) if (!next.some((known) => compareValues(known, item) === 0)) next.push(item);
  put(slot, next);
};

const pull: Apply = (slot, operand, path) => {
  const array = arrayAt(slot, '$pull', path);
  if (array === undefined) return;
  const asDocument = isDocument(operand) && !isOperatorDocument(operand) ? compileFilter(operand) : undefined;
  const asValue = compileFilter({ v: operand });
  const matches = (item: unknown): boolean =>
    asDocument === undefined ? asValue({ v: item }) : isDocument(item) && asDocument(item);
  put(
    slot,
    array.filter((item) => !matches(item)),
  );
};

const pullAll: Apply = (slot, operand, path) => {
  const array = arrayAt(slot, '$pullAll', path);
  if (!Array.isArray(operand)) throw new CommandError(2, '$pullAll requires an array argument');
  if (array !== undefined) {
    put(
      slot,
      array.filter((item) => !operand.some((gone: unknown) => compareValues(gone, item) === 0)),
    );
  }
};

const pop: Apply = (slot, operand, path) => {
  const array = arrayAt(slot, '$pop', path);
  if (array !== undefined) put(slot, toNumber(operand, 1) < 0 ? array.slice(1) : array.slice(0, -1));
};

const currentDate: Apply = (slot, operand) => {
  const wantsTimestamp = isDocument(operand) && operand.$type === 'timestamp';
  put(slot, wantsTimestamp ? Timestamp.fromBits(1, Math.floor(Date.now() / 1000)) : new Date());
};

const unset: Apply = (slot) => {
  if (Array.isArray(slot.holder)) put(slot, null);
  else delete slot.holder[slot.key];
};

const bound =
  (sign: 1 | -1): Apply =>
  (slot, operand) => {
    const current = get(slot);
    if (current === undefined || compareValues(operand, current) * sign > 0) put(slot, operand);
  };

/** Operators whose path need not exist are marked: they create what leads to it. */
const OPERATORS: Readonly<Record<string, { apply: Apply; creates: boolean }>> = {
  $set: { apply: put, creates: true },
  $setOnInsert: { apply: put, creates: true },
  $unset: { apply: unset, creates: false },
  $inc: { apply: (slot, operand, path) => arithmetic(slot, operand, path, false), creates: true },
  $mul: { apply: (slot, operand, path) => arithmetic(slot, operand, path, true), creates: true },
  $max: { apply: bound(1), creates: true },
  $min: { apply: bound(-1), creates: true },
  $push: { apply: push, creates: true },
  $addToSet: { apply: addToSet, creates: true },
  $pull: { apply: pull, creates: false },
  $pullAll: { apply: pullAll, creates: false },
  $pop: { apply: pop, creates: false },
  $currentDate: { apply: currentDate, creates: true },
};

class PathWalker {
  private readonly filters = new Map<string, Predicate>();

  constructor(private readonly update: Update) {
    for (const filter of update.arrayFilters ?? []) {
      const [id = ''] = (Object.keys(filter)[0] ?? '').split('.');
      this.filters.set(id, compileFilter(filter));
    }
  }

  /** Calls `visit` for every place a path with `$`, `$[]` and `$[id]` names. */
  each(doc: Document, path: string, creates: boolean, visit: (slot: Slot) => void): void {
    if (path !== '' && !path.includes('.')) visit({ holder: doc, key: path });
    else this.step(doc, path.split('.'), 0, creates, visit);
  }

  private step(
    node: unknown,
    parts: string[],
    at: number,
    creates: boolean,
    visit: (slot: Slot) => void,
  ): void {
    const part = parts[at] ?? '';
    if (part === '')
      throw new CommandError(56, `The update path '${parts.join('.')}' contains an empty field name`);
    const positional = part.startsWith('$[');
    if (positional) {
      if (!Array.isArray(node)) throw this.notAnArray(parts, at);
      const matches = this.elementFilter(part);
      for (const [i, item] of node.entries()) {
        if (matches(item)) this.enter({ holder: node, key: String(i) }, parts, at, creates, visit);
      }
      return;
    }
    const holder = Array.isArray(node) || isDocument(node) ? node : undefined;
    const key = part === '$' ? this.position(node, parts.slice(0, at).join('.')) : part;
    if (holder === undefined || (Array.isArray(holder) && !/^\d+$/.test(key))) {
      if (!creates) return;
      throw new CommandError(
        28,
        `Cannot create field '${part}' in element at '${parts.slice(0, at).join('.')}'`,
      );
    }
    if (Array.isArray(holder) && creates) {
      if (Number(key) > 1_500_000) throw new CommandError(2, 'cannot backfill that many array elements');
      while (holder.length < Number(key)) holder.push(null);
    }
    this.enter({ holder, key }, parts, at, creates, visit);
  }

  private enter(
    slot: Slot,
    parts: string[],
    at: number,
    creates: boolean,
    visit: (slot: Slot) => void,
  ): void {
    if (at === parts.length - 1) {
      visit(slot);
      return;
    }
    if (get(slot) === undefined) {
      if (!creates) return;
      if (parts[at + 1]?.startsWith('$')) throw this.notAnArray(parts, at + 1);
      put(slot, {});
    }
    this.step(get(slot), parts, at + 1, creates, visit);
  }

  private elementFilter(part: string): (item: unknown) => boolean {
    const id = part.slice(2, -1);
    if (id === '') return () => true;
    const matches = this.filters.get(id);
    if (matches === undefined) throw new CommandError(2, `No array filter found for identifier '${id}'`);
    return (item) => matches({ [id]: item });
  }

  /** The index of the first element that made the query match. */
  private position(node: unknown, path: string): string {
    const name = Object.keys(this.update.filter).find((key) => key === path || key.startsWith(`${path}.`));
    if (name !== undefined && Array.isArray(node)) {
      const matches = compileFilter({ [`v${name.slice(path.length)}`]: this.update.filter[name] });
      const index = node.findIndex((item) => matches({ v: [item] }));
      if (index >= 0) return String(index);
    }
    throw new CommandError(2, 'The positional operator did not find the match needed from the query.');
  }

  private notAnArray(parts: string[], at: number): CommandError {
    const path = parts.slice(0, at).join('.');
    return new CommandError(
      2,
      `The path '${path}' must exist in the document in order to apply array updates.`,
    );
  }
}

function checkConflicts(paths: string[]): void {
  const known = new Set<string>();
  if (paths.every((path) => !path.includes('.')) && new Set(paths).size === paths.length) return;
  for (const path of [...paths].sort((a, b) => a.length - b.length)) {
    const parts = path.split('.');
    if (parts.some((_, i) => known.has(parts.slice(0, i + 1).join('.')))) {
      throw new CommandError(40, `Updating the path '${path}' would create a conflict at '${path}'`);
    }
    known.add(path);
  }
}

function applyOperators(doc: Document, update: Update, isInsert: boolean): void {
  const walker = new PathWalker(update);
  // Only called for a change that is a document of operators.
  const operators = Object.entries(update.change as Document);
  const renames = operators.find(([name]) => name === '$rename')?.[1] ?? {};
  checkConflicts([
    ...operators.flatMap(([, fields]) => Object.keys(isDocument(fields) ? fields : {})),
    ...Object.values<string>(renames),
  ]);
  for (const [name, fields] of operators) {
    if (!isDocument(fields))
      throw new CommandError(9, `Modifiers operate on fields but we found another type for ${name}`);
    if (name === '$rename') {
      rename(walker, doc, fields);
      continue;
    }
    const operator = OPERATORS[name];
    if (operator === undefined) {
      throw new CommandError(
        9,
        `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
      );
    }
    if (name === '$setOnInsert' && !isInsert) continue;
    for (const [path, operand] of Object.entries(fields)) {
      walker.each(doc, path, operator.creates, (slot) => operator.apply(slot, operand, path));
    }
  }
}

function rename(walker: PathWalker, doc: Document, fields: Document): void {
  for (const [from, to] of Object.entries(fields)) {
    const values: unknown[] = [];
    walker.each(doc, from, false, (slot) => {
      if (get(slot) !== undefined) values.push(get(slot));
      unset(slot, '', from);
    });
    if (values.length > 0) walker.each(doc, String(to), true, (slot) => put(slot, values[0]));
  }
}

function applyPipeline(doc: Document, stages: Document[]): Document {
  for (const stage of stages) {
    const name = Object.keys(stage)[0] ?? '';
    if (!PIPELINE_STAGES.has(name))
      throw new CommandError(9, `${name} is not allowed to be used within an update`);
  }
  return withMingo(() => new Aggregator(promoted(stages), MINGO).run<Document>([promoted(doc)])[0] ?? {});
}

/** The same value with 64-bit integers as numbers where they fit: what mingo's expressions compute with. */
export function promoted<T>(value: T): T {
  // The round trip changes integer types only, so the shape is the one that went in.
  return deserialize(serialize({ value }), { promoteBuffers: false }).value as T;
}

/** True for a document that takes another's place rather than changing it. */
export function isReplacement(change: Document | Document[]): boolean {
  return !Array.isArray(change) && !Object.keys(change)[0]?.startsWith('$');
}

/**
 * The document after the update. `doc` is used up. Throws {@link CommandError} as a server would: ImmutableField for
 * another `_id`, PathNotViable, TypeMismatch, ConflictingUpdateOperators.
 */
export function applyUpdate(doc: Document, update: Update, isInsert = false): Document {
  const { change } = update;
  const id: unknown = doc._id;
  let next = doc;
  if (Array.isArray(change)) next = applyPipeline(doc, change);
  else if (isReplacement(change)) next = { ...change };
  else applyOperators(doc, update, isInsert);
  if (id === undefined) return next._id === undefined ? { _id: new ObjectId(), ...next } : withIdFirst(next);
  if (next._id !== undefined && compareValues(next._id, id) !== 0) {
    throw new CommandError(
      66,
      "Performing an update on the path '_id' would modify the immutable field '_id'",
    );
  }
  if (next._id === undefined && !isReplacement(change) && !Array.isArray(change)) {
    throw new CommandError(
      66,
      "Performing an update on the path '_id' would modify the immutable field '_id'",
    );
  }
  return withIdFirst(next._id === id ? next : { ...next, _id: id });
}

/** The document an upsert inserts: the filter's equalities, then the update. */
export function upserted(update: Update): Document {
  const base: Document = {};
  const walker = new PathWalker({ filter: {}, change: {} });
  const take = (filter: Document): void => {
    for (const [path, condition] of Object.entries(filter)) {
      if (path === '$and' && Array.isArray(condition)) for (const part of condition) take(part);
      if (path.startsWith('$')) continue;
      const value: unknown = isOperatorDocument(condition) ? condition.$eq : condition;
      if (value !== undefined && !(value instanceof RegExp)) {
        walker.each(base, path, true, (slot) => put(slot, value));
      }
    }
  };
  take(update.filter);
  const replaces = isReplacement(update.change) && base._id !== undefined;
  return applyUpdate(replaces ? { _id: base._id } : isReplacement(update.change) ? {} : base, update, true);
}
