// JSON from outside. A text is refused when its nesting could exhaust the stack of later code. A key that would change
// the prototype of an object is refused too.
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

/** @throws EgressFailure `bad_response` for a text that is not JSON, or nested deeper than 32 */
export const parseForeignJson = (bytes: Buffer): unknown => {
  const text = bytes.toString('utf8');
  if (depthOf(text) > deepest) throw new EgressFailure('bad_response');
  try {
    return JSON.parse(text, function (this: unknown, key, value: unknown) {
      // Returning nothing leaves the key out.
      return key === '__proto__' ? undefined : value;
    });
  } catch (cause) {
    throw new EgressFailure('bad_response', { cause });
  }
};
