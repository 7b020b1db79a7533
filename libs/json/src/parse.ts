import { LosslessNumber, replaceTokens, tokenOf } from './lossless-number.js';

// A number that may be one to keep: sixteen digits or more, zeros at the end of a fraction, an exponent, a small fraction,
// or minus zero. It follows a separator, so that most texts inside strings do not match.
const mayBeUnusual =
  /(?:^|[:,[])\s*-?(?:\d[\d.]{15}|\d+\.\d*0(?=\s*(?:[,\]}]|$))|\d[\d.]*[eE]|0\.0{6}|(?<=-)0(?=\s*(?:[,\]}]|$)))/m;

const isUnusual = (text: string): boolean => String(Number(text)) !== text;

/** The end of the string that begins at `start`, behind its last quote. */
const endOfString = (text: string, start: number): number => {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
};

const quoteOrNumeral = /"|(?<![\w.+-])-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/g;

/** The numbers outside of strings that a double would change, each with its place. */
const unusualNumeralsIn = (json: string): { readonly text: string; readonly index: number }[] => {
  if (!mayBeUnusual.test(json)) return [];
  const numerals: { text: string; index: number }[] = [];
  const found = new RegExp(quoteOrNumeral);
  for (let match = found.exec(json); match !== null; match = found.exec(json)) {
    const [text] = match;
    if (text === '"') found.lastIndex = endOfString(json, match.index);
    else if (isUnusual(text)) numerals.push({ text, index: match.index });
  }
  return numerals;
};

/**
 * Puts a token in the place of each number that a double would change. The text is a JSON text or some of its lines, for a
 * codec that knows only doubles; `withoutTokens` reads what that codec made of it.
 */
export const tokensForNumbers = (json: string): string => {
  let written = '';
  let from = 0;
  for (const { text, index } of unusualNumeralsIn(json)) {
    written += json.slice(from, index) + JSON.stringify(tokenOf(new LosslessNumber(text)));
    from = index + text.length;
  }
  return written + json.slice(from);
};

/**
 * Parses JSON as `JSON.parse` does, apart from the numbers that a double would change: each of those becomes a
 * LosslessNumber.
 * @throws SyntaxError for a text that is no JSON
 */
export const parseJson = (text: string): unknown => {
  const json = tokensForNumbers(text);
  const value: unknown = JSON.parse(json);
  if (json === text) return value;
  try {
    return replaceTokens(value);
  } catch (cause) {
    // Unlike the parser of the engine, the replacement recurses.
    if (cause instanceof RangeError) throw new SyntaxError('JSON is nested too deeply', { cause });
    throw cause;
  }
};
