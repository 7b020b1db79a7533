import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { type Quote, Quotes, quoteLifetimeMs } from './quotes.js';

const secret = () => new Secret(randomBytes(32).toString('base64'));
const key = secret();
const quotes = new Quotes(key);
const issuedAt = Date.parse('2026-03-01T12:00:00.000Z');
const wanted = { organizationId: 'org-1', provider: 'TWILIO', phoneNumber: '+14155550100' } as const;
const quote: Quote = {
  orgId: wanted.organizationId,
  provider: wanted.provider,
  phoneNumber: wanted.phoneNumber,
  friendlyName: '(415) 555-0100',
  isoCountry: 'US',
  locality: 'San Francisco',
  region: 'CA',
  sms: true,
  providerMonthlyCostMicros: 1_150_000,
  monthlyPriceMicros: 1_400_000,
  currency: 'USD',
  rateCatalogVersion: 'rates-1-abc',
  exp: issuedAt + quoteLifetimeMs,
  nonce: 'n-1',
};
const signed = quotes.sign(quote);
const at = (ms: number) => new Date(ms);
const answer = (text: string, by = wanted as Parameters<Quotes['verify']>[1], now = issuedAt): unknown => {
  try {
    return quotes.verify(text, by, at(now));
  } catch (error) {
    return error;
  }
};
const invalid = expect.objectContaining({ code: 'QUOTE_INVALID', details: undefined });

describe('a quote', () => {
  it('says what it said, to who asked for it', () => {
    expect(quotes.verify(signed, wanted, at(issuedAt))).toEqual(quote);
    expect(signed.length).toBeLessThan(2_048);
  });

  it('with any byte changed, added or left out is invalid, and nothing says which', () => {
    for (let index = 0; index < signed.length; index += 1) {
      const [before, character, after] = [signed.slice(0, index), signed[index], signed.slice(index + 1)];
      for (const other of ['A', 'B', '_', '.', '='])
        if (other !== character) expect(answer(before + other + after)).toEqual(invalid);
      expect(answer(before + after)).toEqual(invalid);
      expect(answer(`${before}A${character}${after}`)).toEqual(invalid);
    }
  });

  it.each([
    ['empty', ''],
    ['a dot', '.'],
    ['its payload alone', signed.split('.')[0] ?? ''],
    ['its signature alone', `.${signed.split('.')[1]}`],
    ['signed twice', `${signed}.${signed.split('.')[1]}`],
    ['something else that is signed', 'eyJ2IjoxfQ.AAAA'],
    ['long', 'A'.repeat(2_048)],
  ])('that is %s is invalid', (_, text) => expect(answer(text)).toEqual(invalid));

  it('of another key is invalid, also when it names ours', () => {
    const foreign = new Quotes(secret()).sign(quote);
    expect(answer(foreign)).toEqual(invalid);
    const [payload = '', signature = ''] = foreign.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const ours = JSON.parse(Buffer.from(signed.split('.')[0] ?? '', 'base64url').toString());
    const renamed = Buffer.from(JSON.stringify({ ...claims, kid: ours.kid })).toString('base64url');
    expect(answer(`${renamed}.${signature}`)).toEqual(invalid);
  });

  it.each([
    ['organization', { ...wanted, organizationId: 'org-2' }],
    ['provider', { ...wanted, provider: 'TELNYX' as const }],
    ['number', { ...wanted, phoneNumber: '+14155550101' }],
  ])('of another %s is as invalid as a forged one, also when it is old', (_, by) => {
    expect(answer(signed, by)).toEqual(invalid);
    expect(answer(signed, by, issuedAt + 2 * quoteLifetimeMs)).toEqual(invalid);
  });

  it('is good to the last millisecond, and then too old', () => {
    const expired = expect.objectContaining({ code: 'QUOTE_EXPIRED' });
    expect(answer(signed, wanted, quote.exp - 1_000)).toEqual(quote);
    expect(answer(signed, wanted, quote.exp - 1)).toEqual(quote);
    expect(answer(signed, wanted, quote.exp)).toEqual(expired);
    expect(answer(signed, wanted, quote.exp + 1_000)).toEqual(expired);
  });

  it('of the key before is still taken, new ones are of the new key', () => {
    const next = secret();
    const after = new Quotes(next, [key]);
    expect(after.verify(signed, wanted, at(issuedAt))).toEqual(quote);
    expect(answer(after.sign(quote))).toEqual(invalid);
    expect(() => new Quotes(next).verify(signed, wanted, at(issuedAt))).toThrow();
  });
});
