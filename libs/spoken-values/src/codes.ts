import type { Candidate } from './candidates.js';
import { primary } from './field.js';
import { digitsAt } from './number-words.js';
import { type Token, tokensOf } from './tokens.js';

const marks: Readonly<Record<string, string>> = {
  ...{ dash: '-', hyphen: '-', minus: '-', slash: '/', bindestrich: '-', strich: '-', schrägstrich: '/' },
  ...{ '-': '-', '–': '-', '/': '/', '#': '' },
};

const isLetter = (token: Token | undefined): boolean => token !== undefined && /^\p{L}$/u.test(token.word);

/** "a" and "I" are words unless a sign of a code follows at once; "with a K" has an article all the same. */
const isArticle = (tokens: readonly Token[], index: number, language: string): boolean => {
  const word = tokens[index]?.word ?? '';
  if (primary(language) !== 'en' || (word !== 'a' && word !== 'i')) return false;
  const next = tokens[index + 1];
  if (word === 'a' && isLetter(next) && /^(?:with|an?|by)$/.test(tokens[index - 1]?.word ?? '')) return true;
  return !(
    next !== undefined &&
    (next.word in marks || isLetter(next) || digitsAt(tokens, index + 1, language) !== undefined)
  );
};

interface Sign {
  readonly text: string;
  readonly next: number;
  readonly isMark?: boolean;
}

const signAt = (tokens: readonly Token[], index: number, language: string): Sign | undefined => {
  const token = tokens[index];
  if (token === undefined) return undefined;
  // After a letter it is one as well: "P O, four".
  if (token.word === 'o' && isLetter(tokens[index - 1])) return { text: 'O', next: index + 1 };
  const mark = marks[token.word];
  if (mark !== undefined) return { text: mark, next: index + 1, isMark: true };
  // "o" among digits is a zero.
  const digits = digitsAt(tokens, index, language);
  if (digits !== undefined) return { text: digits.digits, next: digits.next };
  if (token.word === 'double' || token.word === 'doppel') {
    const letter = tokens[index + 1];
    return letter && isLetter(letter)
      ? { text: letter.word.toUpperCase().repeat(2), next: index + 2 }
      : undefined;
  }
  if (isLetter(token)) {
    if (isArticle(tokens, index, language)) return undefined;
    const [how, example, inExample] = [1, 2, 3].map((at) => tokens[index + at]?.word ?? '');
    const named =
      how === 'as' && example === 'in' ? inExample : /^(?:for|wie)$/.test(how ?? '') ? example : '';
    const isNamed = named !== undefined && named !== '' && named.startsWith(token.word);
    return { text: token.word.toUpperCase(), next: index + (isNamed ? (how === 'as' ? 4 : 3) : 1) };
  }
  return undefined;
};

/** A written code such as "ORD-1001": letters that are no words, directly beside a mark or a digit. */
const prefixAt = (tokens: readonly Token[], index: number, text: string): Sign | undefined => {
  const [token, next] = [tokens[index], tokens[index + 1]];
  if (token === undefined || next === undefined || !/^\p{L}{2,6}$/u.test(token.word)) return undefined;
  const isWritten = text.slice(token.start, token.end) === text.slice(token.start, token.end).toUpperCase();
  const isBeside = next.start === token.end && (/^[-/]$/.test(next.word) || /^\d/.test(next.word));
  return isWritten || isBeside ? { text: token.word.toUpperCase(), next: index + 1 } : undefined;
};

/** The number of words that only part the signs of a code: ", then". */
const pauseAt = (tokens: readonly Token[], from: number): number => {
  let count = 0;
  while (count < 3 && /^(?:,|and|und|then|dann|uh|um|äh)$/.test(tokens[from + count]?.word ?? '')) count += 1;
  return count;
};

/** Codes of letters and digits, spoken or written: "a dash one thousand one" is A-1001. */
export const codesIn = (text: string, language: string): readonly Candidate<string>[] => {
  const tokens = tokensOf(text);
  const found: Candidate<string>[] = [];
  for (let index = 0; index < tokens.length; ) {
    let code = '';
    let [next, after] = [index, index];
    for (;;) {
      const sign = signAt(tokens, next, language) ?? prefixAt(tokens, next, text);
      if (sign === undefined) {
        const pause = code === '' ? 0 : pauseAt(tokens, next);
        if (pause === 0 || signAt(tokens, next + pause, language) === undefined) break;
        next += pause;
      } else if (sign.isMark === true && code === '' && sign.text !== '') break;
      else {
        code += sign.text;
        next = sign.next;
        if (sign.isMark !== true) after = next;
      }
    }
    const [first, last] = [tokens[index], tokens[after - 1]];
    const value = code.replace(/[-/]+$/, '');
    const isCode = /\d/.test(value) ? value.length >= 2 : value.length >= 3;
    if (isCode && first && last) found.push({ value, start: first.start, end: last.end });
    index = Math.max(next, index + 1);
  }
  return found;
};
