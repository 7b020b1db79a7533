// Arguments that fit a simple schema, for tools of which nothing else is known.
import { z } from 'zod';

type Json = z.core.util.JSONType;

const Schema = z.looseObject({
  required: z.array(z.string()).default([]),
  properties: z
    .record(z.string(), z.looseObject({ type: z.unknown().optional(), enum: z.array(z.json()).optional() }))
    .default({}),
});

const samples: Readonly<Record<string, Json>> = {
  string: 'text',
  number: 1,
  integer: 1,
  boolean: true,
  array: [],
  object: {},
};

/** A value for every required property. */
export const sampleArguments = (inputSchema: object): Record<string, Json> => {
  const { required, properties } = Schema.parse(inputSchema);
  return Object.fromEntries(
    required.map((name) => {
      const { type, enum: values } = properties[name] ?? { type: 'string' };
      return [name, values?.[0] ?? samples[String(type)] ?? 'text'];
    }),
  );
};
