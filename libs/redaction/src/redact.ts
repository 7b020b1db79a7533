import type { PersonalKind } from '@parlance/contracts';
import { mailsIn } from '@parlance/spoken-values';
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
  Record<PersonalKind, (text: string, options: RedactionOptions) => readonly Finding[]>
> = {
  account: accountsIn,
  card: cardsIn,
  mail: (text, { language }) =>
    mailsIn(text, language).map(({ start, end }) => ({ kind: 'mail', start, end })),
  telephone: telephonesIn,
  name: (text, options) => namesIn(text, options, options.names),
};
const order = Object.keys(search) as PersonalKind[];

const overlaps = (one: Finding, other: Finding): boolean => one.start < other.end && other.start < one.end;

/** Personal data of the chosen kinds, in the order of the text, without overlaps. */
export const personalDataIn = (text: string, options: RedactionOptions): readonly Finding[] => {
  const found: Finding[] = [];
  for (const kind of order)
    if (options.kinds.includes(kind))
      for (const finding of search[kind](text, options))
        if (!found.some((other) => overlaps(finding, other))) found.push(finding);
  return found.sort((a, b) => a.start - b.start);
};

/** The text with placeholders, such as `[card number]`, in the place of personal data. Redacting it again changes nothing. */
export const redact = (text: string, options: RedactionOptions): Redacted => {
  const findings = personalDataIn(text, options);
  let redacted = '';
  let from = 0;
  for (const { kind, start, end } of findings) {
    redacted += text.slice(from, start) + placeholders[kind];
    from = end;
  }
  return { text: redacted + text.slice(from), findings };
};

/** Every string and number of a JSON value redacted, such as the arguments of a tool. Keys stay. */
export const redactJson = (value: unknown, options: RedactionOptions): unknown => {
  if (typeof value === 'string') return redact(value, options).text;
  if (typeof value === 'number' || typeof value === 'bigint') {
    const { text, findings } = redact(String(value), options);
    return findings.length > 0 ? text : value;
  }
  if (Array.isArray(value)) return value.map((item) => redactJson(item, options));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactJson(item, options)]));
};
