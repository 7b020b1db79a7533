// The form of an error in the log: its name, its place and its cause. Fields in which drivers put row values and
// request contents are left out.

import { types } from 'node:util';

const deepest = 6;

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const optional = (name: string, value: unknown): Record<string, unknown> =>
  value === undefined ? {} : { [name]: value };

const field = (error: Error, name: string): unknown => (name in error ? Reflect.get(error, name) : undefined);

/** Plain data for the log; causes and the members of an AggregateError are followed a few levels down. */
export const describeError = (error: unknown, depth = 0): unknown => {
  // Unlike instanceof, it also knows errors from other contexts.
  if (!types.isNativeError(error)) return error;
  if (depth >= deepest) return { type: error.name, message: error.message };
  const all = field(error, 'errors');
  const members = Array.isArray(all) ? all.slice(0, 5) : undefined;
  return {
    type: error.name,
    message: error.message,
    ...optional('code', text(field(error, 'code'))),
    ...optional('constraint', text(field(error, 'constraint'))),
    ...optional('table', text(field(error, 'table'))),
    ...optional('details', field(error, 'details')),
    ...optional('stack', error.stack),
    ...optional('cause', error.cause === undefined ? undefined : describeError(error.cause, depth + 1)),
    ...optional(
      'errors',
      members?.map((member) => describeError(member, depth + 1)),
    ),
  };
};
