// Turns a filter and a sort into byte ranges of one index. An index serves its longest run of fields fixed by equality
// or $in, then one range. Conditions that the ranges do not decide exactly are checked again on each document.
import type { Document } from 'bson';
import { isOperatorDocument } from './match.js';
import type { Sort } from './sort.js';
import { AFTER, type Collection, keySpace } from './store.js';
import { encodeValue, inverted, typeOrder } from './values.js';

/** The way in which a query will be answered. */
export interface Plan {
  /** `_id_` reads the documents themselves; others read index entries first. */
  readonly index: { readonly name: string; readonly key: Sort };
  /** The key space that the ranges lie in. */
  readonly space: number;
  /** Half-open key ranges in index order. */
  readonly ranges: { readonly start: Buffer; readonly end: Buffer }[];
  /** The documents' keys themselves, if `_id` is fixed: no range needs to be walked. */
  readonly points?: Buffer[];
  readonly reverse: boolean;
  /** False if a range may hold documents that do not match: each must be checked. */
  readonly exact: boolean;
  /** True if the ranges come in the order asked for. */
  readonly sorted: boolean;
  /** True if one document may appear more than once. */
  readonly multikey: boolean;
  /** True if nothing narrows the search. */
  readonly full: boolean;
}

interface Edge {
  readonly bytes: Buffer;
  readonly inclusive: boolean;
}
interface Constraint {
  points?: Buffer[];
  lower?: Edge;
  upper?: Edge;
}
interface Constraints {
  readonly fields: Map<string, Constraint>;
  exact: boolean;
}

const MAX_RANGES = 5_000;
/** A unique index with every field fixed cannot be beaten. */
const UNIQUE_SCORE = 1_000;
const RANGE_TYPES = new Set(['number', 'string', 'boolean', 'bigint']);

function isOrdered(value: unknown): boolean {
  if (RANGE_TYPES.has(typeof value) || value instanceof Date) return true;
  return typeof value === 'object' && value !== null && '_bsontype' in value;
}

/** True for a value that matches by one key alone: an array or a pattern matches more than itself. */
export function isPoint(value: unknown): boolean {
  return !Array.isArray(value) && !(value instanceof RegExp) && value !== undefined;
}

function tighter(a: Edge | undefined, b: Edge | undefined, sign: 1 | -1): Edge | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const order = Buffer.compare(a.bytes, b.bytes) * sign;
  if (order === 0) return a.inclusive ? b : a;
  return order > 0 ? a : b;
}

function narrow(into: Constraints, path: string, next: Constraint): void {
  const known = into.fields.get(path) ?? {};
  if (known.points !== undefined) {
    into.exact = false;
    return;
  }
  const hadRange = known.lower !== undefined || known.upper !== undefined;
  if (next.points !== undefined && hadRange) into.exact = false;
  const lower = tighter(known.lower, next.lower, 1);
  const upper = tighter(known.upper, next.upper, -1);
  into.fields.set(path, {
    ...(next.points && { points: next.points }),
    ...(lower && { lower }),
    ...(upper && { upper }),
  });
}

/** The constraint one operator puts on a field, or undefined if an index cannot express it. */
function constraintOf(operator: string, operand: unknown): Constraint | undefined {
  if (operator === '$eq') return isPoint(operand) ? { points: [encodeValue(operand)] } : undefined;
  if (operator === '$in') {
    if (!Array.isArray(operand) || !operand.every(isPoint) || operand.length > MAX_RANGES) return undefined;
    const points = operand.map((value: unknown) => encodeValue(value)).sort(Buffer.compare);
    return { points: points.filter((point, i) => i === 0 || !points[i - 1]?.equals(point)) };
  }
  if (!/^\$[gl]te?$/.test(operator) || !isOrdered(operand)) return undefined;
  const edge = { bytes: encodeValue(operand), inclusive: operator.endsWith('e') };
  const bracket = typeOrder(operand);
  return operator.startsWith('$g')
    ? { lower: edge, upper: { bytes: Buffer.from([bracket + 1]), inclusive: false } }
    : { lower: { bytes: Buffer.from([bracket]), inclusive: true }, upper: edge };
}

/** The constraint that all branches of an $or imply for a field: the smallest range that holds them all. */
function hull(branches: Constraints[], path: string): Constraint | undefined {
  let lower: Edge | undefined;
  let upper: Edge | undefined;
  for (const branch of branches) {
    const found = branch.fields.get(path);
    const first = found?.points?.[0];
    const last = found?.points?.at(-1);
    const low = first === undefined ? found?.lower : { bytes: first, inclusive: true };
    const high = last === undefined ? found?.upper : { bytes: last, inclusive: true };
    if (low === undefined || high === undefined) return undefined;
    // The looser of two edges is the tighter one seen from the other side, except that inclusive wins a tie.
    lower = lower === undefined || looser(low, lower, 1) ? low : lower;
    upper = upper === undefined || looser(high, upper, -1) ? high : upper;
  }
  return lower && upper && { lower, upper };
}

function looser(a: Edge, b: Edge, sign: 1 | -1): boolean {
  const order = Buffer.compare(a.bytes, b.bytes) * sign;
  return order < 0 || (order === 0 && a.inclusive);
}

function constraintsOf(filter: Document): Constraints {
  const out: Constraints = { fields: new Map(), exact: true };
  const entries = Object.entries(filter);
  for (const [name, condition] of entries) {
    if (name === '$and' && Array.isArray(condition)) {
      for (const part of condition) merge(out, constraintsOf(part));
    } else if (name === '$or' && Array.isArray(condition)) {
      const branches = condition.map((branch: Document) => constraintsOf(branch));
      for (const path of branches[0]?.fields.keys() ?? []) {
        const implied = hull(branches, path);
        if (implied !== undefined) narrow(out, path, implied);
      }
      out.exact = false;
    } else if (name.startsWith('$')) out.exact &&= name === '$comment';
    else addField(out, name, condition);
  }
  return out;
}

function merge(into: Constraints, part: Constraints): void {
  for (const [path, constraint] of part.fields) narrow(into, path, constraint);
  into.exact &&= part.exact;
}

function addField(out: Constraints, path: string, condition: unknown): void {
  const operators = isOperatorDocument(condition) ? Object.entries(condition) : [['$eq', condition] as const];
  for (const [operator, operand] of operators) {
    const constraint = constraintOf(operator, operand);
    if (constraint === undefined) out.exact = false;
    else narrow(out, path, constraint);
  }
}

interface Candidate {
  readonly name: string;
  readonly space: number;
  readonly key: Sort;
  readonly unique: boolean;
  readonly multikey: boolean;
}

function candidates(collection: Collection): Candidate[] {
  const own = { name: '_id_', space: collection.id, key: { _id: 1 as const }, unique: true, multikey: false };
  const usable = collection.indexes.filter(
    (index) => !index.sparse && !index.partialFilterExpression && index.building !== true,
  );
  return [
    own,
    ...usable.map((index) => ({
      name: index.name,
      space: index.id,
      key: index.key,
      unique: index.unique === true,
      multikey: index.multikey === true,
    })),
  ];
}

/** Whether index order is the order asked for, forwards (1) or backwards (-1); 0 if neither. */
function sortDirection(index: Candidate, sort: Sort, fixed: (path: string) => boolean): 1 | -1 | 0 {
  const fields = Object.entries('_id' in index.key ? index.key : { ...index.key, _id: 1 as const });
  let direction: 1 | -1 | 0 = 0;
  for (const [path, order] of Object.entries(sort)) {
    if (fixed(path)) continue;
    while (fields[0] !== undefined && fields[0][0] !== path && fixed(fields[0][0])) fields.shift();
    const [name, way] = fields.shift() ?? ['', 1];
    const relative = way === order ? 1 : -1;
    if (name !== path || (direction !== 0 && direction !== relative)) return 0;
    direction = relative;
  }
  return direction === 0 ? 1 : direction;
}

function rangeOf(
  prefix: Buffer,
  descending: boolean,
  constraint: Constraint,
): { start: Buffer; end: Buffer } {
  const { lower, upper } = constraint;
  const bytes = (edge: Edge): Buffer => (descending ? inverted(edge.bytes) : edge.bytes);
  const [from, to] = descending ? [upper, lower] : [lower, upper];
  const start = from === undefined ? [prefix] : [prefix, bytes(from), ...(from.inclusive ? [] : [AFTER])];
  const end = to === undefined ? [prefix, AFTER] : [prefix, bytes(to), ...(to.inclusive ? [AFTER] : [])];
  return { start: Buffer.concat(start), end: Buffer.concat(end) };
}

function planFor(index: Candidate, known: Constraints, sort: Sort): { plan: Plan; score: number } {
  let prefixes = [keySpace(index.space)];
  let ranges: { start: Buffer; end: Buffer }[] | undefined;
  let used = 0;
  const fields = Object.entries(index.key);
  for (const [path, way] of fields) {
    const constraint = known.fields.get(path);
    if (constraint === undefined) break;
    const { points } = constraint;
    if (points !== undefined && points.length * prefixes.length <= MAX_RANGES) {
      const parts = way === -1 ? points.map(inverted).reverse() : points;
      prefixes = prefixes.flatMap((prefix) => parts.map((part) => Buffer.concat([prefix, part])));
      used++;
      continue;
    }
    // With arrays, each edge may be met by another element, so only one of them can bound the scan.
    const one = index.multikey && constraint.lower !== undefined ? { lower: constraint.lower } : constraint;
    if (points === undefined) ranges = prefixes.map((prefix) => rangeOf(prefix, way === -1, one));
    break;
  }
  const narrowed = used + (ranges === undefined ? 0 : 1);
  ranges ??= prefixes.map((prefix) => ({ start: prefix, end: Buffer.concat([prefix, AFTER]) }));
  const fixed = (path: string): boolean => path in index.key && known.fields.get(path)?.points?.length === 1;
  const direction = index.multikey ? 0 : sortDirection(index, sort, fixed);
  const wantsSort = Object.keys(sort).length > 0;
  const plan: Plan = {
    index: { name: index.name, key: index.key },
    space: index.space,
    ...(index.name === '_id_' && used === 1 && { points: prefixes }),
    ranges: ranges.filter(({ start, end }) => Buffer.compare(start, end) < 0),
    reverse: direction === -1,
    exact: known.exact && !index.multikey && narrowed === known.fields.size,
    sorted: !wantsSort || direction !== 0,
    multikey: index.multikey,
    full: narrowed === 0,
  };
  const whole = index.unique && used === fields.length ? UNIQUE_SCORE : 0;
  const inOrder = wantsSort && plan.sorted ? 4 : 0;
  return { plan, score: whole + used * 10 + (narrowed - used) * 5 + inOrder };
}

/** Chooses the index that narrows the search most and, between equals, gives the order asked for. */
export function planQuery(collection: Collection, filter: Document, sort: Sort = {}): Plan {
  const known = constraintsOf(filter);
  let best: { plan: Plan; score: number } | undefined;
  for (const candidate of candidates(collection)) {
    const next = planFor(candidate, known, sort);
    if (best === undefined || next.score > best.score) best = next;
    if (best.score >= UNIQUE_SCORE) break;
  }
  // There is always the index on _id.
  if (best === undefined) throw new Error('a collection has no index');
  return best.plan;
}
