// Bounds for the schemas of the document that have none. They are not in the contract, because the gateway checks answers
// against it: a row that an older release stored can be longer than what a request may carry today.
import { isObject, type Json } from './schemas.js';

/** `max_payload` of NATS, which carries every request and every answer. */
const messageBytes = 8 * 1024 * 1024;
/** An element takes a digit and a comma, and a member also two quotes and a colon. */
const most = { maxItems: messageBytes / 2, maxProperties: Math.floor(messageBytes / 5) };
/** Requests with U+0000 are refused, and no store of the platform can keep it. */
const storable = '^[^\\x00]*$';

const longest = (choices: string): string =>
  choices.split('|').reduce((one, other) => (other.length > one.length ? other : one));

/** The length of the longest text that a pattern matches, or undefined where it has no bound or looks around. */
export const longestMatch = (pattern: string): number | undefined => {
  let text = pattern.replaceAll(/\[(?:\\.|[^\]\\])+\]|\\./g, 'x');
  if (!/^\^.*\$$/.test(text) || /[*+]|\(\?[=!<]|,\}/.test(text)) return undefined;
  text = text.replaceAll('(?:', '(').replaceAll(/[\^$?]/g, '');
  for (let before = ''; before !== text; ) {
    before = text;
    text = text
      .replaceAll(/([^(){}|])\{(?:\d+,)?(\d+)\}/g, (_, unit, count) => unit.repeat(Number(count)))
      .replaceAll(/\(([^(){}]*)\)(?:\{(?:\d+,)?(\d+)\})?/g, (_, choices, count = 1) =>
        longest(choices).repeat(Number(count)),
      );
  }
  return text.includes('|') ? undefined : text.length;
};

const integerBounds = ({ enum: values, const: value, ...schema }: Json): Json => {
  const choices = [values ?? value ?? []].flat().map(Number);
  const [least, greatest] =
    choices.length > 0
      ? [Math.min(...choices), Math.max(...choices)]
      : [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  const minimum = Number(schema.minimum ?? schema.exclusiveMinimum ?? least);
  const maximum = Number(schema.maximum ?? schema.exclusiveMaximum ?? greatest);
  return {
    format: minimum >= -(2 ** 31) && maximum < 2 ** 31 ? 'int32' : 'int64',
    ...(schema.exclusiveMinimum === undefined && { minimum }),
    ...(schema.exclusiveMaximum === undefined && { maximum }),
  };
};

const stringBounds = ({ enum: values, const: value, format, pattern }: Json): Json => {
  if (values !== undefined || value !== undefined) return {};
  const maxLength = (typeof pattern === 'string' ? longestMatch(pattern) : undefined) ?? messageBytes;
  return format === undefined && pattern === undefined ? { pattern: storable, maxLength } : { maxLength };
};

const boundsOf = (schema: Json): Json => {
  const types: readonly unknown[] = [schema.type].flat();
  const { additionalProperties: rest } = schema;
  return {
    ...(types.includes('string') && stringBounds(schema)),
    ...(types.includes('integer') && integerBounds(schema)),
    ...(types.includes('array') && { maxItems: most.maxItems }),
    ...(types.includes('object') &&
      (isObject(rest) || rest === true) && { maxProperties: most.maxProperties }),
  };
};

const mapValues = (object: Json, change: (value: unknown, key: string) => unknown): Json =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));

/** Values are no schemas, whatever their members are called. */
const valueKeys: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'example', 'examples']);

const inner = (key: string, value: unknown): unknown => {
  if (valueKeys.has(key)) return value;
  return key === 'properties' && isObject(value) ? mapValues(value, withBounds) : withBounds(value);
};

/** A copy of a piece of the document in which every schema has bounds; a schema's own bounds stay. */
export const withBounds = (piece: unknown): unknown => {
  if (Array.isArray(piece)) return piece.map(withBounds);
  if (!isObject(piece)) return piece;
  const own = mapValues(piece, (value, key) => inner(key, value));
  const bounded: Json = { ...own, ...boundsOf(piece), ...own };
  // A format says more to readers than the pattern that zod has for it.
  if (typeof piece.format === 'string') delete bounded.pattern;
  return bounded;
};
