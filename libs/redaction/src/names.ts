// Names of people: where somebody is introduced or addressed, and those that the call knows already.
import { spelledIn } from '@parlance/spoken-values';
import type { Finding, SearchContext } from './finding.js';

/** After these words comes a name, in any spelling. */
const introductions =
  /(?<!\p{L})(?:(?:my|the|his|her|first|last|full|family) name(?: is|'s)|name's|i'm called|i am called|they call me|mein name ist|ich heiße|ich heisse|der name (?:ist|lautet)|(?:vor|nach)name(?: ist|:))[\s,:]+/giu;
/** After these a name is written with capitals, and other words are not. */
const weakIntroductions =
  /(?<!\p{L})(?:this is|i'm|i am|speaking with|speaking to|hier ist|hier spricht|ich bin|on behalf of|im namen von)[\s,]+/giu;
const titles = /(?<!\p{L})(?:mrs?|ms|miss|dr|doctor|prof|professor|frau|herrn?|dame|sir)\.?\s+/giu;

const nameWord = /^\p{L}[\p{L}'’-]*/u;
const particles = /^(?:von|van|de|der|den|da|di|la|le|du|zu|bin|ibn|al)$/i;
const notNames =
  /^(?:a|an|the|and|or|but|so|i|you|we|it|is|was|not|here|there|calling|speaking|just|very|really|also|from|at|in|on|with|to|for|about|your|my|our|his|her|that|this|what|who|how|please|thanks|sorry|yes|no|okay|spelled|spelt|one|und|oder|aber|ich|sie|wir|es|ist|war|nicht|hier|aus|von der|vom|mit|zu|für|über|ihr|mein|das|der|die|ein|eine|bitte|danke|ja|nein|geschrieben|buchstabiert)$/iu;
const isCapital = (word: string): boolean => /^\p{Lu}/u.test(word);

const longestName = 4;

/** The name that begins here: up to four words. */
const nameFrom = (text: string, from: number, mustBeCapital: boolean, least: number): Finding | undefined => {
  let [at, end, words] = [from, from, 0];
  while (words < longestName) {
    const word = nameWord.exec(text.slice(at))?.[0];
    if (word === undefined) break;
    const isParticle = words > 0 && particles.test(word);
    if (!isParticle && (notNames.test(word) || (mustBeCapital && !isCapital(word)))) break;
    words += 1;
    end = at + word.length;
    at = end + (/^[\s.]+(?=\p{L})/u.exec(text.slice(end))?.[0].length ?? 0);
    if (at === end) break;
    // "Ada. I would like" is a name and another sentence; "J. Smith" is one name.
    if (text[end] === '.' && word.length > 1) break;
  }
  return words < least ? undefined : { kind: 'name', start: from, end };
};

const after = (text: string, lead: RegExp, mustBeCapital: boolean, least = 1): Finding[] =>
  Array.from(text.matchAll(lead)).flatMap(
    ({ index, 0: words }) => nameFrom(text, index + words.length, mustBeCapital, least) ?? [],
  );

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** Each known name, and each of its words of three letters or more. */
const known = (text: string, names: readonly string[]): Finding[] =>
  names
    .flatMap((name) => [name, ...name.split(/\s+/).filter((word) => word.length >= 3)])
    .filter((name) => /\p{L}{2}/u.test(name))
    .flatMap((name) =>
      Array.from(
        text.matchAll(new RegExp(`(?<!\\p{L})${escaped(name)}(?!\\p{L})`, 'giu')),
        ({ index, 0: { length } }): Finding => ({ kind: 'name', start: index, end: index + length }),
      ),
    );

const beforeAnswer =
  /^(?:(?:yes|yeah|sure|okay|ok|well|um|uh|hi|hello|it's|it is|that's|that is|that would be|this is|i'm|i am|ja|gern|gerne|also|äh|ähm|das ist|hier ist|ich bin|ich heiße)(?!\p{L})[\s,.:!]*)+/iu;
const notAnswers =
  /^(?:why|what|who|how|do|does|can|could|will|would|nobody|none|never|hold|wait|one|warum|wieso|wer|was|wie|kann|moment|kein)$/iu;

/** A name as the whole of an answer, or its beginning up to a mark. */
export const nameThatAnswers = (text: string): readonly Finding[] => {
  const from = beforeAnswer.exec(text)?.[0].length ?? 0;
  const first = nameWord.exec(text.slice(from))?.[0];
  if (first === undefined || notAnswers.test(first)) return [];
  const found = nameFrom(text, from, false, 1);
  if (found === undefined || !/^\s*(?:$|[.,;!?]|and\s|und\s)/iu.test(text.slice(found.end))) return [];
  const spelled = spelledIn(text.slice(found.end));
  return [
    found,
    ...spelled.map(
      ({ start, end }): Finding => ({ kind: 'name', start: start + found.end, end: end + found.end }),
    ),
  ];
};

/** Names that were said before, as they were written then: "Rose" is not "rose". */
export const mentionsOf = (text: string, names: readonly string[]): readonly Finding[] =>
  names.flatMap((name) =>
    Array.from(
      text.matchAll(new RegExp(`(?<!\\p{L})${escaped(name)}(?!\\p{L})`, 'gu')),
      ({ index, 0: { length } }): Finding => ({ kind: 'name', start: index, end: index + length }),
    ),
  );

/** The words of a name that are looked for from then on. */
export const wordsOfName = (name: string): readonly string[] =>
  name
    .split(/\s+/)
    .filter(
      (word) => word.length >= 3 && isCapital(word) && !particles.test(word) && !/^\p{Lu}+$/u.test(word),
    );

/** The names among the variables of a call, such as the callee's from a campaign. */
export const namesInVariables = (variables: Readonly<Record<string, string>>): string[] =>
  Object.entries(variables).flatMap(([key, value]) => (/name/i.test(key) ? [value] : []));

/** @param names of people of the call, such as the callee's from a campaign */
export const namesIn = (
  text: string,
  { language }: SearchContext,
  names: readonly string[] = [],
): readonly Finding[] => {
  // German writes every noun with a capital, so one word is not enough there.
  const least = language.toLowerCase().startsWith('de') ? 2 : 1;
  const introduced = [...after(text, introductions, false), ...after(text, titles, true)];
  const found = [
    ...introduced,
    ...after(text, weakIntroductions, true, least),
    ...mentionsOf(
      text,
      introduced.flatMap(({ start, end }) => wordsOfName(text.slice(start, end))),
    ),
    ...known(text, names),
  ];
  const spelled = spelledIn(text).map(({ start, end }): Finding => ({ kind: 'name', start, end }));
  const isAboutName = found.length > 0 || /(?<!\p{L})(?:sur|vor|nach)?names?(?!\p{L})/iu.test(text);
  return isAboutName ? [...found, ...spelled] : found;
};
