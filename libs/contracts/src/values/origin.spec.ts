import { describe, expect, it } from '@jest/globals';
import { admitsOrigin, allowedOrigin } from './origin.js';

const list = [
  'https://shop.example.com',
  'https://shop.example.com:8443',
  'https://*.example.org',
  'https://*.example.org:444',
  'https://xn--bcher-kva.example',
  'http://localhost:3000',
];

const admitted = [
  'https://shop.example.com',
  'https://shop.example.com:8443',
  'https://www.example.org',
  'https://a-1.example.org:444',
  'https://xn--bcher-kva.example',
  'http://localhost:3000',
];

/** Spoofed origins, near misses, and spellings that no browser sends. */
const refused = [
  undefined,
  '',
  'null',
  '*',
  'https://',
  'https://*.example.org',
  'http://shop.example.com',
  'HTTPS://shop.example.com',
  'https://SHOP.example.com',
  'https://shop.example.com/',
  'https://shop.example.com.',
  'https://shop.example.com:443',
  'https://shop.example.com:8444',
  'https://shop.example.com:84430',
  'https://shop.example.com:08443',
  'https://shop.example.com:',
  'https://shop.example.com:8443/',
  'https://shop.example.com.evil.example',
  'https://evilshop.example.com',
  'https://evil-shop.example.com',
  'https://shop-example.com',
  'https://shop.example.co',
  'https://shop.example.comm',
  'https://example.com',
  'https://a.shop.example.com',
  'https://shop.example.com@evil.example',
  'https://shop.example.com:pw@evil.example',
  'https://evil.example/https://shop.example.com',
  'https://evil.example#https://shop.example.com',
  'https://evil.example?https://shop.example.com',
  'https://evil.example\\.shop.example.com',
  'https://shop.example.com\u0000.evil.example',
  'https://shop.example.com%00.evil.example',
  'https://shop.example.com%2eevil.example',
  'https://shop.example.com evil.example',
  ' https://shop.example.com',
  'https://shop.example.com ',
  'https://shop.example.com, https://evil.example',
  'https://evil.example, https://shop.example.com',
  'https://shop.example.com\nhttps://evil.example',
  'https://shop。example.com',
  'https://ѕhop.example.com',
  'https://shop.example.com\u200b',
  'https://example.org',
  'https://.example.org',
  'https://a.b.example.org',
  'https://www.example.org.',
  'https://www.example.org.evil.example',
  'https://wwwexample.org',
  'https://evil.example/.example.org',
  'https://evil.example#.example.org',
  'https://evil.example:80.example.org',
  'https://user@www.example.org',
  'https://-.example.org',
  'https://a_b.example.org',
  'https://www.example.org:445',
  'https://bücher.example',
  'https://xn--bcher-kva.example.evil.example',
  'https://xn--bcher-kvb.example',
  'http://localhost',
  'http://localhost:3001',
  'https://localhost:3000',
  'http://127.0.0.1:3000',
  'file://',
  'data:text/html,x',
  'javascript:alert(1)',
  'chrome-extension://abcdefghijklmnop',
] as const;

describe('an origin', () => {
  it.each(admitted)('%s is admitted, because the list has exactly it', (origin) => {
    expect(admitsOrigin(list, origin)).toBe(true);
  });

  it('of sixty spoofed and near-miss ones is never admitted', () => {
    expect(refused.length).toBeGreaterThanOrEqual(60);
    expect(refused.filter((origin) => admitsOrigin(list, origin))).toEqual([]);
  });

  it('is never admitted by an empty list', () => {
    expect([...admitted, ...refused].filter((origin) => admitsOrigin([], origin))).toEqual([]);
  });
});

describe('the list of a widget', () => {
  it.each([...list, 'http://127.0.0.1:8080', 'https://192.0.2.1', 'https://example.com:8443'])(
    'takes %s',
    (origin) => {
      expect(allowedOrigin.safeParse(origin).success).toBe(true);
    },
  );

  it.each([
    ['plain http', 'http://example.com'],
    ['a path', 'https://example.com/'],
    ['the usual port', 'https://example.com:443'],
    ['capitals', 'https://Example.com'],
    ['a trailing dot', 'https://example.com.'],
    ['letters that DNS does not have', 'https://bücher.example'],
    ['credentials', 'https://a:b@example.com'],
    ['null', 'null'],
    ['everything', '*'],
    ['every host', 'https://*'],
    ['every host of a top-level domain', 'https://*.com'],
    ['every host of a public suffix', 'https://*.co.uk'],
    ['every site of a host of strangers', 'https://*.github.io'],
    ['two wildcards', 'https://*.*.example.com'],
    ['ten wildcards', `https://${'*.'.repeat(10)}example.com`],
    ['a wildcard in the middle', 'https://www.*.example.com'],
    ['part of a label', 'https://www*.example.com'],
    ['a wildcard before an address', 'https://*.192.0.2.1'],
    ['a wildcard and plain http', 'http://*.example.com'],
    ['a wildcard on the own machine', 'https://*.localhost'],
    ['a script', 'javascript:alert(1)'],
    ['another scheme', 'ftp://example.com'],
    ['an underscore', 'https://a_b.example.com'],
    ['white space', ' https://example.com'],
  ])('refuses %s as INVALID_ORIGIN', (_, origin) => {
    const [issue] = allowedOrigin.safeParse(origin).error?.issues ?? [];
    expect(issue).toMatchObject({ params: { code: 'INVALID_ORIGIN' } });
  });
});
