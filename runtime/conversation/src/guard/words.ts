// Words as the guard compares them: lower case, without punctuation. In scripts without spaces each character is a word.

const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}';
const word = new RegExp(`[${unspaced}]|(?:(?![${unspaced}])[\\p{L}\\p{M}\\p{N}])+`, 'gu');

export const wordsOf = (text: string): string[] => text.normalize('NFKC').toLowerCase().match(word) ?? [];

/** The last place of a text after which no character continues a word. */
export const lastBoundary = (text: string): number => {
  const found = text.match(new RegExp(`[\\s\\S]*[\\s${unspaced}。、！？]`, 'u'));
  return found?.[0].length ?? 0;
};
