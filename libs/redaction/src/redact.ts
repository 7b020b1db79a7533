import type { PersonalKind } from '@parlance/contracts';
import { LosslessNumber } from '@parlance/json';
import { type DigitRun, digitRuns, mailsIn } from '@parlance/spoken-values';
import { accountsIn } from './accounts.js';
import { cardsIn } from './cards.js';
import type { Finding, SearchContext } from './finding.js';
import { namesIn } from './names.js';
import { telephonesIn } from './telephones.js';

export interface RedactionOptions extends SearchContext {
  readonly kinds: readonly PersonalKind[];
  /** Names of people of the call that are known from elsewhere. */
  readonly names?: readonly string[];
}

export interface Redacted {
  readonly text: string;
  /** What was replaced, by its place in the original text. */
  readonly findings: readonly Finding[];
}

const placeholders: Readonly<Record<PersonalKind, string>> = {
  card: '[card number]',
  account: '[account number]',
  telephone: '[telephone number]',
  mail: '[mail address]',
  name: '[name]',
};

/** Of findings that overlap, the earlier kind in this list stays; the digits of a card may look like a telephone number. */
const search: Readonly<
  Record<
    PersonalKind,
    (text: string, options: RedactionOptions, runs: () => readonly DigitRun[]) => readonly Finding[]
  >
> = {
  account: accountsIn,
  card: (text, _options, runs) => cardsIn(text, runs()),
  mail: (text, { language }) =>
    mailsIn(text, language).map(({ start, end }) => ({ kind: 'mail', start, end })),
  telephone: (text, options, runs) => telephonesIn(text, options, runs()),
  name: (text, options) => namesIn(text, options, options.names),
};
const order = Object.keys(search) as PersonalKind[];

const overlaps = (one: Finding, other: Finding): boolean => one.start < other.end && other.start < one.end;

const placeholder = new RegExp(
  Object.values(placeholders)
    .map((text) => text.replaceAll(/[[\]]/g, String.raw`\$&`))
    .join('|'),
  'g',
);
/** Neither digits, nor words that say what other digits are. It ends a run of digits. */
const blank = (text: string): string => '?'.repeat(text.length);

const blanked = (text: string, findings: readonly Finding[]): string => {
  let result = text;
  for (const { start, end } of findings)
    result = result.slice(0, start) + blank(text.slice(start, end)) + result.slice(end);
  return result;
};

/** Digits beside a number may be another one: what is left is searched again, and few times are enough. */
const mostSearches = 4;

/** Personal data of the chosen kinds, in the order of the text, without overlaps. */
export const personalDataIn = (text: string, options: RedactionOptions): readonly Finding[] => {
  const found: Finding[] = [];
  let left = text.replaceAll(placeholder, blank);
  for (let searches = 0; searches < mostSearches; searches += 1) {
    const before = found.length;
    const searched = left;
    let known: readonly DigitRun[] | undefined;
    const runs = (): readonly DigitRun[] => (known ??= digitRuns(searched, options.language));
    for (const kind of order)
      if (options.kinds.includes(kind))
        for (const finding of search[kind](left, options, runs))
          if (!found.some((other) => overlaps(finding, other))) found.push(finding);
    if (found.length === before) break;
    left = blanked(left, found.slice(before));
  }
  return found.sort((a, b) => a.start - b.start);
};

/** The findings of both, in the order of the text; of those that overlap, the first list's stays. */
export const merged = (first: readonly Finding[], second: readonly Finding[]): readonly Finding[] => {
  const all = [...first];
  for (const finding of second) if (!all.some((other) => overlaps(finding, other))) all.push(finding);
  return all.sort((a, b) => a.start - b.start);
};

/** @param findings in the order of the text, without overlaps */
export const replaced = (text: string, findings: readonly Finding[]): string => {
  let redacted = '';
  let from = 0;
  for (const { kind, start, end } of findings) {
    redacted += text.slice(from, start) + placeholders[kind];
    from = end;
  }
  return redacted + text.slice(from);
};

/** The text with placeholders, such as `[card number]`, in the place of personal data. Redacting it again changes nothing. */
export const redact = (text: string, options: RedactionOptions): Redacted => {
  const findings = personalDataIn(text, options);
  return { text: replaced(text, findings), findings };
};

/** Keys that say what their digits are. */
const tellingKey =
  /(?<!\p{L})(?:(?:tele)?phone|tel|mobile|cell|telefon|handy|rufnummer|(?:credit |debit |payment )?card|karte|kartennummer|cvv2?|cvc2?|security code|iban)(?!\p{L})/iu;
const keyOfName =
  /(?<!\p{L})(?:first|last|full|family|given|sur|customer|caller|guest|patient|client|contact|person) ?name$|^(?:surname|vorname|nachname|familienname)$/iu;
const nameOnly = /^\p{L}[\p{L}'’.-]*(?: \p{L}[\p{L}'’.-]*){0,3}$/u;

/** `cardNumber` and `card_number` as words. */
const wordsOfKey = (key: string): string =>
  key.replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ').replaceAll(/[_-]+/g, ' ');

type RedactText = (text: string) => string;

const ofKey = (key: string, text: string, options: RedactionOptions, plain: RedactText): string => {
  const words = wordsOfKey(key);
  if (options.kinds.includes('name') && keyOfName.test(words) && nameOnly.test(text))
    return placeholders.name;
  if (!tellingKey.test(words)) return plain(text);
  // A telephone is talked about where the key says so.
  const before = `${words.replace(/^tel$/iu, 'phone')}: `;
  const findings = personalDataIn(before + text, options).filter(({ start }) => start >= before.length);
  return plain(
    replaced(
      text,
      findings.map((one) => ({ ...one, start: one.start - before.length, end: one.end - before.length })),
    ),
  );
};

/**
 * Every string and number of a JSON value redacted, such as the arguments of a tool. Keys stay, and say what a value is.
 * @param plain redacts a text by itself
 */
export const redactJson = (
  value: unknown,
  options: RedactionOptions,
  plain: RedactText = (text) => redact(text, options).text,
  key = '',
): unknown => {
  if (typeof value === 'string') return ofKey(key, value, options, plain);
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof LosslessNumber) {
    const text = ofKey(key, String(value), options, plain);
    return text === String(value) ? value : text;
  }
  if (Array.isArray(value)) return value.map((item) => redactJson(item, options, plain, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      redactJson(item, options, plain, name === 'value' ? key : name),
    ]),
  );
};
