import * as chrono from 'chrono-node';
import { Temporal } from 'temporal-polyfill';
import type { Candidate } from './candidates.js';
import { primary, type SpeechContext } from './field.js';
import { normalized } from './normalized.js';

const parsers: Readonly<Record<string, Pick<chrono.Chrono, 'parse'>>> = {
  en: chrono.en.casual,
  de: chrono.de.casual,
  es: chrono.es.casual,
  fr: chrono.fr.casual,
  it: chrono.it.casual,
  nl: chrono.nl.casual,
  pt: chrono.pt.casual,
};

const parserOf = (language: string): Pick<chrono.Chrono, 'parse'> => {
  const isEnglish = primary(language) === 'en';
  // 5/6 is the fifth of June outside the United States.
  if (isEnglish && /^en[-_](?!us)/i.test(language)) return chrono.en.GB;
  return parsers[primary(language)] ?? chrono.en.casual;
};

/** Words that are rarely the short name of a day: "I sat in the sun". */
const words = /^(?:sat|sun|wed|mon|fri|mar|so|di|mi|do|fr|sa|mo)$/i;

/** The next date with this day of the month, today included. */
const nextDay = (today: Temporal.PlainDate, day: number): Temporal.PlainDate | undefined => {
  for (let months = 0; months < 3; months += 1) {
    const month = today.toPlainYearMonth().add({ months });
    if (day < 1 || day > month.daysInMonth) continue;
    const date = month.toPlainDate({ day });
    if (Temporal.PlainDate.compare(date, today) >= 0) return date;
  }
  return undefined;
};

/** "Five. Five people" is no date either. */
const isNoDate = (quote: string): boolean =>
  words.test(/^\p{L}+/u.exec(quote)?.[0] ?? '') || /^\d{1,2}\W*\s\W*\d{1,2}$/.test(quote);

const weekdays: Readonly<Record<string, number>> = {
  ...{ monday: 1, tuesday: 2, wednesday: 3, thursday: 4, friday: 5, saturday: 6, sunday: 7 },
  ...{ montag: 1, dienstag: 2, mittwoch: 3, donnerstag: 4, freitag: 5, samstag: 6, sonnabend: 6, sonntag: 7 },
};

interface Rule {
  readonly pattern: RegExp;
  readonly read: (
    groups: Readonly<Record<string, string | undefined>>,
    today: Temporal.PlainDate,
  ) => Temporal.PlainDate | undefined;
}

const weekAfter = (day: string | undefined, today: Temporal.PlainDate): Temporal.PlainDate | undefined => {
  const wanted = weekdays[day?.toLowerCase() ?? ''];
  return wanted === undefined ? undefined : today.add({ days: ((wanted - today.dayOfWeek + 7) % 7) + 7 });
};

const comingYear = (
  day: number,
  month: number,
  today: Temporal.PlainDate,
): Temporal.PlainDate | undefined => {
  if (day < 1 || day > 31 || month < 1 || month > 12) return undefined;
  const date = Temporal.PlainDate.from({ year: today.year, month, day });
  return Temporal.PlainDate.compare(date, today) < 0 ? date.add({ years: 1 }) : date;
};

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const monthDay: Rule['read'] = ({ month, day, year }, today) => {
  const number = months.indexOf(month?.toLowerCase() ?? '') + 1;
  if (year === undefined) return comingYear(Number(day), number, today);
  return Temporal.PlainDate.from({ year: Number(year), month: number, day: Number(day) });
};

/** 87 is 1987, and 03 is 2003. */
const fullYear = (year: number, today: Temporal.PlainDate): number => {
  if (year > 99) return year;
  return year > today.year % 100 ? 1_900 + year : 2_000 + year;
};

const englishDay = '(?<day>monday|tuesday|wednesday|thursday|friday|saturday|sunday)';
const germanDay = '(?<day>montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag)';

/** What chrono does not read. */
const rules: Readonly<Record<string, readonly Rule[]>> = {
  en: [
    {
      // "the eighteenth, of December", and "1988, October the thirtieth"
      pattern:
        /\b(?:(?<year>\d{4}),? )?(?:the )?(?<day>\d{1,2})(?:st|nd|rd|th),? of (?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*/giu,
      read: monthDay,
    },
    {
      pattern:
        /\b(?<year>\d{4}),? (?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* (?:the )?(?<day>\d{1,2})(?:st|nd|rd|th)?\b/giu,
      read: monthDay,
    },
    { pattern: /\b(?:the )?day after tomorrow\b/giu, read: (_, today) => today.add({ days: 2 }) },
    {
      pattern: new RegExp(String.raw`\b(?:a|1) week (?:from|on|after) ${englishDay}\b`, 'giu'),
      read: ({ day }, today) => weekAfter(day, today),
    },
    {
      pattern: new RegExp(String.raw`\b${englishDay} week\b`, 'giu'),
      read: ({ day }, today) => weekAfter(day, today),
    },
    {
      pattern:
        /\b(?<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? the (?<day>\d{1,2})(?:st|nd|rd|th)?,?(?: (?<year>\d{4}))?\b/giu,
      read: monthDay,
    },
    {
      pattern:
        /\bthe (?<day>\d{1,2})(?:st|nd|rd|th)\b(?!,? (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))/giu,
      read: ({ day }, today) => nextDay(today, Number(day)),
    },
  ],
  de: [
    // After a comma, chrono takes "morgen" for the part of a day.
    { pattern: /(?<=[,;.!?]\s*)morgen(?!\p{L})/giu, read: (_, today) => today.add({ days: 1 }) },
    {
      pattern: new RegExp(String.raw`(?<!\p{L})${germanDay} in (?:1|einer) woche`, 'giu'),
      read: ({ day }, today) => weekAfter(day, today),
    },
    {
      pattern: /(?<![\d.])(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.\s?(?<year>\d{4}|\d{2})(?!\d)/giu,
      read: ({ day, month, year }, today) =>
        Temporal.PlainDate.from({
          year: fullYear(Number(year), today),
          month: Math.max(1, Number(month)),
          day: Math.max(1, Number(day)),
        }),
    },
    {
      pattern: /(?<![\d.])(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.(?!\s?\d)/giu,
      read: ({ day, month }, today) => comingYear(Number(day), Number(month), today),
    },
    {
      pattern:
        /(?<!\p{L})(?:am|den|der) (?<day>\d{1,2})\.(?!\s?\d|\s(?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez))/giu,
      read: ({ day }, today) => nextDay(today, Number(day)),
    },
  ],
};

export interface DateOptions extends SpeechContext {
  /** A date without a year lies in the past, as a date of birth does. */
  readonly isPast: boolean;
}

interface Found extends Candidate<string> {
  /** `HH:MM` where chrono also knows the time, as in "in two hours". */
  readonly time?: string;
}

const two = (value: number): string => String(value).padStart(2, '0');

interface Parsed extends Found {
  readonly isWeekday: boolean;
}

/** "Tuesday the fifth of May" is one date. */
const withoutDoubles = (found: readonly Parsed[], said: string): readonly Parsed[] =>
  found.filter(({ isWeekday, end }, index) => {
    const next = found[index + 1];
    return !(
      isWeekday &&
      next?.isWeekday === false &&
      /^[\s,]*(?:the|der|dem|den|am)?\s*$/iu.test(said.slice(end, next.start))
    );
  });

export const datesIn = (said: string, { language, timezone, now, isPast }: DateOptions): readonly Found[] => {
  const { text, original } = normalized(said, language);
  const clock = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone);
  const today = clock.toPlainDate();
  const found: Parsed[] = (rules[primary(language)] ?? []).flatMap(({ pattern, read }) =>
    Array.from(text.matchAll(pattern)).flatMap((match) => {
      if (isPast && match.groups?.year === undefined) return [];
      const date = read(match.groups ?? {}, today);
      const place = original(match.index, match.index + match[0].length);
      return date === undefined ? [] : [{ value: date.toString(), isWeekday: false, ...place }];
    }),
  );
  const own = [...found];
  const reference = { instant: now, timezone: clock.offsetNanoseconds / 60_000_000_000 };
  for (const { index, text: quote, start } of parserOf(language).parse(text, reference, {
    forwardDate: !isPast,
  })) {
    const place = original(index, index + quote.length);
    const [year, month, day, hour] = [
      start.get('year'),
      start.get('month'),
      start.get('day'),
      start.get('hour'),
    ];
    const isDay = start.isCertain('day') || start.isCertain('weekday');
    if (!isDay || isNoDate(quote) || year === null || month === null || day === null) continue;
    // A date of birth without its year is none.
    if (isPast && !start.isCertain('year')) continue;
    if (own.some(({ start: from, end }) => place.start < end && from < place.end)) continue;
    const hasTime = start.isCertain('hour') && start.isCertain('minute') && hour !== null;
    found.push({
      value: `${year}-${two(month)}-${two(day)}`,
      isWeekday: start.isCertain('weekday'),
      ...place,
      ...(hasTime ? { time: `${two(hour)}:${two(start.get('minute') ?? 0)}` } : {}),
    });
  }
  return withoutDoubles(
    found.sort((a, b) => a.start - b.start),
    said,
  );
};
