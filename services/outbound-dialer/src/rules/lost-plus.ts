// Spreadsheets take a number for a sum of money and drop its plus, or its leading zero. What is left may be a number of
// the caller's country and, behind a plus, another one.
import { type CountryCode, getExampleNumber, type PhoneNumber } from 'libphonenumber-js/max';
import examples from 'libphonenumber-js/mobile/examples';

/**
 * Area codes that begin as the country's own calling code does, where the numbering plan of the library takes any digits
 * for an area code. Germany: the lists of the Bundesnetzagentur, 0490 to 0499. Austria: of the RTR, 0435.
 */
const ownAreaCodes: Partial<Record<CountryCode, RegExp>> = {
  DE: /^49(?:0[23]|1|2\d|3[1-689]|4[1-8]|5\d|6[1-8]|7[1-7])/,
  AT: /^435\d/,
};

const usualLengths = new Map<CountryCode, number>();

/** The length of a mobile number in that country, without its calling code. */
const usualLength = (country: CountryCode): number => {
  const known = usualLengths.get(country);
  if (known !== undefined) return known;
  const length = getExampleNumber(country, examples)?.nationalNumber.length ?? 0;
  usualLengths.set(country, length);
  return length;
};

/** The number of digits that the number has more or fewer than usual. */
const excess = ({ nationalNumber, country }: PhoneNumber): number =>
  country === undefined ? Number.POSITIVE_INFINITY : nationalNumber.length - usualLength(country);

const oddity = (number: PhoneNumber): number => Math.abs(excess(number));

const isMobile = (number: PhoneNumber): boolean => /MOBILE/.test(number.getType() ?? '');

const hasAreaCode = ({ nationalNumber, country }: PhoneNumber): boolean =>
  country === undefined || (ownAreaCodes[country]?.test(nationalNumber) ?? true);

/**
 * The number that a text without a plus means, if it is a number both ways and not the same one. The international
 * reading is meant where the national one is longer than numbers of that country are, or has an area code that does not
 * exist. A foreign number is only assumed where a number of the caller's country would be the odder one.
 * @param national the text as the caller's country writes it, without its trunk prefix
 * @param international the text behind a plus, a number that may be called
 * @returns undefined where both are plausible: nobody is called then
 */
export const likelier = (national: PhoneNumber, international: PhoneNumber): PhoneNumber | undefined => {
  const isOwn = national.countryCallingCode === international.countryCallingCode;
  if (isOwn && !isMobile(national) && !hasAreaCode(national)) return international;
  if (excess(national) > 0 && oddity(international) <= oddity(national)) return international;
  if (isOwn) return undefined;
  return isMobile(national) || oddity(national) < oddity(international) ? national : undefined;
};
