import type { Candidate } from './candidates.js';
import { primary } from './field.js';
import { type Spelled, spelledIn } from './spelling.js';
import { type Token, tokensOf } from './tokens.js';

const leads: Readonly<Record<string, RegExp>> = {
  en: /\b(?:(?:my|the|his|her|our|full|first|last|family) )*name(?: is|'s| of)|\b(?:put|book|write) (?:it|that|me|us) (?:down )?(?:as|for)|\b(?:i'm|i am|this is|it's|it is|call me|that's|that is|under|speaking (?:to|with))(?! not\b)/giu,
  de: /(?<!\p{L})(?:(?:mein|der) (?:name|vorname|nachname) (?:ist|lautet)|ich (?:heiße|heisse|bin)|hier (?:ist|spricht)|das ist|auf (?:den namen )?|name ist|schreiben sie|notieren sie)(?!\p{L})/giu,
};
const fillers: Readonly<Record<string, RegExp>> = {
  en: /^(?:um|uh|er|erm|hi|hello|hey|well|so|yes|yeah|sure|okay|ok|oh|and|the|of course|please|thanks|myself|me|mr|mrs|ms|miss|doctor|dr|is|it's|its|just)$/,
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
const title = (word: string): string =>
  particles.test(word.toLowerCase())
    ? word.toLowerCase()
    : word === word.toLowerCase()
      ? word.replaceAll(/(?:^|[-'])\p{L}/gu, (letter) => letter.toUpperCase())
      : word;

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
    // "Henry, H E N R Y. Carter, C A R T E R": only the first was said before its letters.
    else words.push(name);
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
