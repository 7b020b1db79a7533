// Whether a piece of text could have been written by a person in a language of a character set.
import type { Charset, Language } from './alphabets.js';

const scripts = {
  Latin: /^\p{Script=Latin}$/u,
  Cyrillic: /^\p{Script=Cyrillic}$/u,
  Greek: /^\p{Script=Greek}$/u,
  Hebrew: /^\p{Script=Hebrew}$/u,
  Arabic: /^\p{Script=Arabic}$/u,
  Thai: /^\p{Script=Thai}$/u,
} as const;

const beyondAscii = /[\u0080-\uffff]/;
const words = /[\p{L}\p{M}]+/gu;
/** The signs beyond ASCII that people use; what is neither a letter nor one of these was not typed. */
const otherSigns = /[^\p{L}\p{M}\p{ASCII}\u00a0\u00ad’‘ʼ´“”„‚«»‹›–—…•·€£¥¢§©®™°²³½¼¾±×¿¡¶№₪،؛؟]/u;
/** Signs stand beside letters only in certain ways, and letters of another encoding look like them. */
const misplaced = [
  // currencies, and a sign between numbers
  /\p{L}[€£¥¢×]|[€£¥¢×]\p{L}/u,
  // signs inside a word
  /\p{L}[^\p{L}\p{M}\p{ASCII}’‘ʼ´–—\u00a0·]\p{L}/u,
  // signs that open something, after a letter, and those that close something, before one
  /\p{L}[¿¡«“„‚‹]/u,
  /[»”®™©°²³…›§¶±]\p{L}/u,
  // an apostrophe, other than in O’Brien, d’Angelo, Anna’s
  /\p{L}{3,}[’‘´](?!(?:s|t|re|ll|ve|d|m|n|hui)(?!\p{L}))\p{Ll}/u,
  /(?<!\p{L})‘\p{Ll}|\p{L}‘|\p{Lu}…/u,
  // a dash that is no pause, a space within a word, a dot that is not Catalan
  /[–—]\p{Ll}/u,
  /\p{Ll}\u00a0\p{Ll}/u,
  /(?<!l)·\p{L}/u,
];

const isUpper = (letter: string): boolean => /\p{Lu}/u.test(letter);

/** A letter beyond ASCII has the case that its place in the word asks for: not MŸller, nor JOSé. */
const hasGoodCase = (word: string): boolean => {
  const letters = [...word].filter((letter) => /\p{Lu}|\p{Ll}/u.test(letter));
  const isMixed = letters.some(isUpper) && !letters.every(isUpper);
  const isUpperAt = (index: number): boolean => isUpper(letters[index] ?? '');
  return letters.every((letter, index) => {
    if (!isMixed || letter <= '\u007f' || letter === 'ß') return true;
    if (isUpper(letter)) return index === 0;
    return !(isUpperAt(index - 1) && isUpperAt(index - 2)) && !isUpperAt(index + 1);
  });
};

const spells = ({ letters, never: misspelt }: Language, word: string): boolean =>
  [...word].every((letter) => letter <= '\u007f' || letters.has(letter)) && misspelt?.test(word) !== true;

/** Lower-case letters of one language are not always one letter in lower case: İ becomes two. */
const lowerCase = (word: string): string => word.replaceAll('İ', 'i').toLowerCase();

const greekVowels = /[αεηιουω]/g;
const greekAccents = /[άέήίόύώΐΰ]/;
const cyrillicVowel = /[аеёиоуыэюяіїєў]/;
const cyrillicSonorant = /[рлј]/;

const isWordOf = ({ script, languages }: Charset, word: string): boolean => {
  if (![...word].every((letter) => scripts[script].test(letter) || /\p{M}/u.test(letter))) return false;
  if (!hasGoodCase(word)) return false;
  const lower = lowerCase(word);
  if (!languages.some((one) => spells(one, lower))) return false;
  // Every Greek word of two syllables has an accent, unless it is in capitals.
  if (script === 'Greek' && word !== word.toUpperCase())
    return greekAccents.test(lower) || (lower.match(greekVowels) ?? []).length < 2;
  if (script === 'Cyrillic' && word.length > 2)
    return cyrillicVowel.test(lower) || cyrillicSonorant.test(lower);
  return true;
};

/** The signs of 1º and Mª, which Unicode counts as letters. */
const ordinal = /[ªº](?!\p{L})/gu;

/** The words with letters beyond ASCII. */
export const wordsIn = (text: string): string[] =>
  (text.replaceAll(ordinal, '').match(words) ?? []).filter((word) => beyondAscii.test(word));

/** True for a text that could have been meant: its words are of the character set, and its signs stand where signs do. */
export const isPlausible = (charset: Charset, text: string): boolean =>
  !otherSigns.test(text) &&
  !misplaced.some((sign) => sign.test(text)) &&
  wordsIn(text).every((word) => isWordOf(charset, word));

const vowel = /[aeiouyæøœåı]/;
const baseOf = (letter: string): string => letter.normalize('NFD').charAt(0);
const isVowel = (letter: string | undefined): boolean => letter !== undefined && vowel.test(baseOf(letter));

/** A vowel between two vowels, or a consonant without one beside it: the letter is probably another one. */
const isOdd = (letters: readonly string[], index: number): boolean => {
  const [before, after] = [letters[index - 1], letters[index + 1]];
  // Portuguese ão, ãe and õe.
  if (/[ãõ]/.test(letters[index] ?? '')) return false;
  if (!isVowel(letters[index])) return !isVowel(before) && !isVowel(after);
  return isVowel(after) && (before === undefined || isVowel(before));
};

/** How the words of some texts fit a character set; all numbers from 0 to 1. */
export interface Fit {
  /** The share that its best single language spells. */
  readonly spelled: number;
  /** The share in which letters beyond ASCII alternate as vowels and consonants do. */
  readonly even: number;
  /** Enough letters to judge by: not the one or two of a sign in another encoding. */
  readonly isEvidence: boolean;
}

const minForeignLetters = 5;

export const fitOf = ({ script, languages }: Charset, texts: readonly string[]): Fit => {
  const all = texts.flatMap(wordsIn).map(lowerCase);
  // Signs without letters stand where signs do, which is all that can be asked of them.
  if (all.length === 0) return { spelled: 1, even: 1, isEvidence: true };
  const found = all.filter((word) => word.length > 1);
  if (found.length === 0) return { spelled: 0, even: 0, isEvidence: false };
  const share = (isGood: (word: string) => boolean): number => found.filter(isGood).length / found.length;
  const isEven = (word: string): boolean => {
    const letters = [...word];
    return !letters.some((letter, index) => letter > '\u007f' && isOdd(letters, index));
  };
  return {
    spelled: Math.max(...languages.map((one) => share((word) => spells(one, word)))),
    even: script === 'Latin' ? share(isEven) : 1,
    isEvidence: script === 'Latin' || found.join('').length >= minForeignLetters,
  };
};
