// A number that a double would change: too long, too large, or written in another form, such as 1.0 or 1E3.

const numeral = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Stands for a number where an ordinary JSON codec is in between. Outside this process nobody knows the prefix, so no
 * text from outside can pass for such a string.
 */
const prefix = `lossless-number:${globalThis.crypto.randomUUID()}:`;
const tokenInText = new RegExp(`"${prefix}([-+.\\deE]+)"`, 'g');

/** The numbers written by the `stringifyJson` under way; undefined while none is. */
let written: number | undefined;

export class LosslessNumber {
  readonly #text: string;

  /** @throws SyntaxError for a text that is no number of JSON */
  constructor(text: string) {
    if (!numeral.test(text)) throw new SyntaxError('not a number of JSON');
    this.#text = text;
  }

  /** The number as it was written. */
  toString(): string {
    return this.#text;
  }

  /** The nearest double; infinite for a number beyond its range. */
  valueOf(): number {
    return Number(this.#text);
  }

  /** A codec other than `stringifyJson` writes the digits as a string. */
  toJSON(): string {
    if (written === undefined) return this.#text;
    written += 1;
    return tokenOf(this);
  }
}

export const tokenOf = (number: LosslessNumber): string => prefix + number.toString();

/** Puts the numbers back into a JSON text that a codec wrote from a value of `withTokens`. */
export const numbersForTokens = (json: string): string =>
  json.includes(prefix) ? json.replace(tokenInText, '$1') : json;

/** The text of a codec with tokens, and the number of those. */
export const writeWithTokens = (value: unknown, space?: number): { text: string; tokens: number } => {
  const outer = written;
  written = 0;
  try {
    const text = JSON.stringify(value, undefined, space);
    return { text, tokens: written };
  } finally {
    written = outer;
  }
};

/** Writes JSON as `JSON.stringify` does, apart from lossless numbers, which keep their digits. */
export const stringifyJson = (value: unknown, space?: number): string => {
  const { text, tokens } = writeWithTokens(value, space);
  return tokens === 0 ? text : text.replace(tokenInText, '$1');
};

/** Far beyond the depth that the platform accepts. Deeper parts stay as they are, so that none exhausts the stack. */
const deepest = 500;

const mapped = (value: unknown, change: (leaf: unknown) => unknown, depth = 0): unknown => {
  if (typeof value !== 'object' || value === null || value instanceof LosslessNumber) return change(value);
  if (depth === deepest) return value;
  if (Array.isArray(value)) return value.map((item) => mapped(item, change, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, mapped(inner, change, depth + 1)] as const),
  );
};

/** The value with strings for its lossless numbers, for a codec that does not know them. */
export const withTokens = (value: unknown): unknown =>
  mapped(value, (leaf) => (leaf instanceof LosslessNumber ? tokenOf(leaf) : leaf));

/** The value of `withTokens` again. */
export const withoutTokens = (value: unknown): unknown =>
  mapped(value, (leaf) => (typeof leaf === 'string' && leaf.startsWith(prefix) ? numberOfToken(leaf) : leaf));

const numberOfToken = (token: string): LosslessNumber => new LosslessNumber(token.slice(prefix.length));

/**
 * Changes the value itself, which `JSON.parse` just made of a text with tokens.
 * @throws SyntaxError where a number stands for the name of a member
 */
export const replaceTokens = (value: unknown): unknown => {
  if (typeof value === 'string') return value.startsWith(prefix) ? numberOfToken(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      if (typeof item === 'string' || typeof item === 'object') value[index] = replaceTokens(item);
    return value;
  }
  const object: Record<string, unknown> = value as Record<string, unknown>; // of JSON.parse
  for (const key in object) {
    if (key.startsWith(prefix)) throw new SyntaxError('a name of a member is no string');
    const inner = object[key];
    if (typeof inner === 'string' ? inner.startsWith(prefix) : typeof inner === 'object')
      Object.defineProperty(object, key, { value: replaceTokens(inner) });
  }
  return object;
};

/** The value with the nearest double for each lossless number, or for those of them that `isWanted` accepts. */
export const withDoubles = (
  value: unknown,
  isWanted: (number: LosslessNumber) => boolean = () => true,
): unknown =>
  mapped(value, (leaf) => (leaf instanceof LosslessNumber && isWanted(leaf) ? leaf.valueOf() : leaf));

export const hasLosslessNumber = (value: unknown): boolean => {
  if (value instanceof LosslessNumber) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLosslessNumber);
};
