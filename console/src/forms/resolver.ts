// Checks a form by the contract's schema. The form keeps the values as they were typed; the platform reads them by the same schema.
import type { FieldValues, Resolver } from 'react-hook-form';
import type { ZodType } from 'zod';
import { formStrings } from '../strings/forms.js';
import { type RawIssue, wordsOf } from './issue-words.js';

interface Found {
  readonly type: string;
  readonly message: string;
}

/** Puts the finding at the path, inside of objects and lists. The first one at a path stays. */
const place = (errors: Record<string, unknown>, path: readonly PropertyKey[], found: Found): void => {
  let at = errors;
  for (const [index, key] of path.entries()) {
    const name = String(key);
    if (index === path.length - 1) at[name] ??= found;
    else {
      at[name] ??= typeof path[index + 1] === 'number' ? [] : {};
      at = at[name] as Record<string, unknown>; // made in the line above, or by an earlier finding
    }
  }
};

/** The contract writes the words that follow the name of a field: "must be an IANA time zone". */
export const sentenceOf = (message: string): string =>
  /^(must|is|may|contains|ends|has)\b/.test(message) ? formStrings.mixed(message) : message;

/** @param schema fetches it; a form that is sent before waits for it */
export const contractResolver =
  <Values extends FieldValues>(
    schema: () => Promise<ZodType>,
    toBody: (values: Values) => unknown,
  ): Resolver<Values> =>
  async (values) => {
    const result = await (await schema()).safeParseAsync(toBody(values), {
      error: (issue) => wordsOf(issue as RawIssue), // the words read only fields that may be absent
    });
    if (result.success) return { values, errors: {} };
    const errors: Record<string, unknown> = {};
    for (const { path, code, message } of result.error.issues)
      place(errors, path.length === 0 ? ['root'] : path, { type: code, message: sentenceOf(message) });
    return { values: {}, errors: errors as never }; // the shape that the form reads
  };
