// `x-mcp-header` in a schema of arguments: the protocol of 2026 repeats such an argument as a header of the request. Clients
// have to leave out a tool with a wrong declaration.
import { isObject, type JsonObject } from '../protocol/json.js';

const keyword = 'x-mcp-header';
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const types: readonly unknown[] = ['string', 'integer', 'boolean'];

/** Keywords with one schema or a list of them, and keywords with schemas by name, behind which no declaration may stand. */
const nested = [
  'items',
  'prefixItems',
  'additionalItems',
  'contains',
  'additionalProperties',
  'propertyNames',
];
const combined = [
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const byName = ['$defs', 'definitions', 'patternProperties', 'dependentSchemas'];

interface Declaration {
  readonly path: string;
  readonly schema: JsonObject;
  /** Properties alone lead here, so the argument is always at this place. */
  readonly isReachable: boolean;
}

const declarationsIn = (schema: unknown, path: string, isReachable: boolean): Declaration[] => {
  if (!isObject(schema)) return [];
  const inside = (key: string, value: unknown, reachable = false): Declaration[] =>
    declarationsIn(value, path === '' ? key : `${path}.${key}`, reachable);
  const members = (key: string, reachable: boolean): Declaration[] => {
    const value = schema[key];
    if (!isObject(value)) return [];
    return Object.entries(value).flatMap(([name, inner]) => inside(`${key}.${name}`, inner, reachable));
  };
  return [
    ...(keyword in schema ? [{ path, schema, isReachable: isReachable && path !== '' }] : []),
    ...members('properties', isReachable),
    ...[...nested, ...combined].flatMap((key) => [schema[key]].flat().flatMap((inner) => inside(key, inner))),
    ...byName.flatMap((key) => members(key, false)),
  ];
};

/** The path of the first wrong declaration; undefined where all are right. */
export const wrongHeaderIn = (inputSchema: unknown): string | undefined => {
  const names = new Set<string>();
  const wrong = declarationsIn(inputSchema, '', true).find(({ schema, isReachable }) => {
    const name = schema[keyword];
    if (!isReachable || typeof name !== 'string' || !token.test(name) || !types.includes(schema.type))
      return true;
    const isRepeated = names.has(name.toLowerCase());
    names.add(name.toLowerCase());
    return isRepeated;
  });
  return wrong?.path;
};
