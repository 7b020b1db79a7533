import type { Candidate } from './candidates.js';
import { primary } from './field.js';
import { normalized } from './normalized.js';

type PartOfDay = 'morning' | 'afternoon' | 'evening' | 'night';

interface Clock {
  readonly hour: number;
  readonly minute: number;
  readonly part?: PartOfDay | undefined;
  /** The hour is one of 24, as in "15:30" or "15 Uhr". */
  readonly isExact?: boolean;
}

interface Rule {
  /** Might be another number as well: "about two". Counts only in the answer to a question for a time. */
  readonly isVague?: true;
  readonly pattern: RegExp;
  readonly read: (groups: Readonly<Record<string, string | undefined>>) => Clock;
}

const partsOfDay: readonly (readonly [PartOfDay, RegExp])[] = [
  ['morning', /a\.?m\b|morning|morgens|vormittag|früh/i],
  ['afternoon', /afternoon|nachmittag|mittags/i],
  ['evening', /p\.?m\b|evening|tonight|abend/i],
  ['night', /night|nacht/i],
];
const partOf = (text: string | undefined): PartOfDay | undefined =>
  text === undefined ? undefined : partsOfDay.find(([, pattern]) => pattern.test(text))?.[0];

const englishPart = String.raw`(?:,?\s*(?<part>a\.?\s?m\b\.?|p\.?\s?m\b\.?|(?:in the|this|tomorrow|on \w+)\s+(?:morning|afternoon|evening)|at night|tonight))?`;
const germanPart = String.raw`(?:\s*(?:am\s+)?(?<part>morgens|früh|vormittags?|mittags|nachmittags?|abends?|nachts))?`;

const at = (hour: string | undefined, minute: number, part: string | undefined, isExact = false): Clock => ({
  hour: Number(hour),
  minute,
  part: partOf(part?.replaceAll(/\s/g, '')),
  isExact,
});
const before = (clock: Clock, minutes: number): Clock => ({
  ...clock,
  hour: clock.hour === 0 ? 23 : clock.hour === 1 ? 12 : clock.hour - 1,
  minute: 60 - minutes,
});

const english: readonly Rule[] = [
  {
    pattern: new RegExp(String.raw`half\s+past\s+(?<h>\d{1,2})${englishPart}`, 'giu'),
    read: ({ h, part }) => at(h, 30, part),
  },
  {
    pattern: new RegExp(String.raw`(?:a\s+)?quarter\s+(?:past|after)\s+(?<h>\d{1,2})${englishPart}`, 'giu'),
    read: ({ h, part }) => at(h, 15, part),
  },
  {
    pattern: new RegExp(
      String.raw`(?:a\s+)?quarter\s+(?:to|till|until|of)\s+(?<h>\d{1,2})${englishPart}`,
      'giu',
    ),
    read: ({ h, part }) => before(at(h, 0, part), 15),
  },
  {
    pattern: new RegExp(
      String.raw`(?<m>\d{1,2})\s+(?:minutes\s+)?(?:past|after)\s+(?<h>\d{1,2})${englishPart}`,
      'giu',
    ),
    read: ({ h, m, part }) => at(h, Number(m), part),
  },
  {
    pattern: new RegExp(
      String.raw`(?<m>\d{1,2})\s+(?:minutes\s+)?(?:to|till)\s+(?<h>\d{1,2})${englishPart}(?!\d)`,
      'giu',
    ),
    read: ({ h, m, part }) => before(at(h, 0, part), Number(m)),
  },
  {
    pattern: new RegExp(
      String.raw`(?<!\d)(?<h>\d{1,2})[:.](?<m>\d{2})(?!\d)(?:\s*o'?clock)?${englishPart}`,
      'giu',
    ),
    read: ({ h, m, part }) => at(h, Number(m), part, h?.startsWith('0')),
  },
  {
    pattern: new RegExp(
      String.raw`(?<![\d-])(?<h>\d{1,2})\s+(?<m>[0-5]\d)(?![\d-]|\s+\d)(?:\s+hours)?${englishPart}`,
      'giu',
    ),
    read: ({ h, m, part }) => at(h, Number(m), part),
  },
  {
    pattern: new RegExp(String.raw`(?<![\d-])(?<h>\d{1,2})\s*o'?\s?clock${englishPart}`, 'giu'),
    read: ({ h, part }) => at(h, 0, part),
  },
  {
    pattern: new RegExp(String.raw`(?<![\d-])(?<h>\d{1,2})${englishPart.replace(/\)\?$/, ')')}`, 'giu'),
    read: ({ h, part }) => at(h, 0, part),
  },
  {
    pattern: /\bat\s+(?<h>\d{1,2})(?![\d:/]|\.\d|\s*(?:st|nd|rd|th)\b|\s+\d)/giu,
    read: ({ h }) => at(h, 0, undefined),
  },
  {
    isVague: true,
    pattern:
      /\b(?:around|about|by|before|after|from|until|till)\s+(?<h>\d{1,2})(?![\d:/]|\.\d|\s*(?:st|nd|rd|th)\b|\s+\d)/giu,
    read: ({ h }) => at(h, 0, undefined),
  },
  {
    pattern: new RegExp(String.raw`(?<![\d-])(?<h>\d{1,2})[ -]?ish\b${englishPart}`, 'giu'),
    read: ({ h, part }) => at(h, 0, part),
  },
  { pattern: /\b(?:noon|midday)\b/giu, read: () => at('12', 0, undefined, true) },
  { pattern: /\bmidnight\b/giu, read: () => at('0', 0, undefined, true) },
];

const german: readonly Rule[] = [
  {
    pattern: new RegExp(String.raw`halb\s+(?<h>\d{1,2})${germanPart}`, 'giu'),
    read: ({ h, part }) => before(at(h, 0, part), 30),
  },
  {
    pattern: new RegExp(String.raw`viertel\s+nach\s+(?<h>\d{1,2})${germanPart}`, 'giu'),
    read: ({ h, part }) => at(h, 15, part),
  },
  {
    pattern: new RegExp(String.raw`(?:viertel\s+vor|dreiviertel)\s+(?<h>\d{1,2})${germanPart}`, 'giu'),
    read: ({ h, part }) => before(at(h, 0, part), 15),
  },
  {
    pattern: new RegExp(String.raw`(?<m>\d{1,2})\s+nach\s+(?<h>\d{1,2})${germanPart}`, 'giu'),
    read: ({ h, m, part }) => at(h, Number(m), part),
  },
  {
    pattern: new RegExp(String.raw`(?<m>\d{1,2})\s+vor\s+(?<h>\d{1,2})${germanPart}`, 'giu'),
    read: ({ h, m, part }) => before(at(h, 0, part), Number(m)),
  },
  {
    pattern: new RegExp(
      String.raw`(?<!\d)(?<h>\d{1,2})[:.](?<m>\d{2})(?!\d|\.\d)(?:\s*uhr)?${germanPart}`,
      'giu',
    ),
    read: ({ h, m, part }) => at(h, Number(m), part, true),
  },
  {
    pattern: new RegExp(
      String.raw`(?<!\d)(?<h>\d{1,2})\s*uhr(?:\s+(?<m>[0-5]?\d)(?!\d))?${germanPart}`,
      'giu',
    ),
    read: ({ h, m, part }) => at(h, Number(m ?? 0), part),
  },
  {
    pattern:
      /(?<!\p{L})um\s+(?<h>\d{1,2})(?![\d:]|\.\d)(?:\s*(?:am\s+)?(?<part>morgens|früh|vormittags?|nachmittags?|abends?))?/giu,
    read: ({ h, part }) => at(h, 0, part),
  },
  {
    pattern: /(?<!\d)(?<h>\d{1,2})\s+(?:am\s+)?(?<part>morgens|vormittags?|nachmittags?|abends?)/giu,
    read: ({ h, part }) => at(h, 0, part),
  },
  {
    isVague: true,
    pattern: /(?<!\p{L})(?:gegen|ab|vor|nach)\s+(?<h>\d{1,2})(?![\d:]|\.\d)/giu,
    read: ({ h }) => at(h, 0, undefined),
  },
  { pattern: /\bmitternacht/giu, read: () => at('0', 0, undefined, true) },
];

/** Without a word for the part of the day, the hours from one to six are those of the afternoon, and in an evening those to ten. */
const hourOf = ({ hour, part, isExact }: Clock, isEvening: boolean): number => {
  if (isExact === true || hour > 12) return hour;
  switch (part) {
    case 'morning':
      return hour % 12;
    case 'afternoon':
      return hour === 12 || hour === 11 ? hour : (hour % 12) + 12;
    case 'evening':
      return (hour % 12) + 12;
    case 'night':
      return hour === 12 ? 0 : hour < 6 ? hour : hour + 12;
    default:
      return hour >= 1 && hour <= (isEvening ? 10 : 6) ? hour + 12 : hour;
  }
};

const two = (value: number): string => String(value).padStart(2, '0');

const timeOf = (clock: Clock, isEvening: boolean): string | undefined => {
  const hour = hourOf(clock, isEvening) % 24;
  const isTime = clock.hour <= 24 && clock.minute >= 0 && clock.minute < 60;
  return isTime ? `${two(hour)}:${two(clock.minute)}` : undefined;
};

const barePattern =
  /^\W*(?:(?:yes|yeah|um|uh|er|let'?s say|maybe|ja|äh|ähm|so)\W+)*(?<h>\d{1,2})(?:\s+(?<m>[0-5]\d))?\W*(?:please|bitte|then|dann)?\W*$/iu;

export interface TimeOptions {
  /** The question was for a time, so that a number alone is an hour. */
  readonly isAnswer?: boolean;
  /** Hours without a word for the part of the day are those of an evening. */
  readonly isEvening?: boolean;
}

/** Times of day in the text. */
export const timesIn = (
  said: string,
  language: string,
  { isAnswer = false, isEvening = false }: TimeOptions = {},
): readonly Candidate<string>[] => {
  const { text, original } = normalized(said, language);
  const found: Candidate<string>[] = [];
  const overlaps = (start: number, end: number): boolean =>
    found.some((other) => start < other.end && other.start < end);
  for (const { pattern, read, isVague } of primary(language) === 'de' ? german : english) {
    if (isVague && !isAnswer) continue;
    for (const match of text.matchAll(pattern)) {
      const value = timeOf(read(match.groups ?? {}), isEvening);
      const place = original(match.index, match.index + match[0].length);
      if (value !== undefined && !overlaps(place.start, place.end)) found.push({ value, ...place });
    }
  }
  if (found.length === 0 && isAnswer) {
    const bare = barePattern.exec(text);
    const value =
      bare && timeOf({ hour: Number(bare.groups?.h), minute: Number(bare.groups?.m ?? 0) }, isEvening);
    if (bare && value) {
      const from = text.indexOf(bare.groups?.h ?? '');
      const to = from + (/\d{1,2}(?:\s+[0-5]\d)?/.exec(text.slice(from))?.[0].length ?? 0);
      found.push({ value, ...original(from, to) });
    }
  }
  return found.sort((a, b) => a.start - b.start);
};
