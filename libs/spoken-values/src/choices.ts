import type { Candidate } from './candidates.js';
import { numbersIn } from './numbers.js';
import { type Token, tokensOf } from './tokens.js';

const endings = /(?:ly|es|en|er|em|e|s|n)?$/;
const stem = (word: string): string => (word.length > 4 ? word.replace(endings, '') : word);
const isSame = (said: string, listed: string): boolean => said === listed || stem(said) === stem(listed);

const wordsOf = (text: string): readonly string[] =>
  tokensOf(text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' '))
    .map(({ word }) => word)
    .filter((word) => /[\p{L}\d]/u.test(word));

const placesOf = (
  words: readonly string[],
  tokens: readonly Token[],
): readonly (readonly [number, number])[] =>
  tokens.flatMap((first, index) => {
    const last = tokens[index + words.length - 1];
    const isHere = words.every((word, offset) => isSame(tokens[index + offset]?.word ?? '', word));
    return isHere && last !== undefined ? [[first.start, last.end] as const] : [];
  });

/** The values of the list that were said: as listed, with another ending, or as a number in words. */
export const choicesIn = (
  text: string,
  values: readonly string[],
  language: string,
): readonly Candidate<string>[] => {
  const tokens = tokensOf(text).filter(({ word }) => /[\p{L}\d]/u.test(word));
  const found = values.flatMap((value) => {
    const words = wordsOf(value);
    const places = words.length === 0 ? [] : placesOf(words, tokens);
    const whole = /^\d+$/.test(value)
      ? numbersIn(text, language).flatMap(({ value: number, start, end }) =>
          String(number) === value ? [[start, end] as const] : [],
        )
      : [];
    return [...places, ...whole].map(([start, end]) => ({ value, start, end }));
  });
  // "extra large" is not "large".
  return found
    .filter(
      (inner) =>
        !found.some(
          (outer) =>
            outer.end - outer.start > inner.end - inner.start &&
            outer.start <= inner.start &&
            inner.end <= outer.end,
        ),
    )
    .sort((a, b) => a.start - b.start);
};
