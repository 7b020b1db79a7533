import type { Candidate } from './candidates.js';
import { primary } from './field.js';
import { normalized } from './normalized.js';

const lead: Readonly<Record<string, RegExp>> = {
  en: /^(?:\W*(?:yes|yeah|sure|okay|um|uh|so|well|is|it's|it is|its|that's|that is|that would be|i live (?:at|in|on)|we live (?:at|in|on)|we're at|i'm at|(?:my|the|our) (?:\p{L}+ )?address(?: is|'s)?|address is|please (?:send|deliver|ship) (?:it|them) to|(?:send|deliver|ship) (?:it|them) to|to|at)(?!\p{L}))+/iu,
  de: /^(?:\W*(?:ja|gerne|klar|okay|äh|ähm|also|das ist|ich wohne(?: in der| im| in| am)?|wir wohnen(?: in der| im| in| am)?|(?:meine|die|unsere) (?:\p{L}+)?(?:adresse|anschrift)(?: ist| lautet)?|in der|im|am|bitte|an die|in die)(?!\p{L}))+/iu,
};
const streetWords =
  /\b(?:(?:street|road|avenue|lane|drive|court|place|square|terrace|hill)s?|st|rd|ave|boulevard|blvd|way|close|crescent|broadway|row)\b|(?:straße|strasse|str\.|weg|platz|allee|gasse|ring|damm|ufer|markt)(?!\p{L})/iu;
/** Recognition repeats a short sentence now and then, and may stop within it. */
const saidTwice = /^(?<once>.{5,}?)(?:[.,]?\s+\k<once>)+(?:[.,]?\s+(?<rest>.+))?$/iu;
const repeatedIn = (text: string): string | undefined => {
  const { once, rest = '' } = saidTwice.exec(text)?.groups ?? {};
  return once?.toLowerCase().startsWith(rest.toLowerCase()) === true ? once : undefined;
};
/** Recognition hears a plural in the breath behind the last word: "99 Maple Drives". */
const pluralAtEnd =
  /(?<=\d[a-z]?\s.*\b(?:street|road|avenue|lane|drive|court|place|square|terrace|hill))s(?=[.,!?]?$)/iu;
/** The house number stands before the name in English and after it in German. */
const numbered = /(?:\d+[a-z]?\s+\p{L}{2,})|(?:\p{L}{3,}\.?\s+\d+)/iu;

/** The address in the person's own words, with numbers as figures. Only what has a street and a number is one. */
export const addressesIn = (said: string, language: string): readonly Candidate<string>[] => {
  const { text, original } = normalized(said, language);
  if (!streetWords.test(text) || !numbered.test(text)) return [];
  const led = lead[primary(language)]?.exec(text)?.[0].length ?? 0;
  // "One pizza to 7 Willow Court"
  const within = led > 0 ? undefined : /\b(?:to|at)\s+(?=\d+[a-z]?\s+\p{L})/iu.exec(text);
  const from = within === undefined || within === null ? led : within.index + within[0].length;
  const rest = text.slice(from);
  const start = from + rest.search(/[\p{L}\d]/u);
  const whole =
    from + rest.replace(/[\s.,!?]*(?:(?:please|thanks|thank you|bitte|danke)[\s.!]*)?$/iu, '').length;
  const repeated = repeatedIn(text.slice(start, whole));
  const end = repeated === undefined ? whole : start + repeated.length;
  const value = text.slice(start, end).replaceAll(/\s+/g, ' ').replace(pluralAtEnd, '');
  return value.length < 5 ? [] : [{ value, ...original(start, end) }];
};
