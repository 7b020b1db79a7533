// Arguments against the JSON Schema of a tool, before anything is sent. The validator interprets the schema: a schema of
// a stranger never becomes code of this process.
import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';

type Json = Readonly<Record<string, unknown>>;

const mostIssues = 10;
/** A pattern of a stranger's schema can take minutes on a text that it almost matches; the platform judges it with a limit. */
const costly = new Set(['pattern', 'patternProperties', 'format', '$ref', '$dynamicRef']);

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const withoutCostly = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutCostly);
  if (!isObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(
        ([keyword, value]) => !(costly.has(keyword) && !isObject(value)) && keyword !== 'patternProperties',
      )
      .map(([keyword, value]) => [keyword, withoutCostly(value)]),
  );
};

const describe = ({ instanceLocation, error }: OutputUnit): string =>
  `${instanceLocation.replace(/^#\/?/, '') || 'arguments'}: ${error}`;

/** What is wrong with the arguments, in words for the model; empty when they fit. */
export const argumentProblems = (parameters: Json, given: Json): readonly string[] => {
  try {
    const schema: Schema = { ...(withoutCostly(parameters) as Schema), type: 'object' };
    const { valid, errors } = new Validator(schema, '2020-12', false).validate(given);
    return valid ? [] : errors.slice(-mostIssues).map(describe);
  } catch (error) {
    return [
      `the schema of the tool cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    ];
  }
};
