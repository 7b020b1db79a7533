import { type DigitRun, telephoneCountry } from '@parlance/spoken-values';
import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { Finding, SearchContext } from './finding.js';

const about =
  /(?<!\p{L})(?:(?:tele)?phone|mobile|cell|call(?:back)?|reach|text|ring|dial|whatsapp|(?:my|our|his|her|best|new|old|other) number|meine nummer|landline|telefon\p{L}*|handy\p{L}*|mobil\p{L}*|rufnummer|rückruf\p{L}*|erreich\p{L}*|anruf\p{L}*|anrufen|durchwahl)(?!\p{L})/iu;
/** Numbers of things. The word that stands nearer to the digits decides. */
const otherThing =
  /(?<!\p{L})(?:order|invoice|tracking|parcel|reference|ticket|confirmation|booking|account|customer|policy|serial|model|case|claim|article|item|bestell\p{L}*|rechnungs\p{L}*|sendungs\p{L}*|kunden\p{L}*|vertrags\p{L}*|konto\p{L}*|vorgangs\p{L}*|artikel\p{L}*|auftrags\p{L}*)(?!\p{L})/giu;
const reach = 60;
const shortestLocal = 7;

const lastIndexOf = (text: string, pattern: RegExp): number =>
  Array.from(text.matchAll(new RegExp(pattern.source, 'giu'))).at(-1)?.index ?? -1;

/** A number as one dials it: with a plus or 00, or with the trunk prefix that its country has. */
const isDialable = (digits: string, hasPlus: boolean, country: CountryCode | undefined): boolean => {
  const international = hasPlus ? `+${digits}` : digits.startsWith('00') ? `+${digits.slice(2)}` : undefined;
  const parsed = parsePhoneNumberFromString(
    international ?? digits,
    country === undefined ? {} : { defaultCountry: country },
  );
  if (parsed === undefined) return false;
  if (international !== undefined) return parsed.isPossible();
  if (!parsed.isValid()) return false;
  const national = parsed.formatNational().replaceAll(/\D/g, '');
  return digits === national || digits === `${parsed.countryCallingCode}${parsed.nationalNumber}`;
};

/** The digits of a code such as 1Z9998765. */
const isInWord = (text: string, { start }: DigitRun): boolean => /\p{L}$/u.test(text.slice(0, start));

const isTelephone = (text: string, run: DigitRun, country: CountryCode | undefined): boolean => {
  const digits = run.groups.map((group) => group.digits).join('');
  const before = text.slice(Math.max(0, run.start - reach), run.start);
  const [telephone, other] = [lastIndexOf(before, about), lastIndexOf(before, otherThing)];
  if (other > telephone) return run.hasPlus && isDialable(digits, true, country);
  if (isDialable(digits, run.hasPlus, country)) return true;
  // People leave the area code out, and recognizers a digit.
  return telephone >= 0 && digits.length >= shortestLocal && digits.length <= 15;
};

/** @param runs those of the text */
export const telephonesIn = (
  text: string,
  context: SearchContext,
  runs: readonly DigitRun[],
): readonly Finding[] => {
  if (runs.length === 0) return [];
  const country = telephoneCountry(context);
  return runs
    .filter((run) => !isInWord(text, run) && isTelephone(text, run, country))
    .map(({ start, end }) => ({
      kind: 'telephone',
      start: text[start - 1] === '(' ? start - 1 : start,
      end,
    }));
};
