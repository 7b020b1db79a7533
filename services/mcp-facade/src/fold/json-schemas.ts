// zod schemas as the JSON schemas that MCP clients read.
import { z } from 'zod';

/** A JSON schema of an object, as lists of tools carry it. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly [keyword: string]: unknown;
}

const largest = Number.MAX_SAFE_INTEGER;

// zod adds limits for "a safe integer" and a pattern for each format. Both tell readers nothing that the format does not. The
// gateway refuses unknown fields at any depth, and the names of keys; the top alone says so.
const simplify = ({
  jsonSchema,
  path,
}: {
  jsonSchema: Record<string, unknown>;
  path: readonly unknown[];
}): void => {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  // That a text is not empty goes without saying, and the list of tools says it a hundred times.
  if (jsonSchema.minLength === 0 || jsonSchema.minLength === 1) delete jsonSchema.minLength;
  if (jsonSchema.additionalProperties === false && path.length > 0) delete jsonSchema.additionalProperties;
  delete jsonSchema.propertyNames;
  if (jsonSchema.minimum === -largest) delete jsonSchema.minimum;
  if (jsonSchema.maximum === largest) delete jsonSchema.maximum;
};

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same for every value inside, with the objects changed from the inside out. */
const mapObjects = (value: unknown, change: (object: Json) => unknown): unknown => {
  if (Array.isArray(value)) return value.map((inner) => mapObjects(inner, change));
  if (!isObject(value)) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapObjects(inner, change)])),
  );
};

/** `type: [..., 'null']` in the place of a choice between one type and null. */
const withNull = (object: Json): Json => {
  const { anyOf, ...beside } = object;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return object;
  const [one, other]: readonly unknown[] = anyOf;
  const isNull = isObject(other) && other.type === 'null' && Object.keys(other).length === 1;
  if (!isNull || !isObject(one) || typeof one.type !== 'string' || 'enum' in one || 'const' in one)
    return object;
  return { ...one, ...beside, type: [one.type, 'null'] };
};

const prefix = '#/$defs/';

/** Models and many clients do not follow references. A definition that contains itself becomes its description. */
const inlined = (schema: Json, definitions: Json, within: readonly string[] = []): Json => {
  const write = (object: Json): Json => {
    const { $ref: reference, ...beside } = object;
    if (typeof reference !== 'string') return object;
    const name = reference.slice(prefix.length);
    const { description, ...definition } = Object(definitions[name]);
    const isEndless = within.includes(name) || JSON.stringify(definition).includes(`"${reference}"`);
    const written = isEndless ? {} : inlined(definition, definitions, [...within, name]);
    return { ...written, ...(description !== undefined && { description }), ...beside };
  };
  return mapObjects(schema, (object) => write(object)) as Json; // an object stays one
};

const toJsonSchema = (schema: z.ZodType, io: 'input' | 'output'): ObjectSchema => {
  const {
    $schema: _dialect,
    $defs: definitions = {},
    ...json
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: simplify });
  return { ...(mapObjects(inlined(json, definitions), withNull) as Json), type: 'object' }; // an object stays one
};

/** The objects that a schema accepts. @throws TypeError for a schema that accepts something else */
const objectsOf = (schema: z.ZodType): readonly z.ZodObject[] => {
  if (schema instanceof z.ZodObject) return [schema];
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => objectsOf(option as z.ZodType)); // of our own schemas
  if (schema instanceof z.ZodPipe) {
    const { in: before, out: after } = schema.def;
    return objectsOf((before instanceof z.ZodTransform ? after : before) as z.ZodType); // of our own schemas
  }
  throw new TypeError(`arguments are an object, not ${schema.def.type}`);
};

const isOptional = (field: z.core.$ZodType): boolean => (field as z.ZodType).safeParse(undefined).success; // of our own schemas

/**
 * One flat object of all inputs of a tool. Several models refuse a choice at the top level of a schema. So where a body
 * is a choice of objects, every field is listed. The fields that every choice requires are required. The gateway judges
 * the rest.
 * @throws TypeError when two parts have a field of the same name
 */
export const inputSchemaOf = (parts: readonly (z.ZodType | undefined)[]): ObjectSchema => {
  const shape: Record<string, z.core.$ZodType> = {};
  for (const part of parts) {
    if (part === undefined) continue;
    const choices = objectsOf(part);
    const names = new Set(choices.flatMap((choice) => Object.keys(choice.shape)));
    for (const name of names) {
      if (name in shape) throw new TypeError(`two parts of a request have the field ${name}`);
      const fields = choices.flatMap((choice) => choice.shape[name] ?? []);
      const [first] = fields;
      if (first === undefined) continue;
      const isAlwaysThere = fields.length === choices.length && !fields.some(isOptional);
      shape[name] = isAlwaysThere || isOptional(first) ? first : (first as z.ZodType).optional(); // of our own schemas
    }
  }
  return toJsonSchema(z.strictObject(shape), 'input');
};

/** The kind of a value, without its limits. Fields inside are named down to a depth; elements of a list are as deep as the list. */
const brief = (schema: unknown, depth: number): Json => {
  if (!isObject(schema)) return {};
  const choices = [schema.anyOf, schema.oneOf].flat().filter(isObject);
  const { type, const: constant, properties, items } = choices.length === 0 ? schema : chosen(choices);
  return {
    ...(constant === undefined ? type !== undefined && { type } : { const: constant }),
    ...(isObject(properties) && depth > 0 && { properties: briefFields(properties, depth - 1) }),
    ...(isObject(items) && depth > 0 && { items: brief(items, depth) }),
  };
};

/** A field of an answer that may be null is named without its kind, which the answer itself shows. */
const isNullable = (field: Json): boolean => Array.isArray(field.type) && field.properties === undefined;

const briefField = (schema: unknown, depth: number): Json => {
  const field = brief(schema, depth);
  return isNullable(field) ? {} : field;
};

const briefFields = (fields: Json, depth: number): Json =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, briefField(field, depth)]));

/** One schema for a choice: a kind that may be null keeps its fields, and other choices their kinds alone. */
const chosen = (choices: readonly Json[]): Json => {
  const types = [...new Set(choices.flatMap(({ type }) => type ?? []))];
  const isOpen = choices.some(({ type }) => type === undefined);
  const [only, ...others] = choices.filter(({ type }) => type !== 'null');
  return {
    ...(others.length === 0 && { properties: only?.properties, items: only?.items }),
    type: isOpen ? undefined : types.length === 1 ? types[0] : types,
  };
};

/** `data` and the fields of it. */
const deepest = 2;

/**
 * The fields of a tool's answer in any of its forms. No field is required, because each form has others. The lists of limits and
 * the forms of all tools would fill more of a model's context than all arguments do.
 */
export const outputSchemaOf = (forms: readonly z.ZodObject[]): ObjectSchema => ({
  type: 'object',
  properties: Object.assign(
    {},
    ...forms.map((form) => briefFields(Object(toJsonSchema(form, 'output').properties), deepest - 1)),
  ),
});
