// Picks one of the values that a sentence has: what corrects comes last and wins, what is denied goes, and a choice
// between two is no answer.
import { primary } from './field.js';

export interface Candidate<T = string | number | boolean> {
  readonly value: T;
  readonly start: number;
  readonly end: number;
}

const corrections: Readonly<Record<string, RegExp>> = {
  en: /\b(?:no|nope|sorry|wait|hang on|i mean|i meant|actually|rather|instead|correction|scratch that|make (?:it|that)|let'?s say|(?<=[.,;!?]\s*)say|could (?:you|we) (?:do|make)|(?:how|what) about|(?:let'?s |i'?ll )?go with|call it|change that(?: to)?|my mistake)\b/giu,
  de: /(?<!\p{L})(?:nein|nee|nö|entschuldigung|verzeihung|sorry|ich mein(?:e|te)|quatsch|vielmehr|besser gesagt|doch lieber|lieber|korrektur|moment|warte(?:n sie)?|sagen wir|stimmt nicht|pardon)(?!\p{L})/giu,
};
const denials: Readonly<Record<string, RegExp>> = {
  en: /\b(?:not|isn'?t|wasn'?t|can'?t do|except)\s+(?:(?:on|at|the|a|for|in)\s+)*$/iu,
  de: /(?<!\p{L})(?:nicht|kein\p{L}{0,2}|außer)\s+(?:(?:am|um|der|die|das|den|für|ein\p{L}{0,2})\s+)*$/iu,
};
const alternatives: Readonly<Record<string, RegExp>> = {
  en: /^\W*(?:\p{L}+\W+){0,2}?(?:or|and maybe)\b/iu,
  de: /^\W*(?:\p{L}+\W+){0,2}?oder(?!\p{L})/iu,
};

const forLanguage = (table: Readonly<Record<string, RegExp>>, language: string): RegExp =>
  table[primary(language)] ?? (table.en as RegExp);

/** Starts of the parts of a text: each begins with a word that corrects what was said before. */
export const correctionsIn = (text: string, language: string): readonly number[] => [
  0,
  ...Array.from(text.matchAll(forLanguage(corrections, language)), ({ index }) => index).filter(
    (at) => at > 0,
  ),
];

/** Reads each part by itself, without the words that correct: what a reader takes for the whole text ends where they stand. */
export const perPart = <T>(
  text: string,
  language: string,
  read: (part: string) => readonly Candidate<T>[],
): readonly Candidate<T>[] => {
  const marks = Array.from(text.matchAll(forLanguage(corrections, language)), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  const starts = [0, ...marks.map(({ end }) => end)];
  const ends = [...marks.map(({ start }) => start), text.length];
  return starts.flatMap((from, index) =>
    read(text.slice(from, ends[index])).map(({ value, start, end }) => ({
      value,
      start: from + start,
      end: from + end,
    })),
  );
};

const isDenied = (text: string, { start }: Candidate<unknown>, language: string): boolean =>
  forLanguage(denials, language).test(text.slice(0, start));

/** "Between fifty and sixty". */
const isRange = (text: string, { start }: Candidate<unknown>): boolean =>
  /(?:\bbetween|zwischen)\W+$/iu.test(text.slice(0, start));

const isOneOfTwo = <T>(
  text: string,
  first: Candidate<T>,
  others: readonly Candidate<T>[],
  language: string,
): boolean =>
  others.some(
    (other) =>
      other.start >= first.end &&
      JSON.stringify(other.value) !== JSON.stringify(first.value) &&
      forLanguage(alternatives, language).test(`${text.slice(first.end, other.start)}`),
  );

/** Undefined where nothing was said, or where two values were left to choose from. */
export const pick = <C extends Candidate<unknown>>(
  candidates: readonly C[],
  text: string,
  language: string,
): C | undefined => {
  const left = candidates.filter((candidate) => !isDenied(text, candidate, language));
  const starts = correctionsIn(text, language);
  for (const [index, start] of [...starts.entries()].reverse()) {
    const until = starts[index + 1] ?? text.length;
    const part = left.filter((candidate) => candidate.start >= start && candidate.start < until);
    const [first] = part;
    if (first === undefined) continue;
    return isRange(text, first) || isOneOfTwo(text, first, part.slice(1), language) ? undefined : first;
  }
  return undefined;
};
