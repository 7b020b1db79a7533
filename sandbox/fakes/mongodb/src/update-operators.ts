// The update operators: the effect of each on the value at a place, and its refusals.
import { Long, Timestamp } from 'bson';
import { CommandError } from './errors.js';
import { compileFilter, isOperatorDocument } from './match.js';
import { sortDocuments, toSort } from './sort.js';
import { get, put, type Slot } from './update-path.js';
import { compareValues, isDocument, toNumber } from './values.js';

type Apply = (slot: Slot, operand: unknown, path: string) => void;

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

/** Leaves null in an array, so that no other element moves. */
export const unset: Apply = (slot) => {
  if (Array.isArray(slot.holder)) put(slot, null);
  else delete slot.holder[slot.key];
};

const bound =
  (sign: 1 | -1): Apply =>
  (slot, operand) => {
    const current = get(slot);
    if (current === undefined || compareValues(operand, current) * sign > 0) put(slot, operand);
  };

/** Operators that accept a missing path are marked: they create the parents of its last place. */
export const OPERATORS: Readonly<Record<string, { apply: Apply; creates: boolean }>> = {
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
