import { describe, expect, it } from '@jest/globals';
import { parsePhoneNumber } from 'libphonenumber-js/max';
import { NumberInventory } from './number-inventory.js';

const inventory = new NumberInventory('test');
const kinds: Record<string, readonly string[]> = {
  local: ['FIXED_LINE', 'FIXED_LINE_OR_MOBILE'],
  mobile: ['MOBILE'],
  toll_free: ['TOLL_FREE'],
};
const all = inventory.countries.flatMap((country) =>
  inventory.typesIn(country).flatMap((type) => inventory.offers(country, type)),
);

describe('the inventory', () => {
  it('has numbers of eight countries', () => {
    expect(inventory.countries).toEqual(['US', 'CA', 'GB', 'DE', 'FR', 'ES', 'NL', 'AU']);
    expect(new Set(all.map(({ phoneNumber }) => phoneNumber)).size).toBe(all.length);
  });

  it('sells only valid numbers of the country and type that it says', () => {
    const wrong = all.filter(({ phoneNumber, area }) => {
      const parsed = parsePhoneNumber(phoneNumber);
      const countries = [parsed.country, ...(parsed.getPossibleCountries() ?? [])];
      // A toll-free number of North America belongs to no country alone.
      const itsCountry =
        countries.includes(area.country as 'US') || (area.callingCode === '1' && area.type === 'toll_free');
      return !parsed.isValid() || !itsCountry || !kinds[area.type]?.includes(parsed.getType() ?? '');
    });
    expect(wrong).toEqual([]);
  });

  it('is the same for the same seed and another for another', () => {
    expect(new NumberInventory('test').offers('US', 'local')).toEqual(inventory.offers('US', 'local'));
    const other = new NumberInventory('other').offers('US', 'local')[0];
    expect(other && inventory.find(other.phoneNumber)).toBeUndefined();
  });

  it('finds what it offers and nothing else', () => {
    const [first] = inventory.offers('GB', 'local');
    expect(first && inventory.find(first.phoneNumber)).toBe(first);
    expect(inventory.find('+14155550100')).toBeUndefined();
  });
});
