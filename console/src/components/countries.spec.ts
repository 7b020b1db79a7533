import { describe, expect, it } from '@jest/globals';
import { countryChoices, countryName } from './countries.js';

describe('countries', () => {
  it('lists each once, by name, and each has a name of its own', () => {
    const choices = countryChoices();
    expect(new Set(choices.map(({ value }) => value)).size).toBe(choices.length);
    expect(choices.filter(({ value, label }) => label === `${value} (${value})`)).toEqual([]);
    expect(choices.find(({ value }) => value === 'DE')).toEqual({ value: 'DE', label: 'Germany (DE)' });
  });

  it('leaves alone what is no code', () => {
    expect([countryName('US'), countryName(''), countryName('Earth')]).toEqual([
      'United States',
      '',
      'Earth',
    ]);
  });
});
