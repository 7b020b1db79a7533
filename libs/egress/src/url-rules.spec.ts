import { describe, expect, it } from '@jest/globals';
import { hostileUrls } from './testing/hostile-urls.js';
import { UrlRules } from './url-rules.js';

const rules = new UrlRules();
const refusal = (text: string, by = rules): unknown => by.refusal(text)?.details;

describe('a URL that is saved', () => {
  it.each([
    'https://example.com/hook',
    'https://example.com:8443/hook?a=b#c',
    'https://example.com./hook',
    'https://93.184.216.34/hook',
    'https://[2606:2800:220:1:248:1893:25c8:1946]/',
    'https://xn--bcher-kva.example.org/',
    'https://bücher.example.org/',
    'https://[::ffff:93.184.216.34]/',
  ])('may be %s', (url) => {
    expect(rules.refusal(url)).toBeUndefined();
  });

  // Node 20 answers otherwise once V8 has optimised the call of `URL.canParse`.
  it('may have a letter outside ASCII, also after many calls', () => {
    const answers = new Set<unknown>();
    for (let call = 0; call < 50_000; call += 1) answers.add(rules.refusal('https://bücher.example.org/'));
    expect([...answers]).toEqual([undefined]);
  });

  it('may not lead inside, in any spelling, whatever scheme and port are allowed', () => {
    const lax = new UrlRules({ plainHttp: true, ports: 'any' });
    expect(hostileUrls.length).toBeGreaterThanOrEqual(60);
    for (const url of hostileUrls) {
      const spelled = url.replace('PORT', '8080');
      expect([spelled, lax.refusal(spelled)?.code]).toEqual([spelled, 'URL_NOT_ALLOWED']);
      expect([spelled, rules.refusal(spelled)?.code]).toEqual([spelled, 'URL_NOT_ALLOWED']);
    }
  });

  it.each([
    ['http://example.com/', 'scheme'],
    ['https://example.com:22/', 'port'],
    ['https://example.com:80/', 'port'],
    ['https://me@example.com/', 'credentials'],
    ['https://:word@example.com/', 'credentials'],
    ['https://10.0.0.1/', 'address'],
    ['https://nats/', 'host'],
    ['nonsense', 'not_a_url'],
  ])('says of %s only why: %s', (url, reason) => {
    expect(refusal(url)).toEqual({ reason });
  });

  it('may be inside, with plain http and any port, for the hosts that the operator names, and for no other', () => {
    const allowing = new UrlRules({ allowPrivate: ['LocalHost', '10.0.0.7', '::1'] });
    for (const url of ['http://localhost:9/', 'https://localhost/', 'http://10.0.0.7/', 'http://[::1]:9000/'])
      expect([url, allowing.refusal(url)]).toEqual([url, undefined]);
    for (const url of ['http://127.0.0.1/', 'http://10.0.0.8/', 'http://me@localhost/', 'ftp://localhost/'])
      expect([url, allowing.refusal(url)?.code]).toEqual([url, 'URL_NOT_ALLOWED']);
  });

  it('may be inside on the port that the operator names with the host, and on no other', () => {
    const allowing = new UrlRules({ allowPrivate: ['LocalHost:8080', '127.0.0.1:443', '[::1]:9000'] });
    for (const url of ['http://localhost:8080/', 'https://127.0.0.1/', 'http://[::1]:9000/'])
      expect([url, allowing.refusal(url)]).toEqual([url, undefined]);
    for (const url of [
      'http://localhost/',
      'http://localhost:8081/',
      'http://127.0.0.1:8080/',
      'http://127.0.0.1/',
      'http://[::1]/',
      'http://[::1:9000]/',
    ])
      expect([url, allowing.refusal(url)?.code]).toEqual([url, 'URL_NOT_ALLOWED']);
  });

  it('may not be in a range that the operator denies, though it is public', () => {
    const denying = new UrlRules({ deny: ['93.184.216.0/24', '2606:2800::/32', '1.1.1.1'] });
    for (const host of ['93.184.216.34', '[2606:2800:220::1]', '1.1.1.1', '[::ffff:1.1.1.1]'])
      expect([host, refusal(`https://${host}/`, denying)]).toEqual([host, { reason: 'address' }]);
    expect(denying.refusal('https://1.1.1.2/')).toBeUndefined();
    expect(() => new UrlRules({ deny: ['everything'] })).toThrow();
  });

  it('may have plain http and its port where documents are read, and still no inner host', () => {
    const documents = new UrlRules({ plainHttp: true });
    expect(documents.refusal('http://example.com/')).toBeUndefined();
    expect(documents.refusal('http://localhost/')?.code).toBe('URL_NOT_ALLOWED');
    expect(documents.refusal('http://example.com:8080/')?.code).toBe('URL_NOT_ALLOWED');
  });

  it('is called without the trailing dot and the fragment', () => {
    expect(rules.check('https://Example.com./a?b#c').href).toBe('https://example.com/a?b');
  });
});
