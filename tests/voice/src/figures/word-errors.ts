// Word error rate: substitutions, deletions and insertions of the best alignment, by the words that were said.

export interface WordErrors {
  readonly errors: number;
  /** Words of the reference. */
  readonly words: number;
}

/** Spellings of the same word that recognition may choose either of. */
const same: Readonly<Record<string, string>> = {
  ok: 'okay',
  mr: 'mister',
  dr: 'doctor',
  st: 'street',
  ...{ zero: '0', one: '1', two: '2', three: '3', four: '4', five: '5', six: '6', seven: '7', eight: '8' },
  ...{ nine: '9', ten: '10', eleven: '11', twelve: '12' },
};

/** Lower case, without punctuation, small numbers as figures. */
export const comparedWords = (text: string): readonly string[] =>
  (
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}']+/gu) ?? []
  )
    .map((word) => word.replaceAll(/^'+|'+$/g, ''))
    .filter((word) => word !== '')
    .map((word) => same[word] ?? word);

/** Levenshtein distance of two lists of words. */
const distance = (said: readonly string[], heard: readonly string[]): number => {
  let previous = Array.from({ length: heard.length + 1 }, (_, index) => index);
  for (const [row, word] of said.entries()) {
    const current = [row + 1];
    for (const [column, other] of heard.entries()) {
      const substituted = (previous[column] ?? 0) + (word === other ? 0 : 1);
      current.push(Math.min(substituted, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[heard.length] ?? 0;
};

export const wordErrors = (said: string, heard: string): WordErrors => {
  const words = comparedWords(said);
  return { errors: distance(words, comparedWords(heard)), words: words.length };
};

/** Null without words. */
export const wordErrorRate = (all: readonly WordErrors[]): number | null => {
  const words = all.reduce((sum, one) => sum + one.words, 0);
  return words === 0 ? null : all.reduce((sum, one) => sum + one.errors, 0) / words;
};
