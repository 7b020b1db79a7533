// The words by which a field or a criterion is recognized in a sentence.

const stopWords = new Set(
  (
    'the a an of to for in on at by is are was were be been will would should could can do does did has have had and or not with as if it its that this ' +
    'they their them he she his her you your i me my we our what which who when where how many much whether caller customer user person patient guest ' +
    'client agent assistant call please value field full as yyyy mm dd e.g other any all there from about want wants wanted needs need get got ' +
    'der die das ein eine einen einem einer des dem den und oder nicht mit im in am um ist sind war wird werden hat haben ob der die was welche welcher ' +
    'welches wer wann wo wie viele viel für von zu zum zur auf an bei kunde kunden anrufer anrufers person kundin er sie es ihr ihre ihren sein seine bitte gewünscht gewünschte gewünschter'
  ).split(' '),
);

/** Endings that do not change what a word is about. */
export const stemOf = (word: string): string => {
  const plain = word.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue').replaceAll('ß', 'ss');
  const stem = plain
    .replace(/(?:ies)$/, 'y')
    .replace(/(?:ations?|ances?|ly|ments?|ings?|ungen|ung|ern|en|er|es|ed|s|e|n|t)$/, '');
  return stem.length >= 3 ? stem : plain;
};

export const contentWords = (text: string): readonly string[] =>
  (
    text
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}']{3,}/gu) ?? []
  ).filter((word) => !stopWords.has(word));

export const stemsOf = (text: string): ReadonlySet<string> =>
  new Set(contentWords(text.replaceAll('_', ' ')).map(stemOf));

export const shared = (a: ReadonlySet<string>, b: ReadonlySet<string>): number => {
  let count = 0;
  for (const word of a) if (b.has(word)) count += 1;
  return count;
};
