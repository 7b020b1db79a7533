// `{{name}}` and `{{name | fallback}}` in the texts of agents, tools and webhooks: the one reader of placeholders. Also
// finds the ones that no variable can fill, because their spelling is not that of a name.
import { storableText, variableName } from './text.js';

/** The facts about a call that the platform fills in, as `{{system.<name>}}`. */
export const systemNames = [
  ...(['agentId', 'callId', 'campaignId', 'direction', 'callerNumber', 'calledNumber'] as const),
  ...(['startedAt', 'now', 'date', 'time', 'weekday', 'timezone', 'callDurationSeconds'] as const),
] as const;
export type SystemName = (typeof systemNames)[number];

const placeholder = /\{\{\s*([A-Za-z_][\w.]*)\s*(?:\|([^{}]*))?\}\}/g;

/** An empty value, or white space alone, counts as no value: the default or the fallback is said. */
export const isEmptyValue = (value: string): boolean => value.trim() === '';

/** The variables that have a value. */
export const withoutEmptyValues = (variables: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => !isEmptyValue(value)));

/**
 * Replaces each placeholder by its value. The value is never read again, so that it cannot bring placeholders of its own.
 * @param replace gets the name, and the fallback where one is written
 */
export const replacePlaceholders = (
  text: string,
  replace: (name: string, fallback: string | undefined) => string,
): string =>
  text.replace(placeholder, (_, name: string, fallback: string | undefined) =>
    replace(name, fallback?.trim()),
  );

/** The value of a name; undefined for one that has none. */
export type Values = (name: string) => string | undefined;

/** The text with its values; the fallback, or nothing, for a name without one. An empty value counts as none. */
export const fillText = (text: string, values: Values): string =>
  replacePlaceholders(text, (name, fallback = '') => {
    const value = values(name);
    return value === undefined || isEmptyValue(value) ? fallback : value;
  });

/** The names in the texts, in order, each with whether every occurrence of it has a fallback. */
export const placeholdersIn = (texts: readonly string[]): ReadonlyMap<string, boolean> => {
  const found = new Map<string, boolean>();
  for (const text of texts)
    for (const [, name = '', fallback] of text.matchAll(placeholder))
      found.set(name, (found.get(name) ?? true) && fallback !== undefined);
  return found;
};

/** Anything that begins like a placeholder and ends on its line, also with a brace too few. */
const attempt = /\{\{([^{}\n]{0,200})\}\}?/g;
/** JSON in a prompt may have two braces in a row, as templates of other systems write it. */
const looksLikeJson = /^\s*["'[]/;
/** References to secrets have rules of their own. */
const secret = /^\s*secrets\b/i;
const systemPrefix = 'system.';

const canHaveValue = (name: string): boolean =>
  name.startsWith(systemPrefix)
    ? systemNames.some((known) => known === name.slice(systemPrefix.length))
    : variableName.safeParse(name).success;

const isImpossible = (written: string, inner: string): boolean => {
  if (looksLikeJson.test(inner) || secret.test(inner)) return false;
  return !written.endsWith('}}') || !canHaveValue((inner.split('|', 1)[0] ?? '').trim());
};

/** The placeholders of a text that no variable can fill, each once and as written, such as `{{first-name}}`. */
export const impossiblePlaceholdersIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(attempt)].flatMap(([written, inner = '']) =>
      isImpossible(written, inner) ? [written] : [],
    ),
  ),
];

const longestShown = 80;

const innerOf = (written: string): string =>
  (written.replace(/^\{\{|\}+$/g, '').split('|', 1)[0] ?? '').trim();

/** The name that was probably meant: `first_name` for "first-name"; undefined where no such name can be made. */
const nameMeant = (inner: string): string | undefined => {
  const name = inner.replaceAll(/[\x20-\x2f\x3a-\x40\x5b-\x60]+/g, '_').replaceAll(/^[_\d]+|_+$/g, '');
  return variableName.safeParse(name).success ? name : undefined;
};

const reasonOf = (inner: string): string => {
  if (/^system\./i.test(inner)) return `write system. and one of: ${systemNames.join(', ')}`;
  const meant = nameMeant(inner);
  const advice = meant === undefined ? '' : `, such as {{${meant}}}`;
  return `write the name of a variable: letters, digits and underscores${advice}`;
};

/** What is wrong with an impossible placeholder, for the person who wrote it. */
export const placeholderProblem = (written: string): string => {
  const cut = written.length > longestShown ? `${written.slice(0, longestShown)}…` : written;
  return `${storableText(cut)} can have no value; ${reasonOf(innerOf(written))}`;
};

/** A text with a placeholder, and where it stands in a document. */
export interface PlacedText {
  readonly path: string;
  readonly text: string;
}

export interface ImpossiblePlaceholder {
  readonly path: string;
  readonly written: string;
  readonly message: string;
}

/** The texts inside a JSON value, each with its path. Keys are no texts. */
export const textsIn = (value: unknown, path: string): PlacedText[] => {
  if (typeof value === 'string') return [{ path, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, `${path}.${key}`));
};

/** The impossible placeholders of several texts. */
export const impossiblePlaceholders = (texts: readonly PlacedText[]): ImpossiblePlaceholder[] =>
  texts.flatMap(({ path, text }) =>
    impossiblePlaceholdersIn(text).map((written) => ({
      path,
      written,
      message: placeholderProblem(written),
    })),
  );
