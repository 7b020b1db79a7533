import { describe, expect, it } from '@jest/globals';
import { listedOrigins, nearMissOrigins } from '@parlance/fixtures/origins';
import { admitsOrigin, allowedOrigin } from './origin.js';

const admitted = [
  'https://shop.example.com',
  'https://shop.example.com:8443',
  'https://www.example.org',
  'https://a-1.example.org:444',
  'https://xn--bcher-kva.example',
  'http://localhost:3000',
];

describe('an origin', () => {
  it.each(admitted)('%s is admitted, because the list has exactly it', (origin) => {
    expect(admitsOrigin(listedOrigins, origin)).toBe(true);
  });

  it('of sixty spoofed and near-miss ones is never admitted', () => {
    expect(nearMissOrigins.length).toBeGreaterThanOrEqual(60);
    expect(nearMissOrigins.filter((origin) => admitsOrigin(listedOrigins, origin))).toEqual([]);
  });

  it('is never admitted by an empty list', () => {
    expect([...admitted, ...nearMissOrigins].filter((origin) => admitsOrigin([], origin))).toEqual([]);
  });
});

describe('the list of a widget', () => {
  it.each([...listedOrigins, 'http://127.0.0.1:8080', 'https://192.0.2.1', 'https://example.com:8443'])(
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
