// Applies an update to a document with the results and refusals of a server: operators, replacements, pipelines.
import { type Document, deserialize, ObjectId, serialize } from 'bson';
import { Aggregator } from 'mingo/aggregator';
import { CommandError } from './errors.js';
import { isOperatorDocument, MINGO, withMingo } from './match.js';
import { OPERATORS, unset } from './update-operators.js';
import { get, PathWalker, put, type Update } from './update-path.js';
import { compareValues, isDocument, withIdFirst } from './values.js';

const PIPELINE_STAGES = new Set(['$set', '$addFields', '$unset', '$project', '$replaceRoot', '$replaceWith']);

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

/** The same value with 64-bit integers as numbers where they fit, because mingo's expressions compute with numbers. */
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
