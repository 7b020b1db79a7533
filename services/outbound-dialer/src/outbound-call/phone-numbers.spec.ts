import { describe, expect, it } from '@jest/globals';
import { resolveNumbers } from './phone-numbers.js';

const fromNumber = '+14155550142';
const to = (phoneNumber: string, from = fromNumber, allowed: readonly string[] = ['US']) =>
  resolveNumbers({ fromNumber: from, phoneNumber }, allowed);
const code = (expected: string) => expect.objectContaining({ code: expected });

describe('numbers', () => {
  it.each([
    ['+14155550100', '+14155550100'],
    ['14155550100', '+14155550100'],
    ['4155550100', '+14155550100'],
  ])('%s is dialled as %s by an American caller', (written, dialled) => {
    expect(to(written)).toEqual({ fromNumber, phoneNumber: dialled });
  });

  it('of the caller may lack the plus', () => {
    expect(to('+14155550100', '14155550142').fromNumber).toBe(fromNumber);
  });

  it.each(['911', '112', '999', '+911', '+112', '211', '988', '12345', '000', '119'])(
    'such as %s, for emergencies and services, are never called',
    (number) => {
      expect(() => to(number, fromNumber, ['US', 'GB'])).toThrow(code('DESTINATION_NOT_ALLOWED'));
    },
  );

  it.each([
    ['+19005551234', fromNumber],
    ['+449090123456', '+442079460000'],
    ['+33891234567', '+33142685300'],
    ['+979123456789', fromNumber],
  ])('such as %s, which cost a premium, are never called', (number, from) => {
    expect(() => to(number, from, ['US', 'GB', 'FR'])).toThrow(code('DESTINATION_NOT_ALLOWED'));
  });

  it('of another country are called only when the country is allowed', () => {
    expect(() => to('+442079460000')).toThrow(code('DESTINATION_NOT_ALLOWED'));
    expect(to('+442079460000', fromNumber, ['US', 'GB']).phoneNumber).toBe('+442079460000');
  });

  it('that share a country code are told apart by their country', () => {
    expect(() => to('+18765551234')).toThrow(code('DESTINATION_NOT_ALLOWED'));
  });

  it('of the caller itself are never called', () => {
    expect(() => to(fromNumber)).toThrow(code('DESTINATION_NOT_ALLOWED'));
  });

  it('of no country, such as satellites, are never called', () => {
    for (const number of ['+8835100012345', '+881612345678', '+870773123456'])
      expect(() => to(number)).toThrow(expect.objectContaining({ status: expect.any(Number) }));
  });

  it.each(['+15550100', '+123456789012', '+99912345678'])(
    'such as %s, which cannot exist, are refused',
    (number) => {
      expect(() => to(number)).toThrow(code('INVALID_PHONE_NUMBER'));
      expect(() => to('+14155550100', number)).toThrow(code('INVALID_PHONE_NUMBER'));
    },
  );
});
