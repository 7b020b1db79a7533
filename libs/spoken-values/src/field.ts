/** The kind of a value. For a field of type `string` it follows from the words of its id and description. */
export type ValueKind =
  | 'number'
  | 'boolean'
  | 'choice'
  | 'date'
  | 'time'
  | 'date-time'
  | 'telephone'
  | 'mail'
  | 'address'
  | 'name'
  | 'code'
  | 'text';

/** An entry of an agent's `data_needed`. */
export interface SpokenField {
  readonly id: string;
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'enum';
  readonly description: string;
  readonly enumValues?: readonly string[] | undefined;
}

export interface SpeechContext {
  /** BCP 47, such as `en`, `en-GB` or `de`. Decides the words, and the order of day and month in `5/6`. */
  readonly language: string;
  /** IANA zone of the person's clock: decides which day `tomorrow` is, and the country of a national number. */
  readonly timezone: string;
  readonly now: Date;
  /** False where the text answers no question for the field: a number alone is then no time. */
  readonly isAnswer?: boolean;
}

const kinds: readonly (readonly [ValueKind, RegExp])[] = [
  ['mail', /\be ?-?mails?\b|\bmail (?:address|adresse)\b|\bmailadresse\b/],
  [
    'telephone',
    /\b(?:tele)?phones?\b|\bmobile\b|\bcell\b|\b(?:call ?back|contact) number\b|telefon|handy|rückruf|rufnummer/,
  ],
  ['address', /\baddress\b|\bstreet\b|\banschrift\b|adresse\b|\bstra(?:ß|ss)e\b/],
  [
    'code',
    /\bcode\b|\bnumber\b|nummer\b|\breference\b|\b(?:order|booking|ticket|customer|policy) id\b|\bplz\b|\bzip\b/,
  ],
];
const nameOfThing =
  /\b(?:company|product|brand|project|business|medication|medicine|drug|firma|firmen|produkt)\b/;
const dateWords = /\bdates?\b|\bday\b|\bbirthday\b|\bborn\b|\bdob\b|datum\b|\btag\b|geburtstag|\bgeboren\b/;
const timeWords = /\btime\b|\bhour\b|\buhrzeit\b|\bzeit\b/;
const momentWords = /\bwhen\b|\bwann\b|\bdatetime\b|\bslot\b|\btermin\b|zeitpunkt/;
const nameWords = /\bnames?\b|\bnamens?\b|\bsurname\b|(?:vor|nach)name\b/;

/** The id as words: `orderNumber` and `order_number` are `order number`. */
const wordsOf = (text: string): string =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();

const stringKind = (words: string): ValueKind | undefined => {
  const isDate = dateWords.test(words);
  const isTime = timeWords.test(words);
  const named = kinds.find(([, pattern]) => pattern.test(words))?.[0];
  if (named !== undefined) return named;
  if (nameWords.test(words)) return nameOfThing.test(words) ? 'text' : 'name';
  if ((isDate && isTime) || momentWords.test(words)) return 'date-time';
  if (isDate) return 'date';
  return isTime ? 'time' : undefined;
};

export const kindOf = ({ id, type, description }: SpokenField): ValueKind => {
  switch (type) {
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'enum':
      return 'choice';
    case 'string':
      // The id is the shorter and clearer of the two: a description may mention other fields.
      return stringKind(wordsOf(id)) ?? stringKind(wordsOf(description)) ?? 'text';
  }
};

/** A date of birth has a year, and lies in the past. */
export const isBirth = ({ id, description }: SpokenField): boolean =>
  /birth|born|dob|geburt|geboren/i.test(`${id.replaceAll('_', ' ')} ${description}`);

/** The part of a language that the word lists know: `de-AT` is `de`. */
export const primary = (language: string): string => language.toLowerCase().split(/[-_]/)[0] ?? 'en';
