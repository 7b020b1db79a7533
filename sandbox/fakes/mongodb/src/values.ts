// One byte encoding of BSON values whose order is MongoDB's order. Comparison, equality, sorting and index keys all
// use it, so they cannot disagree. Every encoding is self-delimiting: concatenated, they order a compound key.
import { Binary, Decimal128, type Document, Long, ObjectId, Timestamp } from 'bson';

const ORDER = {
  minKey: 0x01,
  emptyArray: 0x06,
  null: 0x08,
  number: 0x10,
  string: 0x20,
  object: 0x30,
  array: 0x40,
  binary: 0x50,
  objectId: 0x60,
  boolean: 0x70,
  date: 0x80,
  timestamp: 0x90,
  regexp: 0xa0,
  code: 0xb0,
  maxKey: 0xf0,
} as const;

/** The value that an empty array contributes to an index: neither null nor missing. */
const EMPTY_ARRAY = Symbol('empty array');

let buffer = Buffer.allocUnsafe(64 * 1024);
let position = 0;

function reserve(bytes: number): void {
  if (position + bytes <= buffer.length) return;
  buffer = Buffer.concat([buffer.subarray(0, position)], (position + bytes) * 2);
}

function byte(value: number): void {
  reserve(1);
  buffer[position++] = value;
}

/** Zero ends a text; 0 and 1 inside it are escaped so that no text is a prefix of another's encoding. */
function text(value: string): void {
  reserve(value.length * 6 + 1);
  const start = position;
  position += buffer.write(value, position, 'utf8');
  let plain = true;
  for (let i = start; i < position && plain; i++) plain = (buffer[i] ?? 0) > 1;
  if (!plain) {
    const written = Buffer.from(buffer.subarray(start, position));
    position = start;
    for (const b of written) {
      if (b <= 1) buffer[position++] = 1;
      buffer[position++] = b <= 1 ? b + 1 : b;
    }
  }
  buffer[position++] = 0;
}

/** A sortable double, then the exact distance from it, which only 64-bit integers beyond 2^53 have. */
function number(value: number, distance = 0): void {
  reserve(11);
  buffer[position] = ORDER.number;
  const at = position + 1;
  position += 11;
  if (Number.isNaN(value)) {
    buffer.fill(0, at, at + 10);
    return;
  }
  buffer.writeDoubleBE(value === 0 ? 0 : value, at);
  if (((buffer[at] ?? 0) & 0x80) === 0) buffer[at] = (buffer[at] ?? 0) ^ 0x80;
  else for (let i = at; i < at + 8; i++) buffer[i] = (buffer[i] ?? 0) ^ 0xff;
  buffer.writeUInt16BE(0x8000 + distance, at + 8);
}

function integer(value: bigint): void {
  const nearest = Number(value);
  number(nearest, Number(value - BigInt(nearest)));
}

function eight(type: number, value: bigint): void {
  reserve(9);
  buffer[position] = type;
  buffer.writeBigUInt64BE(value, position + 1);
  position += 9;
}

/** A date that JavaScript cannot hold decodes to an invalid one, which sorts first. */
function date(value: Date): void {
  const time = value.getTime();
  eight(ORDER.date, Number.isNaN(time) ? 0n : BigInt(time) + (1n << 63n));
}

function bytes(type: number, value: Uint8Array): void {
  reserve(value.length + 1);
  buffer[position++] = type;
  buffer.set(value, position);
  position += value.length;
}

function document(value: Document): void {
  byte(ORDER.object);
  for (const key of Object.keys(value)) {
    const field: unknown = value[key];
    if (field === undefined) continue;
    byte(typeOrder(field));
    text(key);
    write(field);
  }
  byte(0);
}

function binary(value: Binary): void {
  reserve(6);
  buffer[position] = ORDER.binary;
  buffer.writeUInt32BE(value.length(), position + 1);
  position += 5;
  bytes(value.sub_type, value.value());
}

function bson(value: Document): void {
  if (value instanceof ObjectId) bytes(ORDER.objectId, value.id);
  // Timestamp extends Long, so it comes first.
  else if (value instanceof Timestamp) eight(ORDER.timestamp, value.toBigInt());
  else if (value instanceof Long) {
    const small = value.toNumber();
    if (Number.isSafeInteger(small)) number(small);
    else integer(value.toBigInt());
  } else if (value instanceof Decimal128) number(Number(value.toString()));
  else if (value instanceof Binary) binary(value);
  else if (value._bsontype === 'MinKey') byte(ORDER.minKey);
  else if (value._bsontype === 'MaxKey') byte(ORDER.maxKey);
  else if (value._bsontype === 'Int32' || value._bsontype === 'Double') number(Number(value));
  else {
    byte(ORDER.code);
    text(JSON.stringify(value));
  }
}

function write(value: unknown): void {
  if (typeof value === 'number') number(value);
  else if (typeof value === 'string') {
    byte(ORDER.string);
    text(value);
  } else if (value === null || value === undefined) byte(ORDER.null);
  else if (typeof value === 'boolean') {
    byte(ORDER.boolean);
    byte(value ? 1 : 0);
  } else if (typeof value === 'bigint') integer(value);
  else if (value === EMPTY_ARRAY) byte(ORDER.emptyArray);
  else if (value instanceof Date) date(value);
  else if (Array.isArray(value)) {
    byte(ORDER.array);
    for (const item of value) write(item);
    byte(0);
  } else if (value instanceof RegExp) {
    byte(ORDER.regexp);
    text(value.source);
    text(value.flags);
  } else if (isDocument(value)) document(value);
  // BSON decodes every other value to one of its own classes, all of them objects.
  else bson(value as Document);
}

/** The ordered encoding of one value; a fresh buffer. */
export function encodeValue(value: unknown): Buffer {
  position = 0;
  write(value);
  return Buffer.from(buffer.subarray(0, position));
}

/** An index entry's key without its document: a key space number, then each value the way its field is ordered. */
export function encodeEntry(space: number, values: unknown[], ways: readonly (1 | -1)[]): Buffer {
  position = 4;
  buffer.writeUInt32BE(space);
  for (let i = 0; i < values.length; i++) {
    const start = position;
    write(values[i]);
    if (ways[i] === -1) for (let at = start; at < position; at++) buffer[at] = (buffer[at] ?? 0) ^ 0xff;
  }
  return Buffer.from(buffer.subarray(0, position));
}

/** The first byte of a value's encoding: values of one type bracket share it ($gt and friends stay inside it). */
export function typeOrder(value: unknown): number {
  if (typeof value === 'number') return ORDER.number;
  if (typeof value === 'string') return ORDER.string;
  if (isDocument(value)) return ORDER.object;
  if (Array.isArray(value)) return ORDER.array;
  const start = position;
  write(value);
  position = start;
  return buffer[start] ?? 0;
}

/** The encoding for a descending index field. */
export function inverted(encoded: Buffer): Buffer {
  const out = Buffer.allocUnsafe(encoded.length);
  for (let i = 0; i < encoded.length; i++) out[i] = (encoded[i] ?? 0) ^ 0xff;
  return out;
}

/** MongoDB's total order over BSON values: negative, zero or positive. */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number' && Number.isFinite(a - b)) return a - b;
  if (typeof a === 'string' && a === b) return 0;
  return Buffer.compare(encodeValue(a), encodeValue(b));
}

/** True for an embedded document: not an array, a date or one of BSON's own classes. */
export function isDocument(value: unknown): value is Document {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** `match`: an array and its elements; `index`: its elements; `exists`: the value itself. */
export type LeafMode = 'match' | 'index' | 'exists';

/** The values a dotted path reaches, descending into arrays as queries do; undefined where the path ends early. */
export function valuesAt(value: unknown, path: string, mode: LeafMode): unknown[] {
  const out: unknown[] = [];
  if (!path.includes('.') && isDocument(value)) {
    const leaf: unknown = Object.hasOwn(value, path) ? value[path] : undefined;
    if (!Array.isArray(leaf)) return [leaf];
  }
  collect(value, path.includes('.') ? path.split('.') : [path], 0, mode, out);
  return out;
}

function collect(value: unknown, parts: string[], depth: number, mode: LeafMode, out: unknown[]): void {
  const part = parts[depth];
  if (part === undefined) {
    if (!Array.isArray(value)) out.push(value);
    else if (mode === 'index') out.push(...(value.length === 0 ? [EMPTY_ARRAY] : value));
    else if (mode === 'exists') out.push(value);
    else out.push(value, ...value);
  } else if (Array.isArray(value)) {
    if (/^\d+$/.test(part) && Number(part) < value.length) {
      collect(value[Number(part)], parts, depth + 1, mode, out);
    }
    for (const item of value) if (isDocument(item)) collect(item, parts, depth, mode, out);
  } else if (isDocument(value)) {
    collect(Object.hasOwn(value, part) ? value[part] : undefined, parts, depth + 1, mode, out);
  } else out.push(undefined);
}

/** The document with `_id` as its first field, as a server stores it. */
export function withIdFirst(doc: Document): Document {
  return '_id' in doc && Object.keys(doc)[0] !== '_id' ? { _id: doc._id, ...doc } : doc;
}

/** A number from any of BSON's numeric types. */
export function toNumber(value: unknown, fallback: number): number {
  if (value === undefined || value === null) return fallback;
  return typeof value === 'number' ? value : Number(String(value));
}
