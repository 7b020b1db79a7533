// Values as they are read back to the person who said them.
import type { SpokenValue } from '@parlance/spoken-values';
import { primaryLanguage } from '../dialogue/language.js';

/** Three letters or more in a row that stand alone: "S M I T H", "S-M-I-T-H". */
const spelledOut = /(?:(?<![\p{L}\p{N}])\p{L}(?![\p{L}\p{N}])[\s.,-]*){3,}/u;

/** Recognition writes words for some of the letters, so that two in a sentence are enough. */
export const hasLetters = (text: string): boolean =>
  (text.match(/(?<![\p{L}\p{N}'’])\p{L}(?![\p{L}\p{N}'’])/gu) ?? []).length > 1;

export const isSpelledOut = (quote: string): boolean => spelledOut.test(quote);

/** Kinds that are easily misheard. @param isSpoken the words were recognized, and not typed */
export const needsReadBack = ({ kind, quote }: SpokenValue, isSpoken: boolean): boolean => {
  switch (kind) {
    case 'number':
    case 'date':
    case 'time':
    case 'date-time':
    case 'telephone':
    case 'mail':
    case 'address':
    case 'code':
      return true;
    case 'name':
      return isSpoken || isSpelledOut(quote);
    default:
      return false;
  }
};

/** Rules speak English where they do not know a language. */
const localeOf = (language: string): string =>
  ['de', 'en'].includes(primaryLanguage(language)) ? language : 'en';

const day = (date: string, language: string): string =>
  new Intl.DateTimeFormat(localeOf(language), {
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${date.slice(0, 10)}T00:00:00Z`));

const atTime = (language: string, date: string, time: string): string =>
  primaryLanguage(language) === 'de' ? `${date} um ${time} Uhr` : `${date} at ${time}`;

const apart = (text: string): string => [...text.replaceAll(/\s/g, '')].join(' ');

export const readBack = ({ value, kind }: SpokenValue, language: string): string => {
  const text = String(value);
  switch (kind) {
    case 'telephone':
    case 'code':
      return apart(text);
    case 'date':
      return day(text, language);
    case 'date-time': {
      const [date = text, time] = text.split('T');
      return time === undefined ? day(date, language) : atTime(language, day(date, language), time);
    }
    case 'name':
      return `${text}, ${apart(text.toUpperCase())}`;
    default:
      return text;
  }
};
