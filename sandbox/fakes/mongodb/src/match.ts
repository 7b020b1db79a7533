// Compiles a query filter. Comparisons follow BSON's types and order. The rest of the query language is mingo's; its
// nested comparisons ($elemMatch, $not) come back to the operators here.
import type { Document } from 'bson';
import { Context } from 'mingo';
import { Lazy } from 'mingo/lazy';
import * as accumulator from 'mingo/operators/accumulator';
import * as expression from 'mingo/operators/expression';
import * as pipeline from 'mingo/operators/pipeline';
import * as projection from 'mingo/operators/projection';
import * as query from 'mingo/operators/query';
import * as window from 'mingo/operators/window';
import { Query } from 'mingo/query';
import { CommandError } from './errors.js';
import { sortDocuments, toSort } from './sort.js';
import { compareValues, encodeValue, isDocument, typeOrder, valuesAt } from './values.js';

/** Says whether a document matches. */
export type Predicate = (doc: Document) => boolean;
type Operator = (path: string, operand: unknown, ...rest: unknown[]) => Predicate;

function comparison(accept: (order: number) => boolean): Operator {
  return (path, operand) => {
    const bracket = typeOrder(operand);
    return (doc) =>
      valuesAt(doc, path, 'match').some(
        (value) => typeOrder(value) === bracket && accept(compareValues(value, operand)),
      );
  };
}

const equals: Operator = (path, operand) => {
  if (operand instanceof RegExp) return matchesRegex(path, operand);
  return (doc) => valuesAt(doc, path, 'match').some((value) => compareValues(value, operand) === 0);
};

function matchesRegex(path: string, regex: RegExp): Predicate {
  return (doc) =>
    valuesAt(doc, path, 'match').some((value) => typeof value === 'string' && regex.test(value));
}

const isIn: Operator = (path, operand) => {
  if (!Array.isArray(operand)) throw new CommandError(2, '$in needs an array');
  const wanted = new Set(operand.map((item: unknown) => encodeValue(item).toString('latin1')));
  const regexes = operand.filter((item: unknown) => item instanceof RegExp);
  return (doc) =>
    valuesAt(doc, path, 'match').some(
      (value) =>
        wanted.has(encodeValue(value).toString('latin1')) ||
        (typeof value === 'string' && regexes.some((regex) => regex.test(value))),
    );
};

function not(operator: Operator): Operator {
  return (path, operand) => {
    const matches = operator(path, operand);
    return (doc) => !matches(doc);
  };
}

const hasAll: Operator = (path, operand) => {
  if (!Array.isArray(operand)) throw new CommandError(2, '$all needs an array');
  const tests = operand.map((item: unknown) =>
    isDocument(item) && '$elemMatch' in item ? compileFilter({ [path]: item }) : equals(path, item),
  );
  return (doc) => tests.length > 0 && tests.every((matches) => matches(doc));
};

const hasType: Operator = (path, operand) => {
  const names = (Array.isArray(operand) ? operand : [operand]).map(String);
  return (doc) => valuesAt(doc, path, 'match').some((value) => names.some((name) => isOfType(value, name)));
};

const TYPE_TESTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  double: (v) => typeof v === 'number' && !isInt32(v),
  string: (v) => typeof v === 'string',
  object: isDocument,
  array: Array.isArray,
  binData: (v) => bsonType(v) === 'Binary' || bsonType(v) === 'UUID',
  objectId: (v) => bsonType(v) === 'ObjectId',
  bool: (v) => typeof v === 'boolean',
  date: (v) => v instanceof Date,
  null: (v) => v === null,
  regex: (v) => v instanceof RegExp,
  int: (v) => isInt32(v),
  timestamp: (v) => bsonType(v) === 'Timestamp',
  long: (v) => bsonType(v) === 'Long',
  decimal: (v) => bsonType(v) === 'Decimal128',
  number: (v) => typeof v === 'number' || bsonType(v) === 'Long' || bsonType(v) === 'Decimal128',
};
const TYPE_NUMBERS: Readonly<Record<string, string>> = {
  1: 'double',
  2: 'string',
  3: 'object',
  4: 'array',
  5: 'binData',
  7: 'objectId',
  8: 'bool',
  9: 'date',
  10: 'null',
  11: 'regex',
  16: 'int',
  17: 'timestamp',
  18: 'long',
  19: 'decimal',
};

function isInt32(value: unknown): boolean {
  return typeof value === 'number' && value === (value | 0);
}

function bsonType(value: unknown): unknown {
  return typeof value === 'object' && value !== null && '_bsontype' in value ? value._bsontype : undefined;
}

function isOfType(value: unknown, name: string): boolean {
  const test = TYPE_TESTS[TYPE_NUMBERS[name] ?? name];
  if (test === undefined) throw new CommandError(2, `Unknown type name alias: ${name}`);
  return test(value);
}

const exists: Operator = (path, operand) => {
  const wanted = operand !== false && operand !== 0 && operand !== null;
  return (doc) => valuesAt(doc, path, 'exists').some((value) => value !== undefined) === wanted;
};

const OPERATORS = {
  $eq: equals,
  $ne: not(equals),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
  $in: isIn,
  $nin: not(isIn),
  $all: hasAll,
  $type: hasType,
  $exists: exists,
};
const operators: Readonly<Record<string, Operator>> = OPERATORS;

/** A pipeline sorts by BSON's order, as a find does. */
const sortStage: typeof pipeline.$sort = (source, spec) =>
  source.transform<Document>((items) => Lazy(sortDocuments(items, toSort(spec))));

/** mingo would write to a copy and call it done. */
const writes: typeof pipeline.$out = () => {
  throw unknownStage('$out or $merge');
};

/** The stages of a pipeline. */
const STAGES = { ...pipeline, $sort: sortStage, $out: writes, $merge: writes };

/** The refusal for a stage that is not one. */
export function unknownStage(name: string): CommandError {
  return new CommandError(40324, `Unrecognized pipeline stage name: '${name}'`);
}

/** Whether a pipeline may have this stage. */
export function isStage(name: string): boolean {
  return name.startsWith('$') && Object.hasOwn(STAGES, name);
}

/** The operators that mingo may run: everything but code sent by a client. */
export const MINGO = {
  scriptEnabled: false,
  context: Context.init({
    accumulator,
    expression,
    pipeline: STAGES,
    projection,
    query: { ...query, ...OPERATORS },
    window,
  }),
};

/** Runs mingo; its errors are answered as mistakes of the client. */
export function withMingo<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(2, error instanceof Error ? error.message : String(error));
  }
}

function viaMingo(condition: Document): Predicate {
  const compiled = withMingo(() => new Query<Document>(condition, MINGO));
  return (doc) => withMingo(() => compiled.test(doc));
}

/** True for `{$gt: 1, ...}`: operators, not a document to compare with. */
export function isOperatorDocument(value: unknown): value is Document {
  return isDocument(value) && (Object.keys(value)[0]?.startsWith('$') ?? false);
}

function compileField(path: string, condition: unknown): Predicate[] {
  if (!isOperatorDocument(condition)) return [equals(path, condition)];
  const rest: Document = {};
  const tests: Predicate[] = [];
  for (const [name, operand] of Object.entries(condition)) {
    const operator = operators[name];
    if (operator === undefined) rest[name] = operand;
    else tests.push(operator(path, operand));
  }
  if (Object.keys(rest).length > 0) tests.push(viaMingo({ [path]: rest }));
  return tests;
}

function compileBranches(name: string, branches: unknown): Predicate[] {
  if (!Array.isArray(branches) || branches.length === 0) {
    throw new CommandError(2, `${name} must be a nonempty array`);
  }
  return branches.map((branch: Document) => compileFilter(branch));
}

function compileEntry(name: string, condition: unknown): Predicate[] {
  if (name === '$comment') return [];
  if (name === '$and') return compileBranches(name, condition);
  if (name === '$or' || name === '$nor') {
    const branches = compileBranches(name, condition);
    const wanted = name === '$or';
    return [(doc) => branches.some((matches) => matches(doc)) === wanted];
  }
  return name.startsWith('$') ? [viaMingo({ [name]: condition })] : compileField(name, condition);
}

/** Compiles a filter; throws {@link CommandError} BadValue for one that a server would not parse. */
export function compileFilter(filter: Document): Predicate {
  const tests = Object.entries(filter).flatMap(([name, condition]) => compileEntry(name, condition));
  const [only] = tests;
  if (tests.length === 1 && only !== undefined) return only;
  return (doc) => tests.every((matches) => matches(doc));
}
