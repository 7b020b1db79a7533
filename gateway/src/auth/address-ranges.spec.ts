import { describe, expect, it } from '@jest/globals';
import { canonicalRange } from '@parlance/contracts';
import { rangesInclude } from './address-ranges.js';

describe('a range of addresses', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7/32'],
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['::/0', '::/0'],
    ['2001:DB8::1', '2001:db8::1/128'],
    ['2001:db8:0:0::/64', '2001:db8::/64'],
    ['::ffff:203.0.113.7', '203.0.113.7/32'],
    ['::ffff:203.0.113.0/120', '203.0.113.0/24'],
  ])('has one spelling: %s', (text, canonical) => {
    expect(canonicalRange(text)).toBe(canonical);
  });

  it.each([
    '',
    ' ',
    '10.0.0.1/8',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/08',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '2001:db8::1/64',
    '::/129',
    '10.1',
    '010.0.0.1',
    '0x0a000001',
    '167772161',
    '1.2.3.256',
    'fe80::1%eth0',
    'example.com',
    '10.0.0.0-10.0.0.9',
    '*',
    '10.0.0.0/8\n',
    '١.2.3.4',
  ])('is not %j', (text) => {
    expect(canonicalRange(text)).toBeUndefined();
  });

  it.each([
    ['203.0.113.7', ['203.0.113.7/32'], true],
    ['203.0.113.8', ['203.0.113.7/32'], false],
    ['::ffff:203.0.113.7', ['203.0.113.0/24'], true],
    ['203.0.113.7', ['10.0.0.0/8', '203.0.113.0/24'], true],
    ['2001:db8::5', ['2001:db8::/64'], true],
    ['2001:db8:0:1::5', ['2001:db8::/64'], false],
    ['203.0.113.7', ['::/0'], false],
    ['2001:db8::5', ['0.0.0.0/0'], false],
    ['', ['0.0.0.0/0'], false],
    ['unknown', ['0.0.0.0/0', '::/0'], false],
  ])('holds or does not hold %s: %j', (address, ranges, held) => {
    expect(rangesInclude(ranges)(address)).toBe(held);
  });
});
