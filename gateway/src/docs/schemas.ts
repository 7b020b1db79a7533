// zod schemas as OpenAPI components. The meaning of a schema can differ with the direction. A default makes a field
// optional in a request and certain in an answer. So a schema that differs is kept once per direction.
import { wholeNumbers } from '@parlance/contracts';
import { z } from 'zod';

/** A JSON Schema object, or any other piece of an OpenAPI document. */
export type Json = { [key: string]: unknown };
type Direction = 'input' | 'output';

/** A reference to a component of the document. */
export const reference = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

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

// Generators of several languages write the defaults of objects, and null, as literals that do not compile.
const isScalarDefault = (value: unknown): boolean => typeof value !== 'object' || Array.isArray(value);

/** The members of a union, where a union among them is replaced by its own members. */
const flatUnion = (members: readonly unknown[]): unknown[] =>
  members.flatMap((member) => {
    if (!isObject(member) || !Array.isArray(member.anyOf)) return [member];
    return Object.keys(member).length === 1 ? flatUnion(member.anyOf) : [member];
  });

const scalars: ReadonlySet<unknown> = new Set(['string', 'integer', 'number', 'boolean']);

/** A union of a scalar and null is one schema with two types, which more generators read than a union. */
const asNullable = (json: Json): void => {
  const [scalar, none, ...more] = Array.isArray(json.anyOf) ? json.anyOf : [];
  if (!isObject(scalar) || !isObject(none) || more.length > 0) return;
  if (none.type !== 'null' || !scalars.has(scalar.type) || scalar.enum !== undefined) return;
  if (scalar.const !== undefined) return;
  const { anyOf: _, ...words } = json;
  for (const key of Object.keys(json)) delete json[key];
  Object.assign(json, scalar, words, { type: [scalar.type, 'null'] });
};

// openapi-generator for Python compares a constant boolean with its text, and so refuses every response.
const asPlainBoolean = (json: Json): void => {
  const { const: only, description = `Always ${only}.` } = json;
  if (json.type !== 'boolean' || only === undefined) return;
  delete json.const;
  Object.assign(json, { description, 'x-const': only });
};

interface Overridden {
  readonly zodSchema: z.core.$ZodType;
  readonly jsonSchema: Json;
  readonly path: readonly (string | number)[];
}

// Some generators know the type null as a member of a union only.
const asOnlyNull = (json: Json, path: Overridden['path']): void => {
  if (json.type !== 'null' || (path.length > 0 && path.at(-2) !== 'properties')) return;
  delete json.type;
  Object.assign(json, { description: json.description ?? 'Always null.', const: null });
};

// Removes the bounds that zod adds for "a safe integer": examples are chosen by the bounds that the contract names.
const simplify = ({ zodSchema, jsonSchema, path }: Overridden): void => {
  asInteger(zodSchema, jsonSchema);
  if (jsonSchema.minimum === -largest) delete jsonSchema.minimum;
  if (jsonSchema.maximum === largest) delete jsonSchema.maximum;
  if (!isScalarDefault(jsonSchema.default)) delete jsonSchema.default;
  const { def } = zodSchema._zod;
  if ('discriminator' in def) jsonSchema.discriminator = { propertyName: def.discriminator };
  if (Array.isArray(jsonSchema.anyOf)) jsonSchema.anyOf = flatUnion(jsonSchema.anyOf);
  asPlainBoolean(jsonSchema);
  asNullable(jsonSchema);
  asOnlyNull(jsonSchema, path);
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
// Any JSON value is a schema without a condition. Spelled out it would refer to itself, and generators of clients leave out
// every operation with such a schema.
const anyJson = 'Json';
const withoutCondition = ({ description }: Json): Json => ({ description });

// An index of `Json` beside named fields does not compile in TypeScript, because optional fields do not fit it.
const openObject = (schema: Json): Json => {
  const { properties, additionalProperties: rest } = schema;
  const isOpen = isObject(properties) && isObject(rest) && rest.$ref === `${prefix}${anyJson}`;
  return isOpen ? { ...schema, additionalProperties: true } : schema;
};

/** The constant of a field in the named schema that a member of a union refers to. */
const constantOf = (definitions: Json, field: string, $ref: string): string => {
  const definition = definitions[$ref.slice(prefix.length)];
  const properties = isObject(definition) && isObject(definition.properties) ? definition.properties : {};
  const property = properties[field];
  return String(isObject(property) && property.const);
};

// Go and Java do not compare constants: without a discriminator they take one object for several members of a union. Only
// named members can have one.
const withMapping = (schema: Json, definitions: Json): Json => {
  const { discriminator, ...others } = schema;
  if (!isObject(discriminator) || !Array.isArray(schema.oneOf)) return others;
  const references: unknown[] = schema.oneOf.map((member) => member.$ref);
  if (!references.every((one) => typeof one === 'string')) return others;
  const mapping = references.map((one) => [
    constantOf(definitions, String(discriminator.propertyName), one),
    one,
  ]);
  return { ...others, discriminator: { ...discriminator, mapping: Object.fromEntries(mapping) } };
};

const rewrite = (value: unknown, definitions: Json, nameOf: (name: string) => string): unknown => {
  if (typeof value === 'string' && value.startsWith(prefix))
    return `#/components/schemas/${nameOf(value.slice(prefix.length))}`;
  if (Array.isArray(value)) return value.map((item) => rewrite(item, definitions, nameOf));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(withMapping(openObject(value), definitions)).map(([key, inner]) => [
      key,
      rewrite(inner, definitions, nameOf),
    ]),
  );
};

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
      const rewritten = rewrite(definition, definitions, nameOf);
      if (isObject(rewritten))
        this.#components.set(component, {
          json: name === anyJson ? withoutCondition(rewritten) : rewritten,
          text: JSON.stringify(definition),
        });
    }
    const rewritten = rewrite(json, definitions, nameOf);
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
