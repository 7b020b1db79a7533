// The numbers that may be called. Emergency and premium-rate numbers never may, numbers of other countries only when
// the country is allowed.
import { AppError } from '@parlance/errors';
import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max';
import { likelier } from './lost-plus.js';
import { readWritten } from './written-number.js';

/** No subscriber's number is shorter; emergency and service numbers are. */
const fewestDigits = 7;
/**
 * The caller or the callee pays more than a call costs, or nobody talks there. Personal numbers follow their owner at the
 * caller's cost, such as 070 in Britain and 700 in Germany.
 */
const paidTypes: readonly string[] = ['PREMIUM_RATE', 'SHARED_COST', 'UAN', 'PERSONAL_NUMBER', 'PAGER'];
/**
 * Numbers of companies without a place (type UAN) that cost what a call to a landline costs, by order of the regulator:
 * Britain 03 (Ofcom), Ireland 0818 (ComReg, since 2021), the Netherlands 088 (ACM), Sweden 010 (PTS), Switzerland 051
 * and 058 (BAKOM). Elsewhere a UAN may cost anything.
 */
const landlineRate = /^\+(?:443|353818|3188|4610|415[18])/;
/** Premium exchanges of North America that people dial like an area code; the library has no plan of them. */
const premiumExchange = /^\+1976\d{7}$/;

const withoutPlus = /^[1-9]\d{7,14}$/;

const digitsOf = (text: string): number => text.replace(/\P{Nd}/gu, '').length;

export type UnreadableNumber = 'not_a_number' | 'extension' | 'ambiguous';
export type RefusedDestination = 'emergency_or_service_number' | 'premium_rate' | 'country' | 'own_number';
export type Destination =
  | { readonly kind: 'callable'; readonly number: string }
  | { readonly kind: 'unreadable'; readonly reason: UnreadableNumber }
  | { readonly kind: 'refused'; readonly reason: RefusedDestination };

/** For a person, about a field or a cell. */
export const unreadableMessages: Readonly<Record<UnreadableNumber, string>> = {
  not_a_number: 'is not a phone number',
  extension:
    'has an extension or a second number, which cannot be dialled: enter one number, without its extension',
  ambiguous:
    'may have lost its plus, and is a number with and without it: enter it with the plus and the country code',
};

/** @param field of the request's body that has no phone number that can be read */
export const invalidNumber = (field: string, reason: UnreadableNumber = 'not_a_number'): AppError =>
  new AppError('INVALID_PHONE_NUMBER', {
    details: {
      issues: [{ path: `body.${field}`, code: 'invalid_phone_number', message: unreadableMessages[reason] }],
    },
  });

const numberIn = (text: string, country?: CountryCode): PhoneNumber | undefined =>
  parsePhoneNumberFromString(text, { extract: false, ...(country ? { defaultCountry: country } : {}) });

/** Undefined for a number that cannot exist: the plan of its country has none like it. */
const existing = (number: PhoneNumber | undefined): PhoneNumber | undefined =>
  number !== undefined && (number.isValid() || premiumExchange.test(number.number)) ? number : undefined;

/** True for a number with a price above that of a normal call. */
const isPaid = (number: PhoneNumber): boolean =>
  premiumExchange.test(number.number) ||
  (paidTypes.includes(number.getType() ?? '') && !landlineRate.test(number.number));

/** Countries of one plan share their toll-free numbers, such as +1 800, and the library names only one of them. */
const isOfCountry = (number: PhoneNumber, countries: readonly string[]): boolean => {
  if (number.country === undefined) return false;
  if (countries.includes(number.country)) return true;
  const code = number.countryCallingCode;
  return (
    number.getType() === 'TOLL_FREE' &&
    countries.some((country) => isSupportedCountry(country) && getCountryCallingCode(country) === code)
  );
};

const refusalOf = (
  number: PhoneNumber,
  allowedCountries: readonly string[],
): 'premium_rate' | 'country' | undefined => {
  if (isPaid(number)) return 'premium_rate';
  return isOfCountry(number, allowedCountries) ? undefined : 'country';
};

const destinationOf = (number: PhoneNumber, allowedCountries: readonly string[]): Destination => {
  const reason = refusalOf(number, allowedCountries);
  return reason === undefined ? { kind: 'callable', number: number.number } : { kind: 'refused', reason };
};

/**
 * The destination of a call on record.
 * @param phoneNumber E.164; earlier releases recorded numbers that cannot exist
 */
export const storedDestination = (phoneNumber: string, allowedCountries: readonly string[]): Destination => {
  const number = existing(numberIn(phoneNumber));
  return number === undefined
    ? { kind: 'unreadable', reason: 'not_a_number' }
    : destinationOf(number, allowedCountries);
};

/** A caller's number in international form, with or without the plus. */
const parseCaller = (text: string): PhoneNumber => {
  const number = parsePhoneNumberFromString(text.startsWith('+') ? text : `+${text}`);
  if (number?.isPossible() !== true) throw invalidNumber('fromNumber');
  return number;
};

/** The origin and the allowed destinations of calls. */
export interface DialingPlan {
  /** The country of the caller number; decides the reading of a destination without a plus. */
  readonly country: CountryCode | undefined;
  /** All that may be called, as ISO 3166 codes. */
  readonly allowedCountries: readonly string[];
}

/**
 * The number as the caller's country writes it, or as one that lost its plus.
 * @param digits with a plus, or without
 */
const numberOf = (
  digits: string,
  { country, allowedCountries }: DialingPlan,
): PhoneNumber | 'ambiguous' | undefined => {
  const national = existing(numberIn(digits, country));
  if (!withoutPlus.test(digits)) return national;
  const international = existing(numberIn(`+${digits}`));
  if (national === undefined || international === undefined) return national ?? international;
  if (national.number === international.number) return national;
  const isOwn = national.countryCallingCode === international.countryCallingCode;
  if (!isOwn && !isOfCountry(international, allowedCountries)) return national;
  return likelier(national, international) ?? 'ambiguous';
};

/** The destination in `text`, and whether it may be called. */
export const readDestination = (text: string, plan: DialingPlan): Destination => {
  if (digitsOf(text) < fewestDigits) return { kind: 'refused', reason: 'emergency_or_service_number' };
  const written = readWritten(text);
  if (written.kind !== 'number') return { kind: 'unreadable', reason: written.kind };
  const { digits } = written;
  const to = numberOf(digits, plan);
  if (to === undefined) return { kind: 'unreadable', reason: 'not_a_number' };
  if (to === 'ambiguous') return { kind: 'unreadable', reason: to };
  return destinationOf(to, plan.allowedCountries);
};

/** The country of a caller's number; undefined for a number without a country. */
export const countryOfCaller = (fromNumber: string): CountryCode | undefined =>
  parseCaller(fromNumber).country;

export interface NumberPair {
  readonly fromNumber: string;
  readonly phoneNumber: string;
}

/** @throws AppError INVALID_PHONE_NUMBER for a text that is no number at all, before any other service is asked about it */
export const refuseUnreadable = ({ fromNumber, phoneNumber }: NumberPair): void => {
  const { country } = parseCaller(fromNumber);
  const to = readDestination(phoneNumber, { country, allowedCountries: [] });
  if (to.kind === 'unreadable') throw invalidNumber('phoneNumber', to.reason);
};

/**
 * The caller's number in E.164, and the destination. A destination without a plus is read as the caller's country writes it, or
 * as one that lost its plus.
 * @param allowedCountries as ISO 3166 codes
 * @throws AppError INVALID_PHONE_NUMBER when the caller's number is none
 */
export const readNumbers = (
  { fromNumber, phoneNumber }: NumberPair,
  allowedCountries: readonly string[],
): { readonly fromNumber: string; readonly destination: Destination } => {
  const from = parseCaller(fromNumber);
  const to = readDestination(phoneNumber, { country: from.country, allowedCountries });
  const isOwn = to.kind === 'callable' && to.number === from.number;
  return { fromNumber: from.number, destination: isOwn ? { kind: 'refused', reason: 'own_number' } : to };
};
