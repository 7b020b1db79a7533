import { describe, expect, it } from '@jest/globals';
import { allowedCountries } from './destinations.js';

const chosen = (countries: string[] | null, operatorCountries: string[] | null = null) => ({
  allowedCountries: countries,
  operatorCountries,
});

describe('the countries that an organization calls', () => {
  it('are those of its numbers until it chooses, and everybody’s', () => {
    const rules = { ownCountries: ['US'], everybodys: ['CA'] };
    expect(allowedCountries({ settings: chosen(null), ...rules })).toEqual(['US', 'CA']);
    expect(allowedCountries({ settings: chosen(['GB']), ...rules })).toEqual(['GB', 'CA']);
  });

  it('are never others than those that the operator lets it call', () => {
    const rules = { ownCountries: ['US', 'FR'], everybodys: ['CA'] };
    const settings = chosen(['GB', 'DE'], ['DE', 'CA', 'IT']);
    expect(allowedCountries({ settings, ...rules })).toEqual(['DE', 'CA']);
    expect(allowedCountries({ settings: chosen(null, ['US']), ...rules })).toEqual(['US']);
    expect(allowedCountries({ settings: chosen(null, []), ...rules })).toEqual([]);
  });

  it('are none without a number, whatever it chose and whatever everybody may call', () => {
    for (const settings of [chosen(null), chosen(['GB'])])
      expect(allowedCountries({ settings, ownCountries: [], everybodys: ['CA'] })).toEqual([]);
  });
});
