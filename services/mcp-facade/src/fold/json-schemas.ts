// zod schemas as the JSON schemas that MCP clients read.
import { z } from 'zod';

/** A JSON schema of an object, as lists of tools carry it. */
export interface ObjectSchema {
  readonly type: 'object';
  readonly [keyword: string]: unknown;
}

const largest = Number.MAX_SAFE_INTEGER;

// zod adds limits for "a safe integer" and a pattern for each format. Both tell readers nothing that the format does not.
const simplify = ({ jsonSchema }: { jsonSchema: Record<string, unknown> }): void => {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
  if (jsonSchema.minimum === -largest) delete jsonSchema.minimum;
  if (jsonSchema.maximum === largest) delete jsonSchema.maximum;
};

const toJsonSchema = (schema: z.ZodType, io: 'input' | 'output'): ObjectSchema => {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: simplify,
  });
  return { ...json, type: 'object' };
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

/** The schema of a tool's answer: an object of one of these forms. */
export const outputSchemaOf = (forms: readonly [z.ZodObject, ...z.ZodObject[]]): ObjectSchema =>
  toJsonSchema(z.union(forms), 'output');
