// The numbers that may be called. Emergency and premium-rate numbers never may, numbers of other countries only when
// the country is allowed.
import { AppError } from '@parlance/errors';
import { type CountryCode, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** No subscriber's number is shorter; emergency and service numbers are. */
const fewestDigits = 7;
/** The caller or the callee pays more than a call costs. */
const paidTypes: readonly string[] = ['PREMIUM_RATE', 'SHARED_COST', 'UAN'];

const digitsOf = (text: string): number => text.replace(/\D/g, '').length;

const invalid = (field: string): AppError =>
  new AppError('INVALID_PHONE_NUMBER', {
    details: {
      issues: [{ path: `body.${field}`, code: 'invalid_phone_number', message: 'is not a phone number' }],
    },
  });

const isReal = (number: PhoneNumber | undefined): number is PhoneNumber => number?.isPossible() === true;

/** True for a number with a price above that of a normal call. */
export const isPaid = (number: PhoneNumber): boolean => paidTypes.includes(number.getType() ?? '');

/** A caller's number in international form, with or without the plus. */
const parseCaller = (text: string): PhoneNumber => {
  const number = parsePhoneNumberFromString(text.startsWith('+') ? text : `+${text}`);
  if (!isReal(number)) throw invalid('fromNumber');
  return number;
};

export type RefusedDestination = 'emergency_or_service_number' | 'premium_rate' | 'country';
export type Destination =
  | { readonly kind: 'callable'; readonly number: string }
  | { readonly kind: 'not_a_number' }
  | { readonly kind: 'refused'; readonly reason: RefusedDestination };

/** The origin and the allowed destinations of calls. */
export interface DialingPlan {
  /** The country of the caller number; decides the reading of a destination without a plus. */
  readonly country: CountryCode | undefined;
  /** All that may be called, as ISO 3166 codes. */
  readonly allowedCountries: readonly string[];
}

/** The destination in `text`, and whether it may be called. */
export const readDestination = (text: string, { country, allowedCountries }: DialingPlan): Destination => {
  if (digitsOf(text) < fewestDigits) return { kind: 'refused', reason: 'emergency_or_service_number' };
  const to = parsePhoneNumberFromString(text, country ? { defaultCountry: country } : {});
  if (!isReal(to)) return { kind: 'not_a_number' };
  if (isPaid(to)) return { kind: 'refused', reason: 'premium_rate' };
  const isAllowed = to.country !== undefined && allowedCountries.includes(to.country);
  return isAllowed ? { kind: 'callable', number: to.number } : { kind: 'refused', reason: 'country' };
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
  if (readDestination(phoneNumber, { country, allowedCountries: [] }).kind === 'not_a_number')
    throw invalid('phoneNumber');
};

/**
 * Both numbers in E.164 form. A destination without a plus is read as the caller's country writes it.
 * @param allowedCountries as ISO 3166 codes
 * @throws AppError INVALID_PHONE_NUMBER; DESTINATION_NOT_ALLOWED for a number that may never, or not from here, be
 *   called
 */
export const resolveNumbers = (
  { fromNumber, phoneNumber }: NumberPair,
  allowedCountries: readonly string[],
): NumberPair => {
  const from = parseCaller(fromNumber);
  const to = readDestination(phoneNumber, { country: from.country, allowedCountries });
  if (to.kind === 'not_a_number') throw invalid('phoneNumber');
  if (to.kind === 'refused')
    throw new AppError('DESTINATION_NOT_ALLOWED', { details: { reason: to.reason } });
  if (to.number === from.number)
    throw new AppError('DESTINATION_NOT_ALLOWED', { details: { reason: 'own_number' } });
  return { fromNumber: from.number, phoneNumber: to.number };
};
