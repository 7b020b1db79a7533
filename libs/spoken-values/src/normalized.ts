import { primary } from './field.js';
import { cardinalAt, ordinalAt } from './number-words.js';
import { isDigits, tokensOf } from './tokens.js';

/** A text with its number words as digits, and the way back to the places of the original. */
export interface Normalized {
  readonly text: string;
  /** The range of the original that became this range. */
  original(start: number, end: number): { readonly start: number; readonly end: number };
}

const englishSuffix = (value: number): string => {
  if (value >= 11 && value <= 13) return 'th';
  return { 1: 'st', 2: 'nd', 3: 'rd' }[value % 10] ?? 'th';
};

/** "March fifth, half past three" becomes "March 5th, half past 3". */
export const normalized = (text: string, language: string): Normalized => {
  const tokens = tokensOf(text);
  const suffix = (value: number): string => (primary(language) === 'de' ? '.' : englishSuffix(value));
  // Both lists hold the start of each copied or replaced piece; the last entry is the end of both texts.
  const places: { readonly at: number; readonly from: number; readonly to: number }[] = [];
  let result = '';
  let copied = 0;
  const copyUntil = (end: number): void => {
    for (let at = copied; at < end; at += 1)
      places.push({ at: result.length + at - copied, from: at, to: at + 1 });
    result += text.slice(copied, end);
    copied = end;
  };
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index];
    const ordinal = ordinalAt(tokens, index, language);
    const cardinal = ordinal ?? cardinalAt(tokens, index, language);
    const last = cardinal && tokens[cardinal.next - 1];
    if (token === undefined || cardinal === undefined || last === undefined) {
      index += 1;
      continue;
    }
    index = cardinal.next;
    // Digits stay as they are: 007 and 3.50 mean more than their number.
    if (isDigits(token.word) && last === token) continue;
    copyUntil(token.start);
    const digits = ordinal ? `${ordinal.value}${suffix(ordinal.value)}` : String(cardinal.value);
    for (let at = 0; at < digits.length; at += 1)
      places.push({ at: result.length + at, from: token.start, to: last.end });
    result += digits;
    copied = last.end;
  }
  copyUntil(text.length);
  return {
    text: result,
    original: (start, end) => ({
      start: places[start]?.from ?? text.length,
      end: places[Math.max(end - 1, start)]?.to ?? text.length,
    }),
  };
};
