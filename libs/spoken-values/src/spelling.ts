// Letters that are said one by one: by their names, with a word of a spelling alphabet, or doubled.
import { distance } from './distance.js';
import { type Token, tokensOf } from './tokens.js';

export interface Spelled {
  readonly letters: string;
  readonly start: number;
  readonly end: number;
}

/** Letters that begin at a token, and the index of the token after them. */
export interface Letters {
  readonly letters: string;
  readonly next: number;
}

const byFirstLetter = (words: string): Readonly<Record<string, string>> =>
  Object.fromEntries(words.split(/[ /]/).map((word) => [word, word.charAt(0)]));

/** The alphabet of radio. */
const radio = byFirstLetter(
  'alpha/alfa bravo charlie delta echo foxtrot golf hotel india juliett/juliet/juliette kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey/whisky x-ray/xray yankee zulu',
);

/** That of DIN 5009 until 2022. */
const german = byFirstLetter(
  'anton berta/bertha cäsar dora emil friedrich gustav heinrich ida julius kaufmann ludwig martha nordpol otto paula quelle richard samuel/siegfried theodor ulrich viktor wilhelm xanthippe ypsilon zacharias/zeppelin ärger ökonom übermut',
);

/** The cities of DIN 5009 since 2022. Without "wie" before them they are cities. */
const cities = byFirstLetter(
  'aachen berlin chemnitz düsseldorf essen frankfurt goslar hamburg ingelheim jena köln leipzig münchen nürnberg offenbach potsdam quickborn rostock salzwedel tübingen unna völklingen wuppertal xanten zwickau',
);

const alphabet = { ...radio, ...german };
const examples: Readonly<Record<string, string>> = { ...alphabet, ...cities };
const germanExamples: Readonly<Record<string, string>> = { ...german, ...cities };

/** What recognition makes of a letter that was said by its name. Read as letters only among other letters. */
const letterNames: Readonly<Record<string, string>> = Object.fromEntries(
  'a:ah b:be/bee c:see/sea/cee/ce/zeh d:dee/de/deh e:he/eh f:eff/ef g:gee/ge/geh h:aitch/age/each/ha i:eye/ih j:jay/jot k:kay/okay/ka l:el/ell/hell m:em/am n:en/and o:oh/owe p:pee/pea/pe q:queue/cue/ku r:are/ar/er s:ess/es t:tea/tee/te u:you/uh v:vee/vau w:we x:ex/ix y:why/wye z:zee/zed/zett/zet ß:eszett'
    .split(' ')
    .flatMap((entry) => {
      const [letter = '', words = ''] = entry.split(':');
      return words.split('/').map((word) => [word, letter]);
    }),
);

const separators = /^[-–.,]$/;
const isLetter = (token: Token | undefined): boolean => token !== undefined && /^\p{L}$/u.test(token.word);

/** A word of an alphabet, also one that was recognized with a wrong letter: "brabo". @param isGerman "wie" stands before it */
const exampleLetter = (word: string, isGerman: boolean): string | undefined => {
  if (Object.hasOwn(examples, word)) return examples[word];
  if (word.length < 4) return undefined;
  const most = word.length < 5 ? 1 : 2;
  // "C wie Lisa" is like "Lima" by chance.
  const likely = isGerman ? germanExamples : radio;
  const near = Object.keys(likely).filter((known) => distance(known, word) <= most);
  const letters = new Set(near.map((known) => likely[known]));
  return letters.size === 1 ? [...letters][0] : undefined;
};

/** "S as in c-a-r": an example that was recognized as letters is no more letters of the name. */
const afterHyphens = (tokens: readonly Token[], from: number): number => {
  let next = from;
  for (;;) {
    const [last, hyphen, letter] = [tokens[next - 1], tokens[next], tokens[next + 1]];
    const isJoined = hyphen?.word === '-' && hyphen.start === last?.end && letter?.start === hyphen.end;
    if (!isJoined || !isLetter(letter)) return next;
    next += 2;
  }
};

/** The word that explains a letter, and the index after it: "as in bravo", "for bravo", "wie Berta". */
const exampleAfter = (
  tokens: readonly Token[],
  index: number,
):
  | {
      readonly word: string;
      readonly next: number;
      readonly isCertain: boolean;
      readonly isGerman: boolean;
    }
  | undefined => {
  const [first = '', second = '', third = ''] = [0, 1, 2].map((at) => tokens[index + at]?.word ?? '');
  // "As" is heard in many ways, and the word after it is a word of an alphabet all the same: "A man in alpha".
  const isIn = first === 'as' ? /^(?:in|an|and)$/.test(second) : second === 'in' && first.length < 5;
  if (isIn && third !== '' && (first === 'as' || exampleLetter(third, false) !== undefined))
    return { word: third, next: afterHyphens(tokens, index + 3), isCertain: true, isGerman: false };
  const isGerman = first === 'wie';
  return /^(?:for|like|wie)$/.test(first) && second !== ''
    ? { word: second, next: index + 2, isCertain: isGerman, isGerman }
    : undefined;
};

/** "double t", "Doppel-t", "scharfes s". */
const doubledAt = (tokens: readonly Token[], index: number): Letters | undefined => {
  const word = tokens[index]?.word ?? '';
  if (word === 'scharfes' && tokens[index + 1]?.word === 's') return { letters: 'ß', next: index + 2 };
  if (word !== 'double' && word !== 'doppel') return undefined;
  const at = tokens[index + 1]?.word === '-' ? index + 2 : index + 1;
  const letter = tokens[at]?.word ?? '';
  // The name of a W.
  if (word === 'double' && (letter === 'u' || letter === 'you')) return { letters: 'w', next: at + 1 };
  const doubled = /^\p{L}$/u.test(letter) ? letter : letterNames[letter];
  if (doubled === undefined) return undefined;
  const example = exampleAfter(tokens, at + 1);
  return { letters: doubled.repeat(2), next: example?.word.startsWith(doubled) ? example.next : at + 1 };
};

/** A German C is called "tse" and heard as S or Z. It stands before H or K: "Koch", "Becker". */
const isBeforeHOrK = (tokens: readonly Token[], from: number): boolean => {
  const next = tokens.findIndex(({ word }, index) => index >= from && !separators.test(word));
  return next >= 0 && /^[hk]$/.test(lettersAt(tokens, next)?.letters ?? '');
};

/** The letters that begin at a token, whatever stands around it: "d", "d as in delta", "d for delta", "double t". */
export const lettersAt = (tokens: readonly Token[], index: number): Letters | undefined => {
  const word = tokens[index]?.word ?? '';
  const doubled = doubledAt(tokens, index);
  if (doubled !== undefined) return doubled;
  const isAfterComma = tokens[index + 1]?.word === ',' && tokens[index + 2]?.word === 'as';
  const after = exampleAfter(tokens, isAfterComma ? index + 2 : index + 1);
  // "M as in mike, as in alpha": behind a comma may be the example of a letter that was not recognized.
  const example = isAfterComma && after?.word.startsWith(word) !== true ? undefined : after;
  const lost = word === 'as' ? exampleAfter(tokens, index) : undefined;
  const lostLetter = lost && exampleLetter(lost.word, false);
  if (lost !== undefined && lostLetter !== undefined) return { letters: lostLetter, next: lost.next };
  const isOne = isLetter(tokens[index]);
  if (example?.isCertain === true && (isOne || word.length < 6)) {
    // "B as in echo" was E: a word is harder to mishear than a letter.
    const letter =
      isOne && example.word.startsWith(word) ? word : exampleLetter(example.word, example.isGerman);
    if (letter !== undefined) return { letters: letter, next: example.next };
    if (example.isGerman && /^[sz]$/.test(word) && isBeforeHOrK(tokens, example.next))
      return { letters: 'c', next: example.next };
  }
  if (!isOne) return undefined;
  // Without its word, "H as in Chatelle" is still an H.
  const isExplained = example !== undefined && (example.isCertain || example.word.startsWith(word));
  return { letters: word, next: isExplained ? example.next : index + 1 };
};

/** The nearest word on each side, or the two before the last, is a letter by itself. */
const isAmongLetters = (tokens: readonly Token[], index: number): boolean => {
  const isWord = ({ word }: Token): boolean => !separators.test(word);
  const before = tokens
    .slice(Math.max(0, index - 4), index)
    .filter(isWord)
    .slice(-2);
  const after = tokens.slice(index + 1, index + 3).find(isWord);
  return (
    isLetter(before.at(-1)) &&
    (isLetter(after) || (after === undefined && before.every(isLetter) && before.length > 1))
  );
};

/** A letter that was recognized as another word: read as one only where letters stand on both sides. */
export const letterNameAt = (tokens: readonly Token[], index: number): Letters | undefined => {
  const letters = letterNames[tokens[index]?.word ?? ''];
  return letters !== undefined && isAmongLetters(tokens, index) ? { letters, next: index + 1 } : undefined;
};

/** "Victor, V I C": the word is the name that is spelled, and no letter of it. */
const isSpelledNext = (tokens: readonly Token[], index: number): boolean => {
  const word = tokens[index]?.word ?? '';
  let spelled = '';
  for (let next = index + 1; next < tokens.length && spelled.length < word.length; ) {
    const letter = lettersAt(tokens, next);
    if (letter !== undefined) {
      spelled += letter.letters;
      next = letter.next;
    } else if (separators.test(tokens[next]?.word ?? '')) next += 1;
    else break;
  }
  return spelled.length > 1 && word.startsWith(spelled.slice(0, 2));
};

/** A word of an alphabet that stands for its letter. */
export const codeWordAt = (tokens: readonly Token[], index: number): Letters | undefined => {
  const letters = alphabet[tokens[index]?.word ?? ''];
  return letters !== undefined && !isSpelledNext(tokens, index) ? { letters, next: index + 1 } : undefined;
};

/** The same where a letter or such a word stands beside it: the Victor of "victor at example dot com" is a name. */
export const codeWordAmong = (tokens: readonly Token[], index: number): Letters | undefined => {
  const isOne = (token: Token | undefined): boolean =>
    token !== undefined && (isLetter(token) || Object.hasOwn(alphabet, token.word));
  const isWord = ({ word }: Token): boolean => !separators.test(word);
  const before = tokens.slice(Math.max(0, index - 2), index).findLast(isWord);
  const after = tokens.slice(index + 1, index + 3).find(isWord);
  return isOne(before) || isOne(after) ? codeWordAt(tokens, index) : undefined;
};

/** "P R I Y A, N A I R" are two words; in "P, R, I" the comma parts only letters. */
const commasPart = (text: string): boolean =>
  /\p{L}[ -]+\p{L}(?!\p{L})[ -]*,/u.test(text) && /,\s*\p{L}[ -]+\p{L}(?!\p{L})/u.test(text);

/** In "A, D, A. K, I, N, G" the full stop stands between two names; in "A. D. A." it parts only letters. */
const stopsPart = (text: string): boolean => {
  const letters = text.match(/(?<!\p{L})\p{L}(?!\p{L})/gu)?.length ?? 0;
  const stops = text.match(/\.(?=\s+\p{L})/gu)?.length ?? 0;
  const commas = text.match(/,/gu)?.length ?? 0;
  return stops > 0 && stops < 4 && letters > 3 && commas > 2 * stops;
};

/** A name of two letters, where others are spelled with it. */
const leastBesideStop = 2;

/** Runs of three letters or more, "A D A" or "A-D-A". A word of the spelling alphabet counts within a run. */
export const spelledIn = (text: string, least = 3): readonly Spelled[] => {
  const tokens = tokensOf(text);
  const runs: Spelled[] = [];
  const isParted = commasPart(text);
  const isStopped = stopsPart(text);
  for (let index = 0; index < tokens.length; ) {
    let letters = '';
    let [next, after] = [index, index];
    let isBesideStop = isStopped && tokens[index - 1]?.word === '.' && runs.length > 0;
    for (;;) {
      const word = tokens[next]?.word ?? '';
      const letter = lettersAt(tokens, next) ?? codeWordAt(tokens, next) ?? letterNameAt(tokens, next);
      if (letter !== undefined) {
        letters += letter.letters;
        after = next = letter.next;
      } else if (isStopped && word === '.' && letters.length >= leastBesideStop) {
        isBesideStop ||= lettersAt(tokens, next + 1) !== undefined;
        break;
      } else if (letters !== '' && separators.test(word) && !(isParted && word === ',')) next += 1;
      else break;
    }
    const [first, last] = [tokens[index], tokens[after - 1]];
    const enough = isBesideStop ? leastBesideStop : least;
    if (letters.length >= enough && after - index >= enough && first && last)
      runs.push({ letters, start: first.start, end: last.end });
    index = Math.max(after, index + 1);
  }
  return runs;
};
