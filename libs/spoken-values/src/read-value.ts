import { addressesIn } from './addresses.js';
import { type Candidate, perPart, pick } from './candidates.js';
import { choicesIn } from './choices.js';
import { codesIn } from './codes.js';
import { datesIn } from './dates.js';
import { isBirth, kindOf, primary, type SpeechContext, type SpokenField, type ValueKind } from './field.js';
import { mailsIn } from './mail.js';
import { namesIn } from './names.js';
import { nonAnswer } from './non-answers.js';
import { numbersIn } from './numbers.js';
import { telephonesIn } from './telephone.js';
import { timesIn } from './times.js';
import { answerIn } from './yes-no.js';

export interface SpokenValue {
  /**
   * Dates are `YYYY-MM-DD`, times `HH:MM`, both together `YYYY-MM-DDTHH:MM` in the person's time zone; telephone numbers
   * are E.164.
   */
  readonly value: string | number | boolean;
  /** The words that hold the value: `text.slice(start, end)`. */
  readonly quote: string;
  readonly start: number;
  readonly end: number;
  readonly kind: ValueKind;
}

type Found = Candidate<string | number | boolean>;

const datesOf = (field: SpokenField, text: string, context: SpeechContext) =>
  datesIn(text, { ...context, isPast: isBirth(field) });

/** Nobody has a table at seven in the morning. */
const isEvening = ({ id, description }: SpokenField): boolean =>
  /reserv|table|dinner|tisch|abendessen/i.test(`${id.replaceAll('_', ' ')} ${description}`);

const timesOf = (field: SpokenField, text: string, language: string, isAnswer: boolean) =>
  timesIn(text, language, { isAnswer, isEvening: isEvening(field) });

/** The day and the time may be corrected apart: "Tuesday at three, no, four". A day alone is a date. */
const dateTime = (field: SpokenField, text: string, context: SpeechContext): Found | undefined => {
  const date = pick(datesOf(field, text, context), text, context.language);
  if (date === undefined) return undefined;
  const time = pick(timesOf(field, text, context.language, true), text, context.language);
  if (time === undefined && date.time === undefined) return date;
  return {
    value: `${date.value}T${time?.value ?? date.time}`,
    start: Math.min(date.start, time?.start ?? date.start),
    end: Math.max(date.end, time?.end ?? date.end),
  };
};

const time = (field: SpokenField, text: string, context: SpeechContext): Found | undefined => {
  const picked = pick(
    timesOf(field, text, context.language, context.isAnswer ?? true),
    text,
    context.language,
  );
  if (picked !== undefined) return picked;
  const date = pick(datesOf(field, text, context), text, context.language);
  return date?.time === undefined ? undefined : { value: date.time, start: date.start, end: date.end };
};

/** A number of people is not the hour of their table, so numbers within a date or a time do not count. */
const number = (field: SpokenField, text: string, context: SpeechContext): Found | undefined => {
  const { language } = context;
  const outside = (
    found: readonly Candidate[],
    others: readonly Candidate<unknown>[],
  ): readonly Candidate<number>[] =>
    (found as readonly Candidate<number>[]).filter(
      ({ start, end }) => !others.some((other) => start < other.end && other.start < end),
    );
  const all = numbersIn(text, language).filter(
    ({ value }) => field.type === 'number' || Number.isInteger(value),
  );
  const plain = outside(all, [...datesOf(field, text, context), ...timesIn(text, language)]);
  const free = outside(plain, telephonesIn(text, context));
  const picked = pick(free.length > 0 || context.isAnswer === false ? free : plain, text, language);
  if (picked !== undefined) return picked;
  const alone = /\b(?:just|only) (?:me|myself)\b|(?<!\p{L})nur (?:ich|mich)(?!\p{L})/iu.exec(text);
  return alone && plain.length === 0 && field.type === 'integer'
    ? { value: 1, start: alone.index, end: alone.index + alone[0].length }
    : undefined;
};

/** What people say in the place of yes and no, where they are asked whether it is the first time. */
const firstTime = /\bfirst\b|\berst(?:e[rsnm]?|mals|besuch)/iu;
const firstTimeAnswers: readonly (readonly [boolean, RegExp])[] = [
  [
    false,
    /\bnot (?:my|our|the) first\b|(?<!\p{L})nicht (?:mein|das|der) (?:erste[rsn]?|erstes mal)(?!\p{L})/iu,
  ],
  [
    true,
    /\b(?:first (?:time|visit)|never|not (?:been|yet)|new (?:patient|customer|here))\b|(?<!\p{L})(?:erste[rsn]?(?: mal| besuch)?|noch nie|niemals|neu(?:patient(?:in)?| hier))(?!\p{L})/iu,
  ],
  [
    false,
    /\b(?:been (?:there|here|with you|in)|before|(?:was|were) there|regular|many times|a few times|already)\b|(?<!\p{L})(?:schon (?:öfters?|mal|einmal|oft|länger|mehrmals)|stammkund(?:e|in)|wieder)(?!\p{L})/iu,
  ],
];

const boolean = (field: SpokenField, text: string, language: string): Found | undefined => {
  if (firstTime.test(`${field.id.replaceAll('_', ' ')} ${field.description}`))
    for (const [value, pattern] of firstTimeAnswers) {
      const found = pattern.exec(text);
      if (found !== null) return { value, start: found.index, end: found.index + found[0].length };
    }
  const answer = answerIn(text, language);
  return answer && { value: answer.value === 'yes', start: answer.start, end: answer.end };
};

const choice = (field: SpokenField, text: string, language: string): Found | undefined => {
  const values = field.enumValues ?? [];
  const picked = pick(choicesIn(text, values, language), text, language);
  if (picked !== undefined) return picked;
  const answer = answerIn(text, language);
  const value =
    answer &&
    values.find(
      (listed) =>
        listed.toLowerCase() === answer.value ||
        (primary(language) === 'de' && listed.toLowerCase() === (answer.value === 'yes' ? 'ja' : 'nein')),
    );
  return value === undefined || answer === undefined
    ? undefined
    : { value, start: answer.start, end: answer.end };
};

const leads: Readonly<Record<string, RegExp>> = {
  en: /^(?:\W*(?:um|uh|er|well|so|yes|yeah|sure|okay|ok|oh|hi|hello|it's|it is|that's|that would be|because)(?!\p{L}))*\W*/iu,
  de: /^(?:\W*(?:äh|ähm|also|ja|gerne|klar|okay|ok|hallo|na ja|es ist|das ist|weil)(?!\p{L}))*\W*/iu,
};

/** Free text is the sentence itself, without the words before it that say nothing. */
const freeText = (text: string, language: string): Found | undefined => {
  const start = leads[primary(language)]?.exec(text)?.[0].length ?? 0;
  const end = text.trimEnd().replace(/[\s.!]+$/, '').length;
  const value = text.slice(start, end);
  return /[\p{L}\d]{2}/u.test(value) ? { value, start, end } : undefined;
};

const read = (
  field: SpokenField,
  kind: ValueKind,
  text: string,
  context: SpeechContext,
): Found | undefined => {
  const { language } = context;
  switch (kind) {
    case 'number':
      return number(field, text, context);
    case 'boolean':
      return boolean(field, text, language);
    case 'choice':
      return choice(field, text, language);
    case 'date':
      return pick(datesOf(field, text, context), text, language);
    case 'time':
      return time(field, text, context);
    case 'date-time':
      return dateTime(field, text, context);
    case 'telephone':
      return pick(telephonesIn(text, context), text, language);
    case 'mail':
      return pick(mailsIn(text, language), text, language);
    case 'address':
      return pick(
        perPart(text, language, (part) => addressesIn(part, language)),
        text,
        language,
      );
    case 'name':
      return pick(
        perPart(text, language, (part) => namesIn(part, language)),
        text,
        language,
      );
    case 'code':
      return pick(
        codesIn(text, language).filter(({ value }) => context.isAnswer !== false || /\d/.test(value)),
        text,
        language,
      );
    case 'text':
      return freeText(text, language);
  }
};

/** Kinds that any words could pass for; a person who does not answer has said words, too. */
const isLoose = (kind: ValueKind): boolean =>
  kind === 'text' || kind === 'name' || kind === 'boolean' || kind === 'choice';

/** "I'd rather not" answers whether somebody wants a thing; "I'd rather not say" answers nothing. */
const declined =
  /\b(?:rather|prefer)(?: to)? not\b(?! (?:to )?(?:say|give|share|tell|answer))|lieber nicht(?! (?:sagen|angeben|nennen))/iu;

/** The value of a field in what a person said; undefined where there is none, or two to choose from. */
export const readValue = (
  field: SpokenField,
  text: string,
  context: SpeechContext,
): SpokenValue | undefined => {
  const kind = kindOf(field);
  const reason = nonAnswer(text, context.language);
  const declines = kind === 'boolean' && reason === 'refused' && declined.test(text);
  if (reason === 'unclear' || (reason !== undefined && isLoose(kind) && !declines)) return undefined;
  const found = read(field, kind, text, context);
  if (found === undefined) return undefined;
  const { value, start, end } = found;
  return { value, quote: text.slice(start, end), start, end, kind };
};
