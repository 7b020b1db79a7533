// Reads the answer of the other system: picks the part that the model is told, and takes variables out of it.
import { decodeLoosely, decodeText } from '@parlance/charsets';
import { isEmptyValue, storableJson, storableText } from '@parlance/contracts';
import { type EgressResponse, parseForeignJson } from '@parlance/egress';
import { LosslessNumber, stringifyJson } from '@parlance/json';
import type { Masking } from '@parlance/webhooks';
import type { ToolDocument } from '../tools/tool-record.js';
import type { Json } from './arguments.js';

/** An answer without the secrets that it may have sent back. */
export interface ReadAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The answer as text. */
  readonly text: string;
  /** Undefined for an answer that is no JSON. */
  readonly json: Json | undefined;
  readonly isCut: boolean;
}

type Node = Map<string, Node>;

const maxVariableCharacters = 2_000;

const textTypes = /\b(?:json|text|xml|html|javascript|x-www-form-urlencoded)\b/i;

/** @throws UnknownCharset for a text that could not be read */
const textOf = ({ body, headers, isCut }: EgressResponse): string => {
  const { 'content-type': contentType } = headers;
  const isText = contentType === undefined || textTypes.test(contentType);
  return (isText ? decodeText : decodeLoosely)(body, { contentType, isCut });
};

const asJson = (answer: EgressResponse, text: string): Json | undefined => {
  const start = text.trimStart()[0] ?? '';
  const isSaid = /\bjson\b/i.test(answer.headers['content-type'] ?? '');
  if (answer.isCut || (!isSaid && start !== '{' && start !== '[')) return undefined;
  try {
    // The parser makes only values of JSON.
    return parseForeignJson(text) as Json;
  } catch {
    return undefined;
  }
};

/** @throws UnknownCharset */
export const readAnswer = (answer: EgressResponse, masking: Masking): ReadAnswer => {
  const whole = textOf(answer);
  const parsed = asJson(answer, whole);
  const json = parsed === undefined ? undefined : masking.json(storableJson(parsed));
  const kept = answer.isCut ? whole.slice(0, Math.max(0, whole.length - masking.longest)) : whole;
  // Escapes hide a secret from a search of the text, but not from a search of the parsed value.
  const isHidden = json !== undefined && stringifyJson(json) !== stringifyJson(parsed);
  return {
    status: answer.status,
    headers: masking.headers(answer.headers),
    text: isHidden ? stringifyJson(json) : storableText(masking.text(kept)),
    json,
    isCut: answer.isCut,
  };
};

const treeOf = (paths: readonly string[]): Node => {
  const root: Node = new Map();
  for (const path of paths) {
    let node = root;
    for (const key of path.split('.')) {
      const next: Node = node.get(key) ?? new Map();
      node.set(key, next);
      node = next;
    }
  }
  return root;
};

/** The parts of a value that the tree names. For an array: the numbered items, or else the same parts of each item. */
const pick = (value: Json, tree: Node): Json | undefined => {
  if (tree.size === 0) return value;
  if (Array.isArray(value)) {
    const numbered = [...tree].filter(([key]) => /^\d{1,6}$/.test(key));
    const items =
      numbered.length > 0 ? numbered.map(([key, node]) => [value[Number(key)], node] as const) : [];
    const all = numbered.length > 0 ? items : value.map((item) => [item, tree] as const);
    return all.flatMap(([item, node]) => (item === undefined ? [] : (pick(item, node) ?? [])));
  }
  if (typeof value !== 'object' || value === null || value instanceof LosslessNumber) return undefined;
  const object = value;
  const entries = [...tree].flatMap(([key, node]) => {
    const inner = Object.hasOwn(object, key) ? object[key] : undefined;
    const picked = inner === undefined ? undefined : pick(inner, node);
    return picked === undefined ? [] : [[key, picked] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
};

const valueAt = (value: Json, path: string): Json | undefined => {
  let found: Json | undefined = value;
  for (const key of path.split('.')) {
    if (typeof found !== 'object' || found === null || found instanceof LosslessNumber) return undefined;
    if (Array.isArray(found)) found = /^\d{1,6}$/.test(key) ? found[Number(key)] : undefined;
    else found = Object.hasOwn(found, key) ? found[key] : undefined;
  }
  return found;
};

/** The text up to `maxCharacters`; no character is cut in half. */
export const cutText = (text: string, maxCharacters: number): string =>
  text.length <= maxCharacters ? text : text.slice(0, maxCharacters).replace(/[\uD800-\uDBFF]$/, '');

/** The result that the model gets from a good answer. */
export const resultOf = ({ response }: ToolDocument, answer: ReadAnswer): Json => {
  if (answer.json === undefined) return cutText(answer.text, response.maxChars);
  const included =
    response.include.length === 0 ? answer.json : (pick(answer.json, treeOf(response.include)) ?? null);
  const text = stringifyJson(included);
  return text.length <= response.maxChars ? included : cutText(text, response.maxChars);
};

/** Variables that get a value from the answer; a path that leads nowhere, or to an empty value, gives none. */
export const assignmentsOf = ({ response }: ToolDocument, { json }: ReadAnswer): Record<string, string> =>
  Object.fromEntries(
    response.assignments.flatMap(({ variable, path }) => {
      const value = json === undefined ? undefined : valueAt(json, path);
      if (value === undefined || value === null) return [];
      const text = typeof value === 'string' ? value : stringifyJson(value);
      if (isEmptyValue(text)) return [];
      return [[variable, cutText(text, maxVariableCharacters)] as const];
    }),
  );
