// A page of the gateway itself is told apart from a program that tells no origin. No other page can pass for the gateway's.
import { expect, it } from '@jest/globals';
import { visitorOrigin } from './visitor-origin.js';

const own = 'https://voice.example.com';
const originOf = (headers: Record<string, string>): string | null => visitorOrigin({ headers }, own);

it('is the header as it came', () => {
  for (const origin of ['https://shop.example.com', 'null', own, 'no origin at all'])
    expect(originOf({ origin })).toBe(origin);
});

it('is the gateway’s own for a request that a browser calls same-origin and that names no other', () => {
  expect(originOf({ 'sec-fetch-site': 'same-origin' })).toBe(own);
  expect(originOf({ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' })).toBe(
    'https://evil.example',
  );
});

it.each(['same-site', 'cross-site', 'none', 'Same-Origin', 'same-origin, cross-site', ''])(
  'is none for a request without origin that comes from "%s"',
  (site) => expect(originOf({ 'sec-fetch-site': site })).toBeNull(),
);

it('is none where there is no header, or one that is longer than any that a widget may list', () => {
  expect(originOf({})).toBeNull();
  expect(
    originOf({ origin: `https://${'a'.repeat(300)}.example`, 'sec-fetch-site': 'same-origin' }),
  ).toBeNull();
});
