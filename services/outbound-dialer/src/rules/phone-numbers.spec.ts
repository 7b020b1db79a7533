import { describe, expect, it } from '@jest/globals';
import { readNumbers } from './phone-numbers.js';
import { allowedOrThrow } from './refusals.js';

const fromNumber = '+14155550142';
const to = (phoneNumber: string, from = fromNumber, allowed: readonly string[] = ['US']) => {
  const read = readNumbers({ fromNumber: from, phoneNumber }, allowed);
  const { destination } = allowedOrThrow({ destination: read.destination });
  return { fromNumber: read.fromNumber, phoneNumber: destination.number };
};
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
    ['+19765551234', fromNumber],
    ['+447012345678', '+442079460000'],
    ['+447600123456', '+442079460000'],
    ['+448451234567', '+442079460000'],
    ['+4970012345678', '+4930123456'],
    ['+15335550100', fromNumber],
  ])('such as %s, which cost a premium, are never called', (number, from) => {
    expect(() => to(number, from, ['US', 'GB', 'FR', 'DE'])).toThrow(code('DESTINATION_NOT_ALLOWED'));
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

  it.each([
    '+443001234567',
    '+443451234567',
    '+448001234567',
    '+448081234567',
    '+353818123456',
    '+31881234567',
  ])('such as %s, which cost no more than a landline, are called', (number) => {
    expect(to(number, fromNumber, ['GB', 'IE', 'NL']).phoneNumber).toBe(number);
  });

  it('without charge are called from every country that shares them', () => {
    for (const allowed of [['US'], ['CA']])
      expect(to('8005550100', '+14165550142', allowed).phoneNumber).toBe('+18005550100');
    expect(() => to('+18005550100', fromNumber, ['GB'])).toThrow(code('DESTINATION_NOT_ALLOWED'));
  });

  it.each([
    ['0000000000', fromNumber],
    ['1234567890', fromNumber],
    ['1111111111', fromNumber],
    ['1415555014', fromNumber],
    ['4150550100', fromNumber],
    ['+491511234567', '+4930123456'],
  ])('such as %s, which no numbering plan has, are refused', (number, from) => {
    expect(() => to(number, from, ['US', 'DE'])).toThrow(code('INVALID_PHONE_NUMBER'));
  });

  it('that lost their plus are read as what they were, and refused where they may be two', () => {
    expect(to('4915123456700', '+4930123456', ['DE']).phoneNumber).toBe('+4915123456700');
    expect(() => to('4921234567', '+4930123456', ['DE'])).toThrow(
      expect.objectContaining({
        code: 'INVALID_PHONE_NUMBER',
        details: { issues: [expect.objectContaining({ message: expect.stringContaining('lost its plus') })] },
      }),
    );
  });

  it.each(['+15550100', '+123456789012', '+99912345678'])(
    'such as %s, which cannot exist, are refused',
    (number) => {
      expect(() => to(number)).toThrow(code('INVALID_PHONE_NUMBER'));
      expect(() => to('+14155550100', number)).toThrow(code('INVALID_PHONE_NUMBER'));
    },
  );
});
