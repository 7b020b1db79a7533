// Which countries an organization calls.
import type { VersionedSettings } from '@parlance/contracts';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { isPaid } from '../outbound-call/phone-numbers.js';

export interface CountryRules {
  readonly settings: Pick<VersionedSettings, 'allowedCountries'>;
  /** Of the organization's own numbers. */
  readonly ownCountries: readonly string[];
  /** What this deployment allows everybody. */
  readonly everybodys: readonly string[];
}

/** What the organization chose; until it does, the countries of its own numbers, or else that of the caller's number. */
export const allowedCountries = (
  { settings, ownCountries, everybodys }: CountryRules,
  fromNumber: string,
): readonly string[] => {
  const caller = parsePhoneNumberFromString(fromNumber)?.country;
  const own = ownCountries.length > 0 ? ownCountries : caller === undefined ? [] : [caller];
  return [...(settings.allowedCountries ?? own), ...everybodys];
};

/** @param phoneNumber E.164 */
export const isDestinationAllowed = (phoneNumber: string, countries: readonly string[]): boolean => {
  const number = parsePhoneNumberFromString(phoneNumber);
  return number?.country !== undefined && countries.includes(number.country) && !isPaid(number);
};
