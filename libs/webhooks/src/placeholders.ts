// `{{name}}` and `{{name | fallback}}` in headers and bodies of webhooks. What is put in is text and never read again,
// so that a value cannot bring placeholders of its own.

/** The value of a name; undefined for one that has none. */
export type Values = (name: string) => string | undefined;

const placeholder = /\{\{\s*([A-Za-z_][\w.]*)\s*(?:\|([^{}]*))?\}\}/g;

/** The text with its values; the fallback, or nothing, for a name without one. */
export const fillText = (text: string, values: Values): string =>
  text.replace(
    placeholder,
    (_, name: string, fallback: string | undefined) => values(name) ?? fallback?.trim() ?? '',
  );

/** The same for every text inside a value of JSON; keys stay as they are. */
export const fillJson = (value: unknown, values: Values): unknown => {
  if (typeof value === 'string') return fillText(value, values);
  if (Array.isArray(value)) return value.map((item) => fillJson(item, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fillJson(inner, values)]));
};

const prefix = 'secrets.';

/** Names of the secrets that a value of JSON mentions. */
export const secretNamesIn = (value: unknown): readonly string[] => {
  const names = [...JSON.stringify(value ?? null).matchAll(placeholder)].map(([, name = '']) => name);
  const secrets = names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  return [...new Set(secrets)];
};

/** Values of `secrets.*`, and of everything else from `others`. */
export const withSecrets =
  (secrets: ReadonlyMap<string, string>, others: Values): Values =>
  (name) =>
    name.startsWith(prefix) ? secrets.get(name.slice(prefix.length)) : others(name);
