// JSON from outside. A text is refused when its nesting could exhaust the stack of later code. A key that would change
// the prototype of an object is refused too.
import { decodeText } from '@parlance/charsets';
import { parseJson } from '@parlance/json';
import { EgressFailure } from './failures.js';

const deepest = 32;

/** The depth of nested arrays and objects, by one look over the text. */
const depthOf = (text: string): number => {
  let depth = 0;
  let most = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') most = Math.max(most, ++depth);
    else if (character === '}' || character === ']') depth -= 1;
  }
  return most;
};

const textOf = (bytes: Uint8Array, contentType: string | undefined): string => {
  try {
    return decodeText(bytes, { contentType });
  } catch (cause) {
    throw new EgressFailure('bad_response', { cause });
  }
};

const mayNamePrototype = /__proto__|\\u/;

const removePrototypes = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) return;
  Reflect.deleteProperty(value, '__proto__');
  for (const inner of Object.values(value)) removePrototypes(inner);
};

/**
 * Parses a body by the charset of its content type, and with every digit of its numbers.
 * @throws EgressFailure `bad_response` for a text that is not JSON, is nested deeper than 32, or has an unknown charset
 */
export const parseForeignJson = (body: Uint8Array | string, contentType?: string): unknown => {
  const text = typeof body === 'string' ? body : textOf(body, contentType);
  if (depthOf(text) > deepest) throw new EgressFailure('bad_response');
  try {
    const value = parseJson(text);
    if (mayNamePrototype.test(text)) removePrototypes(value);
    return value;
  } catch (cause) {
    throw new EgressFailure('bad_response', { cause });
  }
};
