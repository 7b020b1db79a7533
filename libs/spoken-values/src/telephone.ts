import { type CountryCode, getCountries, parsePhoneNumberFromString } from 'libphonenumber-js';
import type { Candidate } from './candidates.js';
import { digitRuns } from './digit-runs.js';
import { primary, type SpeechContext } from './field.js';

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

/** The country whose national numbers a person means. */
export const telephoneCountry = ({
  language,
  timezone,
}: Pick<SpeechContext, 'language' | 'timezone'>): CountryCode | undefined => {
  const region =
    new Intl.Locale(language).region ??
    countryOfZone(timezone) ??
    new Intl.Locale(language).maximize().region;
  return getCountries().find((country) => country === region);
};

const numberOf = (digits: string, country: CountryCode | undefined): string | undefined => {
  const parsed = parsePhoneNumberFromString(digits, country === undefined ? {} : { defaultCountry: country });
  return parsed?.isPossible() === true ? parsed.number : undefined;
};

/** Telephone numbers in E.164. A national number is one of the country of the language's region or of the time zone. */
export const telephonesIn = (text: string, context: SpeechContext): readonly Candidate<string>[] => {
  const country = telephoneCountry(context);
  return digitRuns(text, primary(context.language)).flatMap(({ hasPlus, groups, start, end }) => {
    const digits = groups.map((group) => group.digits).join('');
    const value = digits.length < 7 ? undefined : numberOf(`${hasPlus ? '+' : ''}${digits}`, country);
    return value === undefined ? [] : [{ value, start, end }];
  });
};
