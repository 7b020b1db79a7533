import { type CountryCode, getCountries, parsePhoneNumberFromString } from 'libphonenumber-js';
import type { Candidate } from './candidates.js';
import { primary, type SpeechContext } from './field.js';
import { digitsAt } from './number-words.js';
import { type Token, tokensOf } from './tokens.js';

/** Node 20 has the property of an earlier draft, later releases have the method. */
type ZonesOfLocale = Intl.Locale & {
  readonly timeZones?: readonly string[];
  getTimeZones?(): readonly string[];
};

const zonesOf = (country: string): readonly string[] => {
  const locale = new Intl.Locale('und', { region: country }) as ZonesOfLocale;
  return locale.getTimeZones?.() ?? locale.timeZones ?? [];
};

let countries: ReadonlyMap<string, CountryCode> | undefined;

const countryOfZone = (timezone: string): CountryCode | undefined => {
  countries ??= new Map(getCountries().flatMap((country) => zonesOf(country).map((zone) => [zone, country])));
  return countries.get(timezone);
};

const countryOf = ({ language, timezone }: SpeechContext): CountryCode | undefined => {
  const region =
    new Intl.Locale(language).region ??
    countryOfZone(timezone) ??
    new Intl.Locale(language).maximize().region;
  return getCountries().find((country) => country === region);
};

const fillers = /^(?:-|–|\.|\/|,|and|und|then|dann|uh|um|äh|area|code)$/;
const plus = /^\+$|^plus$/;

interface Group {
  digits: string;
  readonly start: number;
  end: number;
}

/** Runs of digits in words or figures; what people put between the groups does not end a run. */
const digitRuns = (tokens: readonly Token[], language: string): readonly Group[] => {
  const runs: Group[] = [];
  let run: Group | undefined;
  const begin = (digits: string, start: number, end: number): Group => {
    const group = { digits, start, end };
    runs.push(group);
    return group;
  };
  for (let index = 0; index < tokens.length; ) {
    const token = tokens[index];
    if (token === undefined) break;
    const group = digitsAt(tokens, index, language);
    if (group !== undefined) {
      const end = tokens[group.next - 1]?.end ?? token.end;
      run ??= begin('', token.start, end);
      run.digits += group.digits;
      run.end = end;
      index = group.next;
      continue;
    }
    if (plus.test(token.word)) run = begin('+', token.start, token.end);
    else if (!fillers.test(token.word)) run = undefined;
    index += 1;
  }
  return runs;
};

const numberOf = (digits: string, country: CountryCode | undefined): string | undefined => {
  const parsed = parsePhoneNumberFromString(digits, country === undefined ? {} : { defaultCountry: country });
  return parsed?.isPossible() === true ? parsed.number : undefined;
};

/** Telephone numbers in E.164. A national number is one of the country of the language's region or of the time zone. */
export const telephonesIn = (text: string, context: SpeechContext): readonly Candidate<string>[] => {
  const country = countryOf(context);
  // "(415) 555" has its marks between the digits.
  const tokens = tokensOf(text.replaceAll(/[()]/g, ' '));
  return digitRuns(tokens, primary(context.language)).flatMap(({ digits, start, end }) => {
    const value = digits.length < 7 ? undefined : numberOf(digits, country);
    return value === undefined ? [] : [{ value, start, end }];
  });
};
