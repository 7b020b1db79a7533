// Values of JSON from strangers, of which nothing is known yet.
import { LosslessNumber } from '@parlance/json';

export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LosslessNumber);

/** The JSON type of a value, with its article. */
export const kindOf = (value: unknown): string => {
  if (value === undefined) return 'absent';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (value instanceof LosslessNumber) return 'a number';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
};

/** The value without what lies deeper than `depth`, so that recursion over it cannot run out of stack. */
export const cutBelow = (depth: number, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || value instanceof LosslessNumber) return value;
  if (depth === 0) return null;
  if (Array.isArray(value)) return value.map((inner) => cutBelow(depth - 1, inner));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cutBelow(depth - 1, inner)]));
};
