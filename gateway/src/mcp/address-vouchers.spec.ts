import { describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { AddressVouchers } from './address-vouchers.js';

let now = 1_000_000;
const vouchers = new AddressVouchers(new Secret('a key of the gateway, long enough'), () => now);
const request = { ip: '203.0.113.7', headers: { 'x-api-key': 'one' } };

describe('a voucher', () => {
  it('brings the address of a request back to the gateway', () => {
    expect(vouchers.addressIn(vouchers.for(request), request)).toBe('203.0.113.7');
  });

  it('is good for the credential that it was made for, and no other', () => {
    const voucher = vouchers.for(request);
    for (const headers of [{}, { 'x-api-key': 'two' }, { authorization: 'Bearer one' }])
      expect(vouchers.addressIn(voucher, { headers })).toBeUndefined();
  });

  it('is refused with another address, from another gateway, and as any other text', () => {
    const voucher = vouchers.for(request);
    const other = new AddressVouchers(new Secret('a key of another gateway, as long'));
    for (const forged of [
      voucher.replace('203.0.113.7', '10.0.0.1'),
      voucher.replace(/^\d/, '9'),
      `${voucher}|more`,
      other.for(request),
      '127.0.0.1',
      '',
    ])
      expect(vouchers.addressIn(forged, request)).toBeUndefined();
  });

  it('ends after two minutes', () => {
    const voucher = vouchers.for(request);
    now += 119_999;
    expect(vouchers.addressIn(voucher, request)).toBe('203.0.113.7');
    now += 1;
    expect(vouchers.addressIn(voucher, request)).toBeUndefined();
  });
});
