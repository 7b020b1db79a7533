// The options of a command, as a person gave them.
import { UsageError } from './failures.js';

export type Values = Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;

export const text = (values: Values, name: string): string | undefined => {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
};

/** @throws UsageError unless it is a whole number, zero or more */
export const wholeNumber = (values: Values, name: string): number | undefined => {
  const given = text(values, name);
  if (given === undefined) return undefined;
  if (/^\d{1,15}$/.test(given)) return Number(given);
  throw new UsageError(`--${name} takes a whole number, not "${given}".`);
};
