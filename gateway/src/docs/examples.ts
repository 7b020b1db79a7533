// Examples made from schemas, so that every operation has one and none is out of date. An example that the operation
// itself would refuse is not shown.
import type { z } from 'zod';
import type { Json } from './schemas.js';

const byFormat: Readonly<Record<string, string>> = {
  uuid: '0190a5d2-7f3c-7d41-9a5e-3f1c8b2d6e47',
  'date-time': '2026-07-01T09:30:00.000Z',
  date: '2026-07-01',
  email: 'ada@example.com',
  uri: 'https://example.com/path',
};

// The usual value of a field of this name, where its schema has no example.
const byName: Readonly<Record<string, string>> = {
  name: 'Front desk',
  agentName: 'Front desk',
  phoneNumber: '+14155550100',
  toNumber: '+14155550100',
  fromNumber: '+14155550199',
  timezone: 'Europe/Berlin',
  url: 'https://example.com/page',
  serverUrl: 'wss://media.example.com',
  sourceFileName: 'numbers.csv',
  fileName: 'numbers.csv',
  contentType: 'text/csv',
  locality: 'San Francisco',
  region: 'CA',
  status: 'completed',
};

/** Tried in turn on a schema with a pattern. */
const candidates = [
  'text',
  '/console',
  '123456',
  'EXAMPLE_NAME',
  'USD',
  'US',
  '#0b57d0',
  '09:00',
  '+14155550100',
  '1',
  '123456',
  'example',
];

/** Schemas that refer to themselves end here. */
const deepest = 8;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);

const memberFor = (choices: unknown, name: string): unknown =>
  Array.isArray(choices) && choices.includes(byName[name]) ? byName[name] : firstOf(choices);

const textFor = (schema: Json, name: string): string => {
  const known = (typeof schema.format === 'string' ? byFormat[schema.format] : undefined) ?? byName[name];
  const pattern = typeof schema.pattern === 'string' ? new RegExp(schema.pattern, 'u') : undefined;
  if (known !== undefined && pattern?.test(known) !== false) return known;
  if (pattern !== undefined) return candidates.find((candidate) => pattern.test(candidate)) ?? 'text';
  const least = typeof schema.minLength === 'number' ? schema.minLength : 0;
  return 'text'.padEnd(least, '.');
};

const numberFor = (schema: Json): number => (typeof schema.minimum === 'number' ? schema.minimum : 1);

class Sampler {
  readonly #components: Json;
  readonly #isShown: (field: string, depth: number) => boolean;

  /** @param isShown which optional fields to show beyond those that have an example */
  constructor(components: Json, isShown: (field: string, depth: number) => boolean) {
    this.#components = components;
    this.#isShown = isShown;
  }

  sample(schema: unknown, name = '', depth = 0): unknown {
    if (!isObject(schema) || depth > deepest) return null;
    if (typeof schema.$ref === 'string') {
      return this.sample(this.#components[schema.$ref.replace('#/components/schemas/', '')], name, depth + 1);
    }
    const given = firstOf(schema.examples) ?? schema.default ?? schema.const ?? memberFor(schema.enum, name);
    if (given !== undefined) return given;
    const choice = firstOf(schema.anyOf) ?? firstOf(schema.oneOf) ?? firstOf(schema.allOf);
    if (choice !== undefined) return this.sample(choice, name, depth + 1);
    return this.#byType(schema, name, depth);
  }

  #byType(schema: Json, name: string, depth: number): unknown {
    const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
    switch (type) {
      case 'object':
        return this.#object(schema, depth);
      case 'array':
        return [this.sample(schema.items, name, depth + 1)];
      case 'string':
        return textFor(schema, name);
      case 'integer':
      case 'number':
        return numberFor(schema);
      case 'boolean':
        return true;
      default:
        return null;
    }
  }

  #object(schema: Json, depth: number): Json {
    const properties = isObject(schema.properties) ? schema.properties : {};
    const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
    const shown = Object.entries(properties).filter(
      ([name, property]) =>
        required.includes(name) ||
        this.#isShown(name, depth) ||
        (isObject(property) && property.examples !== undefined),
    );
    return Object.fromEntries(
      shown.map(([name, property]) => [name, this.sample(property, name, depth + 1)]),
    );
  }
}

/** An example that `accepts` takes, the shorter the better; undefined when none could be made. */
export const exampleFor = (schema: Json, components: Json, accepts: z.ZodType): unknown => {
  const attempt = (isShown: (field: string, depth: number) => boolean): unknown =>
    new Sampler(components, isShown).sample(schema);
  const fields = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  const attempts = [
    () => attempt(() => false),
    // some requests need one of several optional fields
    ...fields.map((wanted) => () => attempt((field, depth) => depth === 0 && field === wanted)),
    () => attempt(() => true),
  ];
  for (const make of attempts) {
    const example = make();
    if (accepts.safeParse(example).success) return example;
  }
  return undefined;
};
