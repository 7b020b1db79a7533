// zod schemas as OpenAPI components. The meaning of a schema can differ with the direction. A default makes a field
// optional in a request and certain in an answer. So a schema that differs is kept once per direction.
import { wholeNumbers } from '@parlance/contracts';
import { z } from 'zod';

/** A JSON Schema object, or any other piece of an OpenAPI document. */
export type Json = { [key: string]: unknown };
type Direction = 'input' | 'output';

/** True for a JSON object. */
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const largest = Number.MAX_SAFE_INTEGER;

const isWhole = (value: unknown): boolean => Number.isInteger(value);

/** Numbers that can only be whole are integers, also those that travel as text in a query. */
const asInteger = (schema: z.core.$ZodType, json: Json): void => {
  const bounds = wholeNumbers.get(schema);
  if (bounds !== undefined) {
    delete json.pattern;
    Object.assign(json, { type: 'integer', ...bounds });
  }
  const values = json.const !== undefined ? [json.const] : json.enum;
  if (json.type === 'number' && Array.isArray(values) && values.every(isWhole)) json.type = 'integer';
};

// Removes the bounds that zod adds for "a safe integer", and patterns beside a format: they tell readers nothing new.
const simplify = ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: Json }): void => {
  asInteger(zodSchema, jsonSchema);
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === -largest) delete jsonSchema.minimum;
  if (jsonSchema.maximum === largest) delete jsonSchema.maximum;
};

const toJsonSchema = (schema: z.ZodType, io: Direction): Json => {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: simplify,
  });
  return json;
};

const prefix = '#/$defs/';

const rewrite = (value: unknown, nameOf: (name: string) => string): unknown => {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, nameOf));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string' && inner.startsWith(prefix)
        ? [key, `#/components/schemas/${nameOf(inner.slice(prefix.length))}`]
        : [key, rewrite(inner, nameOf)],
    ),
  );
};

// Any JSON value is a schema without a condition. Spelled out it would refer to itself, and generators of clients leave out
// every operation with such a schema.
const anyJson = 'Json';
const withoutCondition = ({ description }: Json): Json => ({ description });

export class Schemas {
  readonly #components = new Map<string, { readonly json: Json; readonly text: string }>();

  /** The schema for use in a document; the named schemas in it become components. */
  of(schema: z.ZodType, io: Direction): Json {
    const { $defs, ...json } = toJsonSchema(schema, io);
    const definitions = isObject($defs) ? $defs : {};
    const names = new Map(
      Object.keys(definitions).map((name) => [name, this.#nameFor(name, definitions[name], io)]),
    );
    const nameOf = (name: string): string => names.get(name) ?? name;
    for (const [name, definition] of Object.entries(definitions)) {
      const component = nameOf(name);
      if (this.#components.has(component)) continue;
      const rewritten = rewrite(definition, nameOf);
      if (isObject(rewritten))
        this.#components.set(component, {
          json: name === anyJson ? withoutCondition(rewritten) : rewritten,
          text: JSON.stringify(definition),
        });
    }
    const rewritten = rewrite(json, nameOf);
    return isObject(rewritten) ? rewritten : {};
  }

  /** The components collected so far, by name. */
  components(): Json {
    const sorted = [...this.#components].sort(([left], [right]) => (left < right ? -1 : 1));
    return Object.fromEntries(sorted.map(([name, { json }]) => [name, json]));
  }

  #nameFor(name: string, definition: unknown, io: Direction): string {
    const known = this.#components.get(name);
    if (known === undefined || known.text === JSON.stringify(definition)) return name;
    return io === 'input' ? `${name}Request` : `${name}Response`;
  }
}
