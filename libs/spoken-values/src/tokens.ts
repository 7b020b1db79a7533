/** A word or a mark of a text, with its place there. */
export interface Token {
  /** In lower case. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

const pattern = /\p{L}+(?:['’]\p{L}+)*|\p{N}+|[+@._\-–/#&,;:?!]/gu;

export const tokensOf = (text: string): readonly Token[] =>
  Array.from(text.matchAll(pattern), (match) => ({
    word: match[0].toLowerCase().replaceAll('’', "'"),
    start: match.index,
    end: match.index + match[0].length,
  }));

export const isDigits = (word: string): boolean => /^\d+$/.test(word);
