// Judges the arguments of an execution by the tool's schema, before anything is sent. The judge interprets the schema: a
// stranger's schema never becomes code of this process.
import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import type { Issue } from '@parlance/errors';
import { withDoubles } from '@parlance/json';
import { type JsonSchema, reduced } from './json-schema.js';

const mostIssues = 10;

/** `#/a/b` of the arguments as `arguments.a.b`. */
const pathOf = ({ instanceLocation }: OutputUnit): string =>
  ['arguments', ...instanceLocation.split('/').slice(1)].join('.');

/** A parent repeats the errors of its part. So the error of the innermost part is the most exact one. */
const innermost = (errors: readonly OutputUnit[]): OutputUnit[] =>
  errors.filter(
    ({ keywordLocation: own }) =>
      !errors.some(({ keywordLocation: other }) => other !== own && other.startsWith(`${own}/`)),
  );

/** The faults of the arguments; none for arguments that fit. */
export const issuesOf = (inputSchema: JsonSchema, args: Readonly<Record<string, unknown>>): Issue[] => {
  const schema: Schema = { ...reduced(inputSchema), type: 'object' };
  const { valid, errors } = new Validator(schema, '2020-12', false).validate(withDoubles(args));
  if (valid) return [];
  return innermost(errors)
    .slice(0, mostIssues)
    .map((error) => ({ path: pathOf(error), code: error.keyword, message: error.error }));
};
