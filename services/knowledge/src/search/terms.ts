// The terms of a text: Postgres finds some by itself, and others have to be made here.

/** Scripts that put no space between words: Postgres would take a whole sentence for one word. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/** Said to bridge a pause. Whole words, and only where something else was said, too. */
const fillers = new Set(
  'um uh uhm erm hmm hm ah oh okay ok well please hello hi hey thanks äh ähm bitte hallo danke euh este bueno'.split(
    ' ',
  ),
);

/** The part of a text with words between spaces, and the pairs of neighbouring characters of the other part. */
export interface Terms {
  readonly words: string;
  readonly pairs: readonly string[];
}

const pairsOf = (run: string): string[] => {
  const characters = [...run];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, place) => `${characters[place]}${character}`);
};

export const termsOf = (text: string): Terms => {
  const plain = text.normalize('NFKC').toLowerCase();
  return {
    words: plain.replace(unspaced, ' '),
    pairs: [...plain.matchAll(unspaced)].flatMap(([run]) => pairsOf(run)),
  };
};

export interface TermsOfQuestion {
  /** Each once, without fillers. */
  readonly words: readonly string[];
  /** Two neighbouring words as one: a speaker's "elastic search" may be "elasticsearch" in the knowledge. */
  readonly compounds: readonly string[];
  /** The terms of neighbouring characters, in scripts without spaces. */
  readonly pairs: readonly string[];
}

const isPlain = (word: string): boolean => /^\p{L}{2,20}$/u.test(word);

const compoundsOf = (words: readonly string[]): string[] =>
  words.slice(1).flatMap((word, at) => {
    const before = words[at] ?? '';
    return isPlain(before) && isPlain(word) ? [`${before}${word}`] : [];
  });

export const termsOfQuestion = (question: string): TermsOfQuestion => {
  const { words, pairs } = termsOf(question);
  const all: string[] = words.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}.'’_@/-]*/gu) ?? [];
  const said = all.filter((word) => !fillers.has(word));
  const meant = said.length === 0 ? all : said;
  return {
    words: [...new Set(meant)],
    compounds: [...new Set(compoundsOf(meant))],
    pairs: [...new Set(pairs)],
  };
};
