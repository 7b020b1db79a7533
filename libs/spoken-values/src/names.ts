import type { Candidate } from './candidates.js';
import { primary } from './field.js';
import { type Token, tokensOf } from './tokens.js';

const leads: Readonly<Record<string, RegExp>> = {
  en: /\b(?:(?:my|the|his|her|our|full|first|last|family) )*name(?: is|'s| of)|\b(?:put|book|write) (?:it|that|me|us) (?:down )?(?:as|for)|\b(?:i'm|i am|this is|it's|it is|call me|that's|that is|under|speaking (?:to|with))(?! not\b)/giu,
  de: /(?<!\p{L})(?:(?:mein|der) (?:name|vorname|nachname) (?:ist|lautet)|ich (?:heiße|heisse|bin)|hier (?:ist|spricht)|das ist|auf (?:den namen )?|name ist|schreiben sie|notieren sie)(?!\p{L})/giu,
};
const fillers: Readonly<Record<string, RegExp>> = {
  en: /^(?:um|uh|er|erm|hi|hello|hey|well|so|yes|yeah|sure|okay|ok|oh|and|the|of course|please|thanks|myself|me|mr|mrs|ms|miss|doctor|dr|it's|its|just)$/,
  de: /^(?:äh|ähm|hallo|ja|also|guten|tag|morgen|abend|gerne|klar|natürlich|okay|ok|und|auf|bitte|danke|herr|frau|doktor|dr|der|die)$/,
};
/** A word that no name has: what holds one is a sentence. */
const sentence: Readonly<Record<string, RegExp>> = {
  en: /^(?:i|let|me|see|us|get|put|you|we|they|he|she|do|does|did|don't|can|can't|could|would|want|need|have|has|had|was|were|are|is|not|no|why|what|when|where|how|to|for|with|about|it|that|calling|speaking|there|here|my|your|at|in|on|if|or|but|because|zero|one|two|three|four|five|six|seven|eight|nine|a|an|sorry|wait|rather|say|know|like|table|number|today|tomorrow|yours|name|that's|it's|i'm|spelled|spelt|spell)$/,
  de: /^(?:ich|sie|du|wir|er|es|habe|hat|haben|will|möchte|kann|nicht|kein|keine|nein|warum|was|wann|wo|wie|zu|für|mit|über|das|ein|eine|einen|im|in|am|wenn|oder|aber|weil|ist|sind|war|brauche|gern|entschuldigung|sagen|weiß|buchstabiert|buchstabiere|geschrieben|ihnen|ihr|mein|name)$/,
};
/** What follows "I'm" and is no name. */
const state =
  /^(?:\p{L}+ing|sorry|afraid|sure|fine|good|just|very|so|really|happy|interested|hungry|late|new|also|still|only|all|great|perfect|right|correct|okay|nice|nothing|none|everything|gerade|auch|noch|schon|sehr|alles|richtig|gut|nett|schön|prima|super)$/u;
const particles = /^(?:von|van|de|der|den|da|di|la|le|du|zu|bin|ibn|al)$/;
const alphabet: Readonly<Record<string, string>> = Object.fromEntries(
  'alpha/alfa bravo charlie delta echo foxtrot golf hotel india juliett/juliet kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey x-ray/xray yankee zulu anton berta cäsar dora emil friedrich gustav heinrich ida julius kaufmann ludwig martha nordpol otto paula richard samuel theodor ulrich viktor wilhelm xanthippe ypsilon zacharias'
    .split(' ')
    .flatMap((words) =>
      words.split('/').map((word) => [word, word[0] === 'c' && word === 'cäsar' ? 'c' : (word[0] ?? '')]),
    ),
);

const title = (word: string): string =>
  particles.test(word.toLowerCase())
    ? word.toLowerCase()
    : word === word.toLowerCase()
      ? word.replaceAll(/(?:^|[-'])\p{L}/gu, (letter) => letter.toUpperCase())
      : word;

interface Spelled {
  readonly letters: string;
  readonly start: number;
  readonly end: number;
}

const separators = /^[-–.,]$/;

/** What recognition makes of a letter that was said by its name. Read as letters only among other letters. */
const letterNames: Readonly<Record<string, string>> = Object.fromEntries(
  'b:be/bee c:see/sea/cee d:dee e:he f:eff g:gee h:aitch/age/each i:eye j:jay k:kay/okay l:el/ell/hell m:em/am n:en/and o:oh/owe p:pee/pea q:queue/cue r:are/ar s:ess t:tea/tee u:you v:vee x:ex y:why/wye z:zee/zed'
    .split(' ')
    .flatMap((entry) => {
      const [letter = '', words = ''] = entry.split(':');
      return words.split('/').map((word) => [word, letter]);
    }),
);

/** The letter that begins at the token, and the index after it: "d", "d as in delta", "d for delta", "delta", "double t". */
const letterAt = (tokens: readonly Token[], index: number): { letters: string; next: number } | undefined => {
  const [word = '', second = '', third = '', fourth = ''] = [0, 1, 2, 3].map(
    (at) => tokens[index + at]?.word ?? '',
  );
  if (word === 'double' || word === 'doppel')
    return /^\p{L}$/u.test(second) ? { letters: second.repeat(2), next: index + 2 } : undefined;
  // "B as in echo" was E: a word is harder to mishear than a letter.
  const named =
    second === 'as' && third === 'in' && Object.hasOwn(alphabet, fourth) ? alphabet[fourth] : undefined;
  if (named !== undefined) return { letters: named, next: index + 4 };
  if (!/^\p{L}$/u.test(word)) return undefined;
  const example = second === 'as' && third === 'in' ? fourth : /^(?:for|wie|like)$/.test(second) ? third : '';
  // Without its word, "H as in Chatelle" is still an H.
  if (!example.startsWith(word))
    return { letters: word, next: index + (example !== '' && second === 'as' ? 4 : 1) };
  return { letters: word, next: index + (second === 'as' ? 4 : 3) };
};

/** "P R I Y A, N A I R" are two words; in "P, R, I" the comma parts only letters. */
const commasPart = (text: string): boolean =>
  /\p{L}[ -]+\p{L}(?!\p{L})[ -]*,/u.test(text) && /,\s*\p{L}[ -]+\p{L}(?!\p{L})/u.test(text);

/** The nearest word on each side, or the two before the last, is a letter by itself. */
const isAmongLetters = (tokens: readonly Token[], index: number): boolean => {
  const isLetter = (token: Token | undefined): boolean => token !== undefined && /^\p{L}$/u.test(token.word);
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

/** Runs of three letters or more, "A D A" or "A-D-A". A word of the spelling alphabet counts within a run. */
export const spelledIn = (text: string, least = 3): readonly Spelled[] => {
  const tokens = tokensOf(text);
  const runs: Spelled[] = [];
  const isParted = commasPart(text);
  for (let index = 0; index < tokens.length; ) {
    let letters = '';
    let [next, after] = [index, index];
    for (;;) {
      const word = tokens[next]?.word ?? '';
      const letter = letterAt(tokens, next);
      const code = alphabet[word];
      if (letter !== undefined) {
        letters += letter.letters;
        after = next = letter.next;
      } else if (code !== undefined) {
        letters += code;
        after = next = next + 1;
      } else if (letterNames[word] !== undefined && isAmongLetters(tokens, next)) {
        letters += letterNames[word];
        after = next = next + 1;
      } else if (letters !== '' && separators.test(word) && !(isParted && word === ',')) next += 1;
      else break;
    }
    const [first, last] = [tokens[index], tokens[after - 1]];
    if (letters.length >= least && after - index >= least && first && last)
      runs.push({ letters, start: first.start, end: last.end });
    index = Math.max(after, index + 1);
  }
  return runs;
};

const wordsFrom = (
  text: string,
  from: number,
  language: string,
  isLed: boolean,
): Candidate<string> | undefined => {
  const tokens = tokensOf(text.slice(from));
  const skip = fillers[primary(language)] ?? fillers.en;
  const stop = sentence[primary(language)] ?? sentence.en;
  const taken: Token[] = [];
  for (const [index, token] of tokens.entries()) {
    const { word } = token;
    const isHyphen = word === '-' && taken.length > 0 && tokens[index + 1]?.start === token.end;
    if (isHyphen) continue;
    const isName =
      /^\p{L}{2,}(?:'\p{L}+)?$/u.test(word) || (word.length === 1 && /\p{L}/u.test(word) && taken.length > 0);
    if (taken.length === 0 && (skip?.test(word) || /^[,.]$/.test(word))) continue;
    if (word === '.' && (taken.at(-1)?.word.length ?? 0) === 1) continue;
    if (isLed && taken.length === 0 && state.test(word)) return undefined;
    if (!isName || stop?.test(word) || (skip?.test(word) && !particles.test(word))) {
      if (!isLed && taken.length > 0 && stop?.test(word)) return undefined;
      break;
    }
    taken.push(token);
  }
  const [first, last] = [taken[0], taken.at(-1)];
  if (!first || !last || taken.length > 5) return undefined;
  const quoted = text.slice(from + first.start, from + last.end);
  const value = quoted.split(/\s+/).map(title).join(' ');
  return value.length < 2 ? undefined : { value, start: from + first.start, end: from + last.end };
};

/** What is spelled corrects what was heard: "Smith, S M Y T H" is Smyth, and "Ada Smith, S M Y T H" is Ada Smyth. */
const withSpelling = (
  heard: Candidate<string> | undefined,
  spelled: readonly Spelled[],
): Candidate<string> | undefined => {
  const [first] = spelled;
  if (first === undefined) return heard;
  const names = spelled.map(({ letters }) => title(letters));
  const end = spelled.at(-1)?.end ?? first.end;
  if (heard === undefined || heard.start >= first.start)
    return { value: names.join(' '), start: first.start, end };
  const words = heard.value.split(' ');
  for (const name of names) {
    const at = words.findLastIndex((word) => word[0]?.toLowerCase() === name[0]?.toLowerCase());
    if (at >= 0) words[at] = name;
    else if (names.length === 1) words.splice(0, words.length, name);
  }
  return { value: words.join(' '), start: heard.start, end };
};

/** What people say while they think. */
const preface =
  /^\W*(?:(?:um|uh|er|well|okay|ok|so|yes|yeah|ja|also|äh|ähm)\W+)*(?:let me (?:see|think|check)|let's see|one (?:moment|second)|just a (?:moment|second)|mal sehen|einen? (?:moment|augenblick))\W+/iu;

/** Recognition repeats a short sentence now and then. */
const saidTwice = /^(\W*(\p{L}+(?: \p{L}+){1,3}))[.,]?\s+\2\W*$/iu;

/** "Bond. James Bond." */
const lastThenWhole = /^\W*(?<last>\p{L}+)[.,]\s+(?<whole>\p{L}+(?: \p{L}+)* \k<last>)(?!\p{L})/iu;

export const namesIn = (text: string, language: string): readonly Candidate<string>[] => {
  const twice = saidTwice.exec(text);
  if (twice !== null) return namesIn(text.slice(0, twice[1]?.length), language);
  const whole = lastThenWhole.exec(text)?.groups?.whole;
  if (whole !== undefined) {
    const start = text.lastIndexOf(whole);
    return [wordsFrom(text, start, language, false) ?? []].flat();
  }
  const spelled = spelledIn(text);
  const until = spelled[0]?.start ?? text.length;
  const heardText = text.slice(0, until);
  const led = Array.from(heardText.matchAll(leads[primary(language)] ?? (leads.en as RegExp))).flatMap(
    (match) => wordsFrom(heardText, match.index + match[0].length, language, true) ?? [],
  );
  const speaking =
    /^\W*(?:(?:yes|hello|hi|good (?:morning|afternoon|evening)|hallo|ja|guten (?:morgen|tag|abend))\W+)?(?<name>\p{L}+(?:[ -]\p{L}+){0,3}) (?:speaking|here|am apparat|mein name)\b/iu.exec(
      heardText,
    );
  const spoken = speaking?.groups?.name;
  const named =
    spoken === undefined
      ? []
      : [wordsFrom(heardText, heardText.indexOf(spoken), language, true) ?? []].flat();
  const from = preface.exec(heardText)?.[0].length ?? 0;
  const alone = (): Candidate<string>[] => [wordsFrom(heardText, from, language, false) ?? []].flat();
  const heard = led.length > 0 ? led : named.length > 0 ? named : alone();
  if (spelled.length === 0) return heard;
  const corrected = withSpelling(heard.at(-1), spelled);
  return corrected === undefined ? [] : [...heard.slice(0, -1), corrected];
};
