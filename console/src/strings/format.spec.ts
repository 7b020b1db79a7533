// Values as people read them.
import { describe, expect, it } from '@jest/globals';
import { bytesText, durationText, exactMoneyText, momentText, moneyText, relativeText } from './format.js';

describe('a value is shown', () => {
  it.each([
    [0, '0 s'],
    [12_400, '12 s'],
    [123_000, '2 min 03 s'],
    [3_900_000, '1 h 05 min'],
  ])('as a duration: %d ms is %s', (ms, text) => expect(durationText(ms)).toBe(text));

  it.each([
    [-30_000, undefined],
    [-3 * 3_600_000, '3 hours ago'],
    [2 * 86_400_000, 'in 2 days'],
    [-86_400_000, 'yesterday'],
  ])('as a distance from now: %d ms is %s', (distance, text) =>
    expect(relativeText(1_700_000_000_000 + distance, 1_700_000_000_000)).toBe(text),
  );

  it('as a moment in the time zone of the organization, whatever the zone of the machine is', () => {
    expect(momentText('2026-07-01T22:30:00.000Z', 'Europe/Berlin')).toBe('Jul 2, 2026, 00:30 GMT+2');
    expect(momentText('2026-07-01T22:30:00.000Z', 'UTC')).toBe('Jul 1, 2026, 22:30 UTC');
  });

  it.each([
    [12_345_678, '$12.35'],
    [8_500, '$0.0085'],
    [0, '$0.00'],
  ])('as money: %d millionths are %s', (micros, text) => expect(moneyText(micros, 'USD')).toBe(text));

  it('as money to the millionth, where amounts are added up', () =>
    expect([1, 8_500, 12_345_678].map((micros) => exactMoneyText(micros, 'USD'))).toEqual([
      '$0.000001',
      '$0.0085',
      '$12.345678',
    ]));

  it.each([
    [1_500, '1.5 KB'],
    [3_400_000, '3.4 MB'],
    [107_374_182_400, '107.4 GB'],
  ])('as a size: %d bytes are %s', (bytes, text) => expect(bytesText(bytes)).toBe(text));
});
