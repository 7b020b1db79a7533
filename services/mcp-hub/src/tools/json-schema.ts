// JSON Schemas of strangers. They are measured before they are stored, and cut down before arguments are judged by them. A
// schema can be small and still describe something endless.
import type { McpTool } from '@parlance/contracts';

export type JsonSchema = McpTool['inputSchema'];
type Json = JsonSchema[string];

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The depth of a nested value, counted up to `most`, so that a bomb costs no more than its limit. */
export const depthOf = (value: unknown, most: number): number => {
  if (typeof value !== 'object' || value === null) return 0;
  if (most === 0) return 1;
  return (
    1 +
    Object.values(value).reduce<number>((deepest, inner) => Math.max(deepest, depthOf(inner, most - 1)), 0)
  );
};

/** Subschemas that the reduced schema has at most. */
const mostSchemas = 1_000;

/** Members whose value is one schema, a list of schemas, or an object of schemas. */
const one = new Set([
  'items',
  'additionalProperties',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'propertyNames',
  'additionalItems',
]);
const lists = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const maps = new Set(['properties', 'dependentSchemas']);
const typeNames: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
const isTypeName = (value: unknown): boolean => typeNames.includes(value);
const isListOf = (isOne: (value: unknown) => boolean, value: unknown): boolean =>
  Array.isArray(value) && value.every(isOne);
const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0;
const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isCount = (value: unknown): boolean => Number.isSafeInteger(value);

/**
 * Members that judge a value by themselves, in a time that the length of the value bounds. A member of another type than JSON
 * Schema has is no rule.
 */
const plain: Readonly<Record<string, (value: unknown) => boolean>> = {
  type: (value) => isTypeName(value) || (isFilled(value) && isListOf(isTypeName, value)),
  enum: isFilled,
  const: () => true,
  required: (value) => isListOf(isText, value),
  dependentRequired: (value) =>
    isObject(value) && Object.values(value).every((names) => isListOf(isText, names)),
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: isNumber,
  minLength: isCount,
  maxLength: isCount,
  minItems: isCount,
  maxItems: isCount,
  minProperties: isCount,
  maxProperties: isCount,
};

const decoded = (step: string): string => {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
};

const pointed = (root: JsonSchema, reference: string): Json | undefined => {
  if (!reference.startsWith('#')) return undefined;
  const steps = reference.slice(1).split('/').slice(1);
  return steps.reduce<Json | undefined>((at, step) => {
    const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~');
    return isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  }, root);
};

/**
 * The schema with its references written out, without patterns and without all that is no rule for a value. A part that
 * refers to itself, lies outside, or goes beyond the limit becomes `true`. So the reduced schema accepts more than the
 * schema does, and both sizes bound the time of judging a value.
 */
export const reduced = (root: JsonSchema): JsonSchema => {
  let left = mostSchemas;
  const reduceSchema = (schema: Json, within: readonly Json[]): Json => {
    if (!isObject(schema) || left <= 0 || within.includes(schema)) return schema !== false;
    left -= 1;
    const inside = [...within, schema];
    const rules = Object.entries(schema).flatMap(([key, value]) => rule(key, value, inside));
    const { $ref: reference } = schema;
    const target = typeof reference === 'string' ? reduceSchema(targetOf(reference), inside) : true;
    const own = Object.fromEntries(rules);
    return target === true
      ? own
      : { ...own, allOf: [...(Array.isArray(own.allOf) ? own.allOf : []), target] };
  };
  const targetOf = (reference: string): Json => pointed(root, reference) ?? true;
  const rule = (key: string, value: Json, within: readonly Json[]): [string, Json][] => {
    if (Object.hasOwn(plain, key)) return plain[key]?.(value) ? [[key, value]] : [];
    if (one.has(key) && !Array.isArray(value)) return [[key, reduceSchema(value, within)]];
    if (lists.has(key) && Array.isArray(value))
      return [[key, value.map((inner) => reduceSchema(inner, within))]];
    if (maps.has(key) && isObject(value)) {
      const inner = Object.entries(value).map(
        ([name, schema]) => [name, reduceSchema(schema, within)] as const,
      );
      return [[key, Object.fromEntries(inner)]];
    }
    return [];
  };
  const schema = reduceSchema(root, []);
  return isObject(schema) ? schema : {};
};
