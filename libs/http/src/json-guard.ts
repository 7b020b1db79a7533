// Reads JSON from strangers. Depth and width are judged before parsing, because code that recurses over a value
// overflows on values that JSON.parse accepts. Keys and characters that harm later are refused after parsing.
import { isUtf8 } from 'node:buffer';
import { AppError, type Issue, validationError } from '@parlance/errors';
import { LosslessNumber, parseJson as parseLosslessJson } from '@parlance/json';

const maxDepth = 32;
const maxKeysPerObject = 1_000;

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

/** Index of the quote that ends the string starting at `start`; the end of the text when there is none. */
const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
};

const tooManyKeys = (): AppError =>
  validationError([
    { path: 'body', code: 'too_many_keys', message: `an object may have at most ${maxKeysPerObject} keys` },
  ]);

/**
 * Walks the text once, without recursion.
 * @throws AppError JSON_TOO_DEEP beyond 32 levels, VALIDATION_ERROR beyond 1,000 keys in one object
 */
const checkShape = (text: string): void => {
  const keys: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === quote) at = endOfString(text, at);
    else if (unit === 0x7b || unit === 0x5b) {
      if (keys.push(0) > maxDepth) throw new AppError('JSON_TOO_DEEP', { details: { maxDepth } });
    } else if (unit === 0x7d || unit === 0x5d) keys.pop();
    else if (unit === colon && keys.length > 0) {
      const count = (keys.pop() ?? 0) + 1;
      if (count > maxKeysPerObject) throw tooManyKeys();
      keys.push(count);
    }
  }
};

const loneSurrogate = /\p{Surrogate}/u;

/** True for strings that every store can keep and every encoding can carry. */
export const isStorable = (value: string): boolean => !value.includes('\0') && !loneSurrogate.test(value);

const unstorable = (path: string): Issue => ({
  path,
  code: 'invalid_characters',
  message: 'contains characters that cannot be stored',
});

/** Longest piece of a stranger's key that an issue repeats. */
const shownKeyLength = 64;

const forbiddenKey = (key: string, value: unknown): boolean =>
  key === '__proto__' ||
  (key === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype'));

/** The fault of keys and strings anywhere in a value; the first one only. */
export const findHarm = (value: unknown, path: string): Issue | undefined => {
  if (typeof value === 'string') return isStorable(value) ? undefined : unstorable(path);
  if (typeof value !== 'object' || value === null || value instanceof LosslessNumber) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    if (!isStorable(key)) return unstorable(path);
    const innerPath = `${path}.${key.slice(0, shownKeyLength)}`;
    if (forbiddenKey(key, inner))
      return { path: innerPath, code: 'forbidden_key', message: 'is not an accepted key' };
    const harm = findHarm(inner, innerPath);
    if (harm !== undefined) return harm;
  }
  return undefined;
};

// Harm needs an escape, or one of two words in plain sight; most bodies have neither and are not walked.
const mayHarm = (text: string): boolean =>
  text.includes('\\u') || text.includes('__proto__') || text.includes('constructor');

/**
 * The value of a JSON body.
 * @throws AppError MALFORMED_JSON, JSON_TOO_DEEP, or VALIDATION_ERROR for keys and characters that are never accepted
 */
export const parseJson = (bytes: Buffer): unknown => {
  if (!isUtf8(bytes)) throw new AppError('MALFORMED_JSON');
  const text = bytes.toString('utf8');
  checkShape(text);
  let value: unknown;
  try {
    value = parseLosslessJson(text);
  } catch {
    // the parser's message quotes the body
    throw new AppError('MALFORMED_JSON');
  }
  if (mayHarm(text)) {
    const harm = findHarm(value, 'body');
    if (harm !== undefined) throw validationError([harm]);
  }
  return value;
};
