import { describe, expect, it } from '@jest/globals';
import { personIn } from './opt-out.js';

const own = '+442079460001';
const inbound = (fromNumber: string | null, toNumber: string | null = own) =>
  personIn({ direction: 'inbound', fromNumber, toNumber });

describe('the person in a call', () => {
  it('is the caller of an inbound call, and the number that an outbound call has dialled', () => {
    expect(inbound('+14155550177')).toBe('+14155550177');
    expect(personIn({ direction: 'outbound', fromNumber: own, toNumber: '+14155550177' })).toBe(
      '+14155550177',
    );
  });

  it.each(['020 7946 0958', '02079460958', '+44 (0)20 7946 0958'])(
    'is found by %j as a provider in the country of the called number may write it',
    (written) => {
      expect(inbound(written)).toBe('+442079460958');
    },
  );

  it.each([
    null,
    '',
    'anonymous',
    'Restricted',
    'unknown',
    '+266696687',
    '+7378742833',
    'sip:anonymous@anonymous.invalid',
  ])('has no number where %j is given instead of one', (withheld) => {
    expect(inbound(withheld)).toBeUndefined();
  });

  it('has no number where its country is not known', () => {
    expect(inbound('020 7946 0958', null)).toBeUndefined();
  });
});
