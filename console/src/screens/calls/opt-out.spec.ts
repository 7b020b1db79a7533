import { describe, expect, it } from '@jest/globals';
import { optOutOf } from './opt-out.js';

const outbound = {
  channel: 'phone',
  direction: 'outbound',
  fromNumber: '+14155550142',
  toNumber: '+14155550177',
  optedOut: true,
} as const;

describe('the request of a person not to be called again', () => {
  it('is no fact of a call without it', () => {
    expect(optOutOf({ ...outbound, optedOut: false }, true)).toBeUndefined();
    const { optedOut: _, ...without } = outbound;
    expect(optOutOf(without, true)).toBeUndefined();
  });

  it.each([
    ['called', outbound, '14155550177'],
    ['calling', { ...outbound, direction: 'inbound' } as const, '14155550142'],
  ])('opens the list at the number of the %s person', (_, call, number) => {
    expect(optOutOf(call, true)).toEqual({ text: 'Asked not to be called again', entry: { number } });
  });

  it('has no link for members who may not read the list', () => {
    expect(optOutOf(outbound, false)).toEqual({ text: 'Asked not to be called again', entry: undefined });
  });

  it('says that a number which is withheld cannot be on the list', () => {
    const call = { ...outbound, direction: 'inbound', fromNumber: null } as const;
    expect(optOutOf(call, true)).toEqual({
      text: 'Asked not to be called again, from a number that is not shown',
      entry: undefined,
    });
  });
});
