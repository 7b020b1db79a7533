// Words are similar by their letters and by their sound, in every script.
import { describe, expect, it } from '@jest/globals';
import { gramsOf, isComparable, soundOf, spellingOf } from './spelling.js';

const similarity = (a: string, b: string): number => {
  const [of, others] = [gramsOf(spellingOf(a)), gramsOf(spellingOf(b))];
  return (2 * of.filter((gram) => others.includes(gram)).length) / (of.length + others.length);
};

describe('the spelling of words', () => {
  it.each([
    ['zwroty', 'zwrotu'],
    ['kirjojen', 'kirjoja'],
    ['배송비가', '배송비는'],
    ['예약', '예약은'],
    ['ההחזר', 'החזרים'],
    ['المواعيد', 'مواعيد'],
    ['посылку', 'посылки'],
    ['zeittschrift', 'Zeitschriften'],
    ['cataloge', 'katalogs'],
  ])('finds %s similar to %s', (a, b) => {
    expect(similarity(a, b)).toBeGreaterThanOrEqual(0.4);
  });

  it.each([
    ['parking', 'refund'],
    ['배송비', '환불은'],
    ['посылка', 'возврат'],
  ])('finds nothing in common between %s and %s', (a, b) => {
    expect(similarity(a, b)).toBeLessThan(0.2);
  });

  it('compares the Latin word within a word of two scripts', () => {
    expect(similarity('router를', 'router')).toBeGreaterThan(0.8);
  });

  it('takes a word without its accents for the same word', () => {
    for (const [a, b] of [
      ['Łukasz', 'lukasz'],
      ['zürich', 'zurich'],
      ['ёлка', 'елка'],
      ['σκύλος', 'σκυλοσ'],
    ] as const)
      expect(spellingOf(a)).toBe(spellingOf(b));
  });
});

describe('the sound of words', () => {
  it.each([
    ['Wiśniewska', 'vishnevska'],
    ['gearbox', 'gearbocks'],
    ['Schmidt', 'shmit'],
    ['photon', 'foton'],
  ])('is the same for %s and %s', (a, b) => {
    expect(soundOf(a)).toBe(soundOf(b));
  });
});

it('compares words, and neither codes, numbers, short words nor scripts without spaces', () => {
  expect(['gearbox', 'ekran', '책', 'דג'].every(isComparable)).toBe(true);
  expect(['px-1120', '1120', 'of', '退款', 'จัด', 'a'.repeat(41), '', "'"].some(isComparable)).toBe(false);
});

it('makes a bounded number of grams of a word of any length', () => {
  const syllables = Array.from({ length: 1_000 }, (_, at) => String.fromCodePoint(0xac00 + at)).join('');
  expect(gramsOf(syllables).length).toBe(64);
});
