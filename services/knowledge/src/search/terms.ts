// Which terms of a text Postgres finds by itself, and which have to be made here.

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

/** The words of a question, each once and without fillers, and the pairs of its other part. */
export const termsOfQuestion = (question: string): { words: string[]; pairs: string[] } => {
  const { words, pairs } = termsOf(question);
  const all = [...new Set(words.match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}.'’_@/-]*/gu) ?? [])];
  const said = all.filter((word) => !fillers.has(word));
  return { words: said.length === 0 ? all : said, pairs: [...new Set(pairs)] };
};
