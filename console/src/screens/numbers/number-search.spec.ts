import { describe, expect, it } from '@jest/globals';
import { isAreaCode, numberSearchOf, quoteLeft, quotePriceText } from './number-search.js';

describe('a search for numbers', () => {
  it('is read from an address, with the area code as text or number', () => {
    expect(numberSearchOf({ provider: 'TWILIO', country: 'US', areaCode: 415 })).toEqual({
      ...{ provider: 'TWILIO', country: 'US', areaCode: '415' },
    });
    expect(numberSearchOf({ areaCode: '20' })).toEqual({ areaCode: '20' });
  });

  it('leaves out what no provider takes', () => {
    expect(numberSearchOf({ provider: 'ACME', country: 'usa', areaCode: '0800' })).toEqual({});
    expect(['1', '999999', '', '0', '1234567', '41 5', '-1'].filter(isAreaCode)).toEqual(['1', '999999']);
  });

  it('counts a quote down to its end and not beyond', () => {
    const end = '2026-07-01T10:10:00.000Z';
    const at = (text: string): number => Date.parse(text);
    expect(quoteLeft(end, at('2026-07-01T10:00:00.000Z'))).toBe('10:00');
    expect(quoteLeft(end, at('2026-07-01T10:09:54.500Z'))).toBe('0:06');
    expect(quoteLeft(end, at('2026-07-01T10:10:00.000Z'))).toBeUndefined();
  });

  it('has prices in the currency of the quote, and names none that nobody has told', () => {
    expect(quotePriceText(1_150_000, 'USD')).toBe('$1.15');
    expect(quotePriceText(1_150_000, 'GBP')).toBe('£1.15');
    expect(quotePriceText(115_000_000, 'JPY')).toBe('¥115');
    expect(quotePriceText(1_150_000, undefined)).toBe('1.15');
  });
});
