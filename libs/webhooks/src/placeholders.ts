// Fills the placeholders of texts and JSON, and finds the secrets that they mention.
import { fillText, placeholdersIn, type Values } from '@parlance/contracts';
import { LosslessNumber } from '@parlance/json';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A reference to a secret by its id, as a configuration writes it. */
const referenceIn = (value: object): string | undefined =>
  'secretId' in value &&
  typeof value.secretId === 'string' &&
  uuid.test(value.secretId) &&
  Object.keys(value).length === 1
    ? value.secretId
    : undefined;

/**
 * The same for every text inside a value of JSON; keys stay as they are.
 * @param byId the value of a secret that is referred to as `{ secretId }`
 */
export const fillJson = (value: unknown, values: Values, byId?: (id: string) => string): unknown => {
  if (typeof value === 'string') return fillText(value, values);
  if (Array.isArray(value)) return value.map((item) => fillJson(item, values, byId));
  if (typeof value !== 'object' || value === null || value instanceof LosslessNumber) return value;
  const id = byId && referenceIn(value);
  if (byId && id !== undefined) return byId(id);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, fillJson(inner, values, byId)]),
  );
};

const prefix = 'secrets.';

/** Secrets that something mentions: by id in `{ secretId }`, by name in `{{secrets.NAME}}`. */
export interface SecretMentions {
  readonly ids: string[];
  readonly names: string[];
}

const namesIn = (text: string): string[] =>
  [...placeholdersIn([text]).keys()].flatMap((name) =>
    name.startsWith(prefix) ? [name.slice(prefix.length)] : [],
  );

const collect = (value: unknown, ids: Set<string>, names: Set<string>): void => {
  if (typeof value === 'string') for (const name of namesIn(value)) names.add(name);
  if (typeof value !== 'object' || value === null) return;
  const id = referenceIn(value);
  if (id === undefined) for (const inner of Object.values(value)) collect(inner, ids, names);
  else ids.add(id);
};

/** The secrets that a value of JSON mentions, each once. */
export const secretMentionsIn = (value: unknown): SecretMentions => {
  const ids = new Set<string>();
  const names = new Set<string>();
  collect(value, ids, names);
  return { ids: [...ids], names: [...names] };
};

/** Values of `secrets.*`, and of everything else from `others`. */
export const withSecrets =
  (secretByName: Values, others: Values): Values =>
  (name) =>
    name.startsWith(prefix) ? secretByName(name.slice(prefix.length)) : others(name);
