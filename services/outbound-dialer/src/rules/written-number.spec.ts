import { describe, expect, it } from '@jest/globals';
import { readWritten } from './written-number.js';

const number = (digits: string) => ({ kind: 'number', digits });

describe('a number in a text', () => {
  it.each([
    ['+14155550100', '+14155550100'],
    ['(415) 555-0100', '4155550100'],
    ['+49 (0)30 123456-22', '+4903012345622'],
    ['030/123 45 67', '0301234567'],
    ['Tel.: +1 415.555.0100', '+14155550100'],
    ['415 555 0100 (home)', '4155550100'],
    ['＋１（４１５）５５５－０１００', '+14155550100'],
    ['٠١٠٠١٢٣٤٥٦٧', '01001234567'],
    ['۰۹۱۲۱۲۳۴۵۶۷', '09121234567'],
    ['\u202a+1\u00a0415\u2011555\u20130100\u202c', '+14155550100'],
  ])('is found with every digit of %j', (text, digits) => {
    expect(readWritten(text)).toEqual(number(digits));
  });

  it.each([
    '+1 415 555 0104 x123',
    '4155550104x123',
    '415-555-0105 ext. 22',
    '415-555-0105ext22',
    '415 555 0105 extension 22',
    '+14155550106;ext=9',
    '4155550107#5',
    '4155550107,,5',
    '4155550107;5',
    '4155550107*5',
    '4155550107p5',
    '4155550107w5',
    '030 123456 Durchwahl 7',
    '030 123456 доб. 7',
    '415 555 0100 or 415 555 0101',
  ])('is not found where more digits follow it: %j', (text) => {
    expect(readWritten(text)).toEqual({ kind: 'extension' });
  });

  it.each(['', 'nobody', '+', '++14155550100', '415555O100', '41555501OO', 'O4155550100', '4155550100é'])(
    'is not found in %j',
    (text) => {
      expect(readWritten(text)).toEqual({ kind: 'not_a_number' });
    },
  );

  it('is found in time that grows with the text alone', () => {
    const long = `${'1 '.repeat(200_000)}x`;
    expect(readWritten(long)).toEqual({ kind: 'number', digits: '1'.repeat(200_000) });
    expect(readWritten(`${'- '.repeat(200_000)}x`)).toEqual({ kind: 'not_a_number' });
  });
});
