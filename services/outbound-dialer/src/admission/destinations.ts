// Which countries an organization calls.
import type { VersionedSettings } from '@parlance/contracts';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { isPaid } from '../outbound-call/phone-numbers.js';

export interface CountryRules {
  readonly settings: Pick<VersionedSettings, 'allowedCountries'>;
  /** Of the numbers that the organization may call from. */
  readonly ownCountries: readonly string[];
  /** What this deployment allows everybody. */
  readonly everybodys: readonly string[];
}

/**
 * The countries that the organization chose, or else those of its own numbers; and the countries that the deployment adds.
 * An organization without a number has none, even if it chose some: otherwise signing up would be enough to make calls.
 */
export const allowedCountries = ({ settings, ownCountries, everybodys }: CountryRules): readonly string[] =>
  ownCountries.length === 0 ? [] : [...(settings.allowedCountries ?? ownCountries), ...everybodys];

/** @param phoneNumber E.164 */
export const isDestinationAllowed = (phoneNumber: string, countries: readonly string[]): boolean => {
  const number = parsePhoneNumberFromString(phoneNumber);
  return number?.country !== undefined && countries.includes(number.country) && !isPaid(number);
};
