// Values that a person enters with the keys of a telephone. Keys reach the conversation as a text of digits: "1 2 0 4".
import {
  kindOf,
  readValue,
  type SpeechContext,
  type SpokenField,
  type SpokenValue,
} from '@parlance/spoken-values';
import { primaryLanguage } from '../dialogue/language.js';

const mostKeys = 9;

/** The values that the keys 1, 2, 3 and so on stand for. */
export const keyedValues = ({ type, enumValues = [] }: SpokenField): readonly (string | boolean)[] =>
  type === 'boolean' ? [true, false] : enumValues.length <= mostKeys ? enumValues : [];

/** "1204" in words: the month comes first in English, and the day in other languages. */
export const keyedDate = (digits: string, language: string): string | undefined => {
  const parts = /^(?<first>\d\d)(?<second>\d\d)(?<year>(?:19|20)\d\d)?$/.exec(digits)?.groups;
  if (parts === undefined) return undefined;
  const isMonthFirst = primaryLanguage(language) !== 'de';
  const [month, day] = isMonthFirst ? [parts.first, parts.second] : [parts.second, parts.first];
  // Of a leap year, so that the 29th of February exists.
  const date = new Date(`${parts.year ?? '2028'}-${month}-${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day)) return undefined;
  return new Intl.DateTimeFormat(isMonthFirst ? 'en' : 'de', {
    day: 'numeric',
    month: 'long',
    ...(parts.year === undefined ? {} : { year: 'numeric' }),
    timeZone: 'UTC',
  }).format(date);
};

const keyedTime = (digits: string): string | undefined => {
  const parts = /^(?<hour>\d{1,2})(?<minute>[0-5]\d)$/.exec(digits)?.groups;
  if (parts === undefined || Number(parts.hour) > 23) return undefined;
  return `${parts.hour?.padStart(2, '0')}:${parts.minute}`;
};

/** @param day words that hold the day, where only the time of a `date-time` is open */
export const readKeys = (
  field: SpokenField,
  text: string,
  context: SpeechContext,
  day: string | undefined,
): SpokenValue | undefined => {
  const quote = /^\s*(\d(?: ?\d)*)\s*$/.exec(text)?.[1];
  if (quote === undefined) return undefined;
  const digits = quote.replaceAll(' ', '');
  const start = text.indexOf(quote);
  const kind = kindOf(field);
  const found = (value: SpokenValue['value'] | undefined): SpokenValue | undefined =>
    value === undefined ? undefined : { value, quote, start, end: start + quote.length, kind };
  const dateOf = (words: string | undefined) =>
    words === undefined ? undefined : readValue(field, words, context)?.value;
  if (field.type === 'integer') return found(digits.length > 6 ? undefined : Number(digits));
  switch (kind) {
    case 'boolean':
    case 'choice':
      return digits.length === 1 ? found(keyedValues(field)[Number(digits) - 1]) : undefined;
    case 'date':
      return found(dateOf(keyedDate(digits, context.language)));
    case 'time':
      return digits.length > 2 ? found(keyedTime(digits)) : undefined;
    case 'date-time': {
      if (day === undefined) return found(dateOf(keyedDate(digits, context.language)));
      const [date, time] = [dateOf(day), digits.length > 2 ? keyedTime(digits) : undefined];
      return time === undefined || date === undefined
        ? undefined
        : found(`${String(date).slice(0, 10)}T${time}`);
    }
    default:
      return undefined;
  }
};
