import { describe, expect, it } from '@jest/globals';
import { namesIn, normalizedName, searchFrom } from './search-terms.js';

describe('what a person has typed', () => {
  it.each([
    ['+1 (415) 555-0100', '14155550100'],
    ['555-0100', '5550100'],
    ['0151 12345678', '15112345678'],
    ['100', '100'],
    ['0177', '0177'],
    ['000', '000'],
    ['004915112345678', '4915112345678'],
  ])('%s is a number', (typed, digits) => {
    expect(searchFrom(typed)).toEqual({ kind: 'number', digits });
  });

  it.each([
    ['0197F3F0-0000-7000-8000-000000000001', '0197f3f0-0000-7000-8000-000000000001'],
    ['call_42-b', 'call_42-b'],
  ])('%s is an id', (typed, id) => {
    expect(searchFrom(typed)).toEqual({ kind: 'id', id });
  });

  it.each([
    ['José  PÉREZ', 'jose perez'],
    ['O’Brien', 'o brien'],
    ['Ömer', 'omer'],
    ['李小龍', '李小龍'],
  ])('%s is a name', (typed, name) => {
    expect(searchFrom(typed)).toEqual({ kind: 'name', name });
  });
});

describe('the names of a call', () => {
  it('are found by each word, and as a whole, whatever the variable is called', () => {
    expect(namesIn({ Customer_Name: 'Grace Hopper', city: 'Berlin' })).toEqual([
      'grace hopper',
      'grace',
      'hopper',
    ]);
    expect(namesIn({ first_name: 'Grace', lastName: 'Hopper' })).toEqual(['grace', 'hopper', 'grace hopper']);
    expect(namesIn({ name: ' ', username: '???' })).toEqual([]);
  });

  it('are looked for in the form in which they are kept', () => {
    for (const name of namesIn({ name: 'Jürgen Müller-Lüdenscheidt' }))
      expect(normalizedName(name)).toBe(name);
  });

  it('of any length are few words', () => {
    expect(namesIn({ name: 'word '.repeat(500) }).length).toBeLessThanOrEqual(9);
  });
});
