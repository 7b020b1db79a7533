// Finds references to secrets in a configuration. Prompts and first messages may never hold one: what a model reads, it
// can say. Webhooks may refer to secrets that exist; while there is no service that keeps secrets, none does.
import type { Configuration } from './configuration-document.js';

const mention = /\{\{\s*secrets\b/;

/** True for a text that a secret would be put into. */
export const mentionsSecret = (text: string): boolean => mention.test(text);

const isReference = (value: object): boolean => 'secretId' in value && typeof value.secretId === 'string';

const pathsIn = (value: unknown, path: string): string[] => {
  if (typeof value === 'string') return mentionsSecret(value) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  if (!Array.isArray(value) && isReference(value)) return [path];
  return Object.entries(value).flatMap(([key, inner]) =>
    pathsIn(inner, path === '' ? key : `${path}.${key}`),
  );
};

/** Paths of the fields that refer to a secret, such as `post_call_webhook.headers.Authorization`. */
export const secretReferences = (configuration: Configuration): string[] => {
  const signing = (['initiation_webhook', 'post_call_webhook'] as const).filter(
    (field) => configuration[field]?.signingSecretId !== undefined,
  );
  return [...pathsIn(configuration, ''), ...signing.map((field) => `${field}.signingSecretId`)];
};
