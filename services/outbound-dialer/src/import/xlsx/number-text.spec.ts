import { describe, expect, it } from '@jest/globals';
import { hiddenDigits, numberText } from './number-text.js';

const general = 0;
const declared = 164;
const text = (value: number, code?: string, id = code === undefined ? general : declared): string =>
  numberText(id, code)(value, false);

describe('the text of a number', () => {
  it.each([
    [0.1 + 0.2, '0.3'],
    [19.989999999999998, '19.99'],
    [102.71745296899999, '102.717452969'],
    [133.80000000000001, '133.8'],
    [7.4999999999999997e-2, '0.075'],
    [1e-7, '0.0000001'],
    [-1.25e-9, '-0.00000000125'],
    [1.2345678901234567e19, '12345678901234600000'],
    [14155550102, '14155550102'],
    [1e300, '1E+300'],
    [5e-324, '5E-324'],
    [-0, '0'],
    [-12.5, '-12.5'],
  ])(
    'without a format has fifteen digits and no exponent that a person would not write: %p',
    (value, shown) => {
      expect(text(value)).toBe(shown);
    },
  );

  it.each([
    ['percent', 0.25, '0%', '25%'],
    ['percent with decimals', 0.12345, '0.00%', '12.35%'],
    ['leading zeros', 2134, '00000', '02134'],
    ['ten leading zeros', 4711, '0000000000', '0000004711'],
    ['fixed decimals', 1.005, '0.00', '1.01'],
    ['thousands', 1234567.891, '#,##0', '1,234,568'],
    ['an amount of money', 0.30000000000000004, '"€"#,##0.00', '0.3'],
    ['an amount of money of a country', 1234.5, '#,##0.00 [$€-407]', '1234.5'],
    ['an amount of money with a code', -1234.5, '[$CHF-100C] #,##0.00', '-1234.5'],
    ['an amount in accounting', 1234.5, '_("$"* #,##0.00_);_("$"* (#,##0.00)', '1234.5'],
    ['negative in brackets and red', -3.5, '#,##0.00_);[Red](#,##0.00)', '(3.50)'],
    ['a fraction', 3.25, '# ?/?', '3 1/4'],
    ['scientific', 12345.678, '0.00E+00', '1.23E+04'],
    ['a condition', 5550102, '[<=9999999]###-####;(###) ###-####', '555-0102'],
    ['words', 3, '0 "months"', '3 months'],
    ['a word for zero', 0, '0;-0;"none"', 'none'],
    ['nothing shown', 5, ';;;', ''],
    ['a date', 46387, 'dd.mm.yyyy', '31.12.2026'],
    ['a date with words', 45678.5, '[Red]"day" yyyy\\-mm', 'day 2025-01'],
    ['the month in German', 46387, '[$-407]d. mmmm yyyy', '31. Dezember 2026'],
    ['a time', 0.60416666666666663, 'h:mm AM/PM', '2:30 PM'],
    ['hours beyond a day', 1.5, '[h]:mm', '36:00'],
    ['text', 14155550102, '@', '14155550102'],
    ['minus zero', -0, '0.0', '0.0'],
    ['a date that there is not', -5, 'yyyy', '-5'],
    ['a date after the last one', 9e9, 'yyyy', '9000000000'],
    ['a format that is none', 7, 'bad "', '7'],
    ['a format that is far too long', 7, '0'.repeat(10_000), '7'],
    ["the system's long date", 46387, '[$-F800]dddd, mmmm dd, yyyy', '2026-12-31'],
  ])('is as the spreadsheet shows it: %s', (_, value, code, shown) => {
    expect(text(value, code)).toBe(shown);
  });

  it.each([
    [9, 0.25, '25%'],
    [3, 1_000_000, '1,000,000'],
    [12, 0.5, '1/2'],
    [18, 0.75, '6:00 PM'],
    [14, 45678, '2025-01-21'],
    [14, 0.75, '18:00'],
    [22, 45678.5, '2025-01-21 12:00'],
    [31, 45678, '2025-01-21'],
    [49, 12, '12'],
    [9_999, 12, '12'],
  ])('follows the built-in format %p', (id, value, shown) => {
    expect(text(value, undefined, id)).toBe(shown);
  });

  it('counts days from 1904 where the workbook does', () => {
    expect(numberText(14, undefined)(0.5, true)).toBe('12:00');
    expect(numberText(14, undefined)(44216, true)).toBe('2025-01-21');
    expect(numberText(declared, 'yyyy-mm-dd')(44216, true)).toBe('2025-01-21');
  });
});

describe('the digits of a phone number that was entered as a number', () => {
  it.each([
    ['1.42E+10', '14155550102'],
    ['14,155,550,102', '14155550102'],
    ['14155550102.00', '14155550102'],
    ['1415555010200%', '14155550102'],
  ])('are all there beside %s', (shown, digits) => {
    expect(hiddenDigits(14155550102, shown)).toBe(digits);
  });

  it.each(['14155550102', '+14155550102', '(1415) 555-0102', '014155550102'])(
    'are those of the text itself in %s',
    (shown) => {
      expect(hiddenDigits(14155550102, shown)).toBeUndefined();
    },
  );

  it('are not made up for a number that is none', () => {
    expect(hiddenDigits(1.5, '1.5')).toBeUndefined();
    expect(hiddenDigits(1e20, '1E+20')).toBeUndefined();
  });
});
