// Credentials that must not be spoken: those that the runtime knows, and texts in the formats of well-known keys, which
// a document or the answer of a tool may contain.

const formats = [
  /\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?[A-Za-z0-9_-]{16,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bxox[abprs]-[A-Za-z0-9-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\bwhsec_[A-Za-z0-9+/=]{16,}/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /(?<=\bBearer\s+)[A-Za-z0-9._~+/-]{20,}=*/g,
] as const;

export const hidden = '[hidden]';

/** A shorter value would be found in ordinary words. */
const shortestSecret = 8;

/** The text without credentials. @param secrets values that the runtime knows */
export const withoutCredentials = (text: string, secrets: readonly string[]): string => {
  let shown = text;
  for (const secret of secrets) if (secret.length >= shortestSecret) shown = shown.replaceAll(secret, hidden);
  for (const format of formats) shown = shown.replaceAll(format, hidden);
  return shown;
};

/** The same for every text inside a JSON value. */
export const jsonWithoutCredentials = (value: unknown, secrets: readonly string[]): unknown => {
  if (typeof value === 'string') return withoutCredentials(value, secrets);
  if (Array.isArray(value)) return value.map((item) => jsonWithoutCredentials(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, jsonWithoutCredentials(inner, secrets)]),
  );
};
