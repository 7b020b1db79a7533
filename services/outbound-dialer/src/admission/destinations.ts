// The countries that an organization calls.
import type { EndedReason } from '@parlance/contracts';
import { refusalOfStored } from '../outbound-call/phone-numbers.js';
import type { SettingsInForce } from './organization-settings.js';

export interface CountryRules {
  readonly settings: Pick<SettingsInForce, 'allowedCountries' | 'operatorCountries'>;
  /** The countries of the numbers that the organization may call from. */
  readonly ownCountries: readonly string[];
  /** Countries that the deployment allows to every organization. */
  readonly everybodys: readonly string[];
}

/**
 * The countries that the organization chose, or else those of its own numbers; and the countries that the deployment adds.
 * An organization without a number has none, even if it chose some: otherwise signing up would be enough to make calls.
 * The operator's limit for the organization bounds all of them.
 */
export const allowedCountries = ({ settings, ownCountries, everybodys }: CountryRules): readonly string[] => {
  if (ownCountries.length === 0) return [];
  const allowed = [...(settings.allowedCountries ?? ownCountries), ...everybodys];
  const { operatorCountries: most } = settings;
  return most === null ? allowed : allowed.filter((country) => most.includes(country));
};

/**
 * Why the call to a number on record ends without a dial; undefined for a number that may be called.
 * @param phoneNumber E.164; earlier releases recorded numbers that cannot exist
 */
export const destinationRefusal = (
  phoneNumber: string,
  countries: readonly string[],
): EndedReason | undefined => {
  const refusal = refusalOfStored(phoneNumber, countries);
  if (refusal === undefined) return undefined;
  return refusal === 'not_a_number' ? 'invalid_destination' : 'country_not_allowed';
};
