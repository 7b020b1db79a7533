import { describe, expect, it } from '@jest/globals';
import { amountOf, microsOf } from './amounts.js';

describe('an amount', () => {
  it.each([
    ['0', 0],
    ['1', 1_000_000],
    ['0.1', 100_000],
    ['0.000001', 1],
    ['1000000000', 1_000_000_000_000_000],
  ])('%s is %d micros, exactly', (text, micros) => {
    expect(microsOf(text)).toBe(micros);
  });

  it.each([
    '',
    '.5',
    '1.',
    '-1',
    '+1',
    '1e3',
    '0.0000001',
    '1,5',
    ' 1',
    '1000000000.1',
    '99999999999',
    'none',
  ])('that is written as "%s" is not read', (text) => {
    expect(microsOf(text)).toBeUndefined();
  });

  it.each([
    [0, '0.00'],
    [1, '0.000001'],
    [12_500, '0.0125'],
    [100_000, '0.10'],
    [50_000_000, '50.00'],
  ])('of %d micros is shown as %s', (micros, text) => {
    expect(amountOf(micros)).toBe(text);
  });
});
