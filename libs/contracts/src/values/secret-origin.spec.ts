import { describe, expect, it } from '@jest/globals';
import { originOfUrl, secretOrigins } from './secret-origin.js';

const parsed = (...origins: string[]): readonly string[] | undefined => secretOrigins.safeParse(origins).data;

describe('an origin of a secret', () => {
  it.each([
    ['https://api.example.com', 'https://api.example.com'],
    ['HTTPS://API.Example.COM', 'https://api.example.com'],
    ['https://api.example.com/', 'https://api.example.com'],
    ['https://api.example.com.', 'https://api.example.com'],
    ['https://api.example.com:443', 'https://api.example.com'],
    ['https://api.example.com:8443', 'https://api.example.com:8443'],
    ['http://10.0.0.7:8080', 'http://10.0.0.7:8080'],
    ['https://0x7f.1', 'https://127.0.0.1'],
    ['https://[2001:DB8::1]:8443', 'https://[2001:db8::1]:8443'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
    ['https://ＡＰＩ.example.com', 'https://api.example.com'],
  ])('%s is kept as %s', (written, kept) => {
    expect(parsed(written)).toEqual([kept]);
  });

  it.each([
    'api.example.com',
    '',
    '*',
    'https://',
    'https://*.example.com',
    'https://*',
    'https://user@api.example.com',
    'https://user:password@api.example.com',
    'https://@api.example.com',
    'https://api.example.com/v1',
    'https://api.example.com/..',
    'https://api.example.com?x=1',
    'https://api.example.com#x',
    'https://api.example.com\\@evil.example',
    'https:\\\\api.example.com',
    'https://api.example.com..',
    'https://{{host}}',
    'https://{host}.example.com',
    'https://api.example.com:0x50',
    'https://api.example.com:99999',
    'https://api example.com',
    'https://api.example.com\t',
    'ftp://api.example.com',
    'javascript://api.example.com',
    'null',
  ])('%j is refused, with an origin as an example', (written) => {
    const refused = secretOrigins.safeParse([written]);
    expect(refused.success).toBe(false);
    if (written !== '' && !written.includes('\t'))
      expect(refused.error?.issues[0]?.message).toContain('https://api.example.com');
  });

  it('is kept once, however often and however it is written', () => {
    expect(parsed('https://b.example', 'https://a.example', 'HTTPS://A.example:443/')).toEqual([
      'https://a.example',
      'https://b.example',
    ]);
  });

  it('is the one of every address below it, in the same form', () => {
    expect(originOfUrl('https://API.example.com./v1/{id}?key={{secrets.KEY}}')).toBe(
      'https://api.example.com',
    );
    expect(originOfUrl('https://api.example.com:8443/')).toBe('https://api.example.com:8443');
    for (const none of ['no address', 'https://{{host}}/v1', 'data:text/plain,x', 'https://*.example.com/'])
      expect(originOfUrl(none)).toBeUndefined();
  });
});
