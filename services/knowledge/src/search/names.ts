// Names as they sound. Speech recognition writes an unknown name as it hears it, in the spelling of its own language.

const folds: readonly (readonly [RegExp, string])[] = [
  [/sch|sh|sz|cz|tch|ch(?=[ei])|tsch/g, 's'],
  [/th|dt/g, 't'],
  [/ph/g, 'f'],
  [/ch|ck|q|c/g, 'k'],
  [/x/g, 'ks'],
  [/rz/g, 'r'],
  [/w/g, 'v'],
  [/z/g, 's'],
  [/[aeiouyj]+/g, 'a'],
  [/h/g, ''],
  [/(.)\1+/g, '$1'],
];

/** Letters that sound alike become one, and so does every vowel: "Wiśniewska" and "vishnevska" sound the same. */
export const soundOf = (name: string): string => {
  const latin = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ł', 'l')
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'a')
    .replace(/[^\p{L}]/gu, '');
  return folds.reduce((sound, [pattern, letter]) => sound.replace(pattern, letter), latin);
};

const capitalised = /\p{Lu}[\p{L}\p{M}’'-]{2,39}/gu;
const mostNames = 64;

const afterSentenceEnd = (text: string, at: number): boolean => {
  const before = text.slice(Math.max(0, at - 4), at).trimEnd();
  return before === '' || /[.!?:;#*>|-]$/.test(before);
};

/** Sounds of the capitalised words of a text that do not merely begin a sentence, and of all words of its headings. */
export const namesOf = (headings: readonly string[], text: string): string[] => {
  const inHeadings = headings.join(' ').match(/[\p{L}][\p{L}\p{M}’'-]{2,39}/gu) ?? [];
  const inText = [...text.matchAll(capitalised)]
    .filter((match) => !afterSentenceEnd(text, match.index))
    .map(([name]) => name);
  const sounds = [...inHeadings, ...inText].map(soundOf).filter(({ length }) => length >= 3);
  return [...new Set(sounds)].slice(0, mostNames);
};

/** Three neighbouring letters each, with two spaces before the word and one behind it. */
export const trigramsOf = (sound: string): string[] => {
  const padded = `  ${sound} `;
  return [...new Set(Array.from({ length: padded.length - 2 }, (_, at) => padded.slice(at, at + 3)))];
};
