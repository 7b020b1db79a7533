// Which numbers may be called. Emergency and premium-rate numbers never, other countries only when they are allowed.
import { AppError } from '@parlance/errors';
import { type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max';

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

/** A caller's number in international form, with or without the plus. */
const parseCaller = (text: string): PhoneNumber => {
  const number = parsePhoneNumberFromString(text.startsWith('+') ? text : `+${text}`);
  if (!isReal(number)) throw invalid('fromNumber');
  return number;
};

export interface NumberPair {
  readonly fromNumber: string;
  readonly phoneNumber: string;
}

/**
 * Both numbers in E.164 form. A destination without a plus is read as the caller's country writes it.
 * @param allowedCountries besides the caller's own, as ISO 3166 codes
 * @throws AppError INVALID_PHONE_NUMBER; DESTINATION_NOT_ALLOWED for what may never, or not from here, be called
 */
export const resolveNumbers = (
  { fromNumber, phoneNumber }: NumberPair,
  allowedCountries: readonly string[],
): NumberPair => {
  const refused = (reason: string): AppError =>
    new AppError('DESTINATION_NOT_ALLOWED', { details: { reason } });
  const from = parseCaller(fromNumber);
  if (digitsOf(phoneNumber) < fewestDigits) throw refused('emergency_or_service_number');
  const to = parsePhoneNumberFromString(phoneNumber, from.country ? { defaultCountry: from.country } : {});
  if (!isReal(to)) throw invalid('phoneNumber');
  if (paidTypes.includes(to.getType() ?? '')) throw refused('premium_rate');
  const isAllowed = to.country !== undefined && [from.country, ...allowedCountries].includes(to.country);
  if (!isAllowed) throw refused('country');
  return { fromNumber: from.number, phoneNumber: to.number };
};
