import type { Candidate } from './candidates.js';
import { primary } from './field.js';
import { cardinalAt } from './number-words.js';
import { isDigits, type Token, tokensOf } from './tokens.js';

const points: Readonly<Record<string, readonly string[]>> = { en: ['point'], de: ['komma'] };
const unitDigits = /^\d+$/;

const isArticle = (tokens: readonly Token[], index: number): boolean => {
  const word = tokens[index]?.word;
  const previous = tokens[index - 1]?.word ?? '';
  const next = tokens[index + 1]?.word ?? '';
  return (
    word === 'one' &&
    (/^(?:the|this|that|which|another|any|no|every|each|some|good|new|old|other|first|last|next|right|wrong)$/.test(
      previous,
    ) ||
      /^(?:of|more|moment|second|minute|thing)$/.test(next))
  );
};

/** Digits written with marks: 1,500.75 in English, 1.500,75 in German. */
const written = (text: string, language: string): readonly Candidate<number>[] => {
  const isGerman = primary(language) === 'de';
  const pattern = isGerman
    ? /(?<![\d.,])\d{1,3}(?:\.\d{3})+(?:,\d+)?(?![\d])|(?<![\d.,])\d+,\d+(?!\d)/g
    : /(?<![\d.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|(?<![\d.,])\d+\.\d+(?!\d)/g;
  return Array.from(text.matchAll(pattern), (match) => {
    const plain = isGerman ? match[0].replaceAll('.', '').replace(',', '.') : match[0].replaceAll(',', '');
    return { value: Number(plain), start: match.index, end: match.index + match[0].length };
  });
};

interface Read {
  readonly value: number;
  readonly next: number;
}

/** "two point five", "three and a half", "forty five dollars fifty": the part after the whole number. */
const withFraction = (tokens: readonly Token[], whole: Read, language: string): Read => {
  const words = [0, 1, 2, 3].map((offset) => tokens[whole.next + offset]?.word ?? '');
  const [first = '', second = '', third = ''] = words;
  if ((points[primary(language)] ?? []).includes(first)) {
    let digits = '';
    let next = whole.next + 1;
    for (;;) {
      const part = cardinalAt(tokens, next, language);
      if (part === undefined || (digits !== '' && part.value > 9)) break;
      digits += isDigits(tokens[next]?.word ?? '') ? (tokens[next]?.word ?? '') : String(part.value);
      next = part.next;
    }
    if (unitDigits.test(digits)) return { value: Number(`${whole.value}.${digits}`), next };
  }
  if (first === 'and' && second === 'a' && third === 'half')
    return { value: whole.value + 0.5, next: whole.next + 3 };
  if (first === 'and' && second === 'a' && third === 'quarter')
    return { value: whole.value + 0.25, next: whole.next + 3 };
  if (/^(?:dollars?|euros?|pounds?)$/.test(first)) {
    const from = second === 'and' || second === 'und' ? whole.next + 2 : whole.next + 1;
    const cents = cardinalAt(tokens, from, language);
    const unit = cents && tokens[cents.next]?.word;
    if (cents && cents.value < 100 && (from === whole.next + 1 || /^(?:cents?|pence)$/.test(unit ?? '')))
      return { value: Math.round(whole.value * 100 + cents.value) / 100, next: cents.next };
  }
  return whole;
};

const german: Readonly<Record<string, number>> = {
  eineinhalb: 1.5,
  anderthalb: 1.5,
  zweieinhalb: 2.5,
  dreieinhalb: 3.5,
  viereinhalb: 4.5,
  dutzend: 12,
};
const negative = /^(?:minus|negative)$/;
const nothing: Readonly<Record<string, RegExp>> = {
  en: /^(?:none|nobody|nothing)$/,
  de: /^(?:keine[rns]?|niemand|nichts)$/,
};

export const numbersIn = (text: string, language: string): readonly Candidate<number>[] => {
  const tokens = tokensOf(text);
  const found: Candidate<number>[] = [...written(text, language)];
  const isTaken = (start: number): boolean =>
    found.some((other) => start >= other.start && start < other.end);
  const words = tokens.filter(({ word }) => /\p{L}/u.test(word));
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index];
    if (token === undefined) break;
    const special = primary(language) === 'de' ? german[token.word] : undefined;
    const isDozen = token.word === 'dozen';
    const isArticleAlone =
      /^eine?[nmrs]?$/.test(token.word) && primary(language) === 'de' && words.length <= 3;
    const whole: Read | undefined =
      special !== undefined
        ? { value: special, next: index + 1 }
        : isDozen
          ? {
              value: tokens[index - 1]?.word === 'half' || tokens[index - 2]?.word === 'half' ? 6 : 12,
              next: index + 1,
            }
          : isArticleAlone
            ? { value: 1, next: index + 1 }
            : nothing[primary(language)]?.test(token.word) && words.length <= 2 && words[1]?.word !== 'ahnung'
              ? { value: 0, next: index + 1 }
              : cardinalAt(tokens, index, language);
    const hasSuffix = /^(?:st|nd|rd|th)$/.test(tokens[index + 1]?.word ?? '') && isDigits(token.word);
    if (whole === undefined || isTaken(token.start) || isArticle(tokens, index) || hasSuffix) {
      index += 1;
      continue;
    }
    const read = withFraction(tokens, whole, language);
    const before = tokens[index - 1];
    const isNegative = before !== undefined && negative.test(before.word);
    found.push({
      value: isNegative ? -read.value : read.value,
      start: isNegative ? before.start : token.start,
      end: tokens[read.next - 1]?.end ?? token.end,
    });
    index = read.next;
  }
  return found.sort((a, b) => a.start - b.start);
};
