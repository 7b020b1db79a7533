// How similar two words are: by their letters, which finds other forms of a word and misspelt ones, and by their sound,
// which finds what speech recognition wrote down for a word that it does not know.

/** Letters that are written differently within a word, or by a speaker of another language. */
const sameLetters: Readonly<Record<string, string>> = {
  ...{ ł: 'l', ı: 'i', ß: 's', ø: 'o', æ: 'a', œ: 'o', đ: 'd', ð: 'd', ς: 'σ' },
  ...{ ph: 'f', ck: 'k', q: 'k', c: 'k', x: 'ks', w: 'v', z: 's', y: 'i' },
  ...{ ך: 'כ', ם: 'מ', ן: 'נ', ף: 'פ', ץ: 'צ', ة: 'ه', ى: 'ي' },
};
const foldedLetters = new RegExp(Object.keys(sameLetters).join('|'), 'g');
// Vowel signs of Indic scripts are letters like any other; the marks of these scripts are not.
const marks =
  /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}])\p{M}+/gu;
const isAscii = (text: string): boolean => /^[a-z]*$/.test(text);

const withoutMarks = (word: string): string =>
  isAscii(word) ? word : word.normalize('NFKD').toLowerCase().replace(marks, '').normalize('NFC');

/** The letters of a word without accents, doubled letters and other differences that are seldom heard. */
export const spellingOf = (word: string): string =>
  withoutMarks(word)
    .replace(foldedLetters, (letters) => sameLetters[letters] ?? letters)
    .replace(/['’-]/g, '')
    .replace(/(.)\1+/gu, '$1');

/** The letters that are one sound, in the spelling of any of several languages. Longer ones come first. */
const sounds: readonly (readonly [sound: string, letters: readonly string[]])[] = [
  ['s', ['tsch', 'sch', 'tch', 'sh', 'sz', 'cz', 'che', 'chi', 'z']],
  ['t', ['th', 'dt']],
  ['f', ['ph']],
  ['k', ['ch', 'ck', 'q', 'c']],
  ['ks', ['x']],
  ['r', ['rz']],
  ['v', ['w']],
  ['l', ['ł']],
  ['ss', ['ß']],
  ['', ['h']],
];
const vowels = '[aeiouyjøæœı]+';
const soundOfLetters = new Map(
  sounds.flatMap(([sound, all]) =>
    all.map((letters) => [letters, /[ei]$/.test(letters) ? `${sound}a` : sound] as const),
  ),
);
const soundingLetters = new RegExp(
  [...soundOfLetters.keys()]
    .sort((a, b) => b.length - a.length)
    .concat(vowels)
    .join('|'),
  'g',
);

/** Consonants that sound alike become one, and so does every vowel: "Wiśniewska" and "vishnevska" sound the same. */
export const soundOf = (word: string): string =>
  withoutMarks(word)
    .replace(soundingLetters, (letters) => soundOfLetters.get(letters) ?? 'a')
    .replace(/[^a-z]/g, '')
    .replace(/(.)\1+/g, '$1');

const syllables = /\p{Script=Hangul}/u;
const consonants = /[\p{Script=Hebrew}\p{Script=Arabic}]/u;
const runs = new RegExp(
  `(${syllables.source}+|${consonants.source}+)|((?!${syllables.source}|${consonants.source}).)+`,
  'gu',
);
const mostGrams = 64;

const addGrams = (grams: Set<number>, run: string, size: 2 | 3): void => {
  const padded = `${' '.repeat(size - 1)}${run} `;
  for (let at = 0; at + size <= padded.length && grams.size < mostGrams; at += 1) {
    let number = 0;
    for (let letter = at; letter < at + size; letter += 1)
      number = (Math.imul(number, 1_021) + padded.charCodeAt(letter)) >>> 0;
    grams.add(number);
  }
};

/**
 * The n-grams of a word, as numbers. Two with one number are rare, and make words a little too similar. A sign of Hangul or of a
 * script without vowels says more than a letter, so that two of them make a gram. Scripts within a word are kept apart.
 */
export const gramsOf = (spelling: string): number[] => {
  const grams = new Set<number>();
  if (!syllables.test(spelling) && !consonants.test(spelling)) addGrams(grams, spelling, 3);
  else for (const [run, isOfPairs] of spelling.matchAll(runs)) addGrams(grams, run, isOfPairs ? 2 : 3);
  return [...grams];
};

const words = /^\p{L}[\p{L}\p{M}'’-]{0,39}$/u;
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Codes, numbers and very short words are similar to too much. Scripts without spaces have no words here. */
export const isComparable = (term: string): boolean => {
  if (!words.test(term) || unspaced.test(term)) return false;
  if (syllables.test(term)) return true;
  return term.length >= (consonants.test(term) ? 2 : 3);
};
