// Examples made from schemas, so that every operation has one and none is out of date. One that the operation itself
// would refuse is not shown.
import type { z } from 'zod';
import type { Json } from './schemas.js';

const byFormat: Readonly<Record<string, string>> = {
  uuid: '0190a5d2-7f3c-7d41-9a5e-3f1c8b2d6e47',
  'date-time': '2026-07-01T09:30:00.000Z',
  date: '2026-07-01',
  uri: 'https://example.com/path',
};

/** Schemas that refer to themselves end here. */
const deepest = 8;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);

const textFor = (schema: Json): string => {
  const known = typeof schema.format === 'string' ? byFormat[schema.format] : undefined;
  if (known !== undefined) return known;
  const least = typeof schema.minLength === 'number' ? schema.minLength : 0;
  return 'text'.padEnd(least, '.');
};

const numberFor = (schema: Json): number => (typeof schema.minimum === 'number' ? schema.minimum : 1);

class Sampler {
  readonly #components: Json;

  constructor(components: Json) {
    this.#components = components;
  }

  sample(schema: unknown, depth = 0): unknown {
    if (!isObject(schema) || depth > deepest) return null;
    if (typeof schema.$ref === 'string') {
      return this.sample(this.#components[schema.$ref.replace('#/components/schemas/', '')], depth + 1);
    }
    const given = firstOf(schema.examples) ?? schema.default ?? schema.const ?? firstOf(schema.enum);
    if (given !== undefined) return given;
    const choice = firstOf(schema.anyOf) ?? firstOf(schema.oneOf) ?? firstOf(schema.allOf);
    if (choice !== undefined) return this.sample(choice, depth + 1);
    return this.#byType(schema, depth);
  }

  #byType(schema: Json, depth: number): unknown {
    const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
    switch (type) {
      case 'object':
        return this.#object(schema, depth);
      case 'array':
        return [this.sample(schema.items, depth + 1)];
      case 'string':
        return textFor(schema);
      case 'integer':
      case 'number':
        return numberFor(schema);
      case 'boolean':
        return true;
      default:
        return null;
    }
  }

  // Optional fields only where somebody wrote an example for them: the shortest request that works is the best one.
  #object(schema: Json, depth: number): Json {
    const properties = isObject(schema.properties) ? schema.properties : {};
    const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
    const shown = Object.entries(properties).filter(
      ([name, property]) =>
        required.includes(name) || (isObject(property) && property.examples !== undefined),
    );
    return Object.fromEntries(shown.map(([name, property]) => [name, this.sample(property, depth + 1)]));
  }
}

/** An example that `accepts` takes; undefined when none could be made. */
export const exampleFor = (schema: Json, components: Json, accepts: z.ZodType): unknown => {
  const example = new Sampler(components).sample(schema);
  return accepts.safeParse(example).success ? example : undefined;
};
