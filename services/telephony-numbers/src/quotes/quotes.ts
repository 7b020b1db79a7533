// Price quotes are signed by us, and bound to an organization, a provider, a number and a price. They are good for ten
// minutes and for one purchase. Everything that is wrong with a quote gives the same answer, except that it is too old.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '@parlance/config';
import type { Provider } from '@parlance/contracts';
import { sha256 } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import { z } from 'zod';

export const quoteLifetimeMs = 600_000;

const amount = z.int().min(0);
const Payload = z.strictObject({
  v: z.literal(1),
  /** The id of the key that signed the quote. */
  kid: z.string(),
  orgId: z.string(),
  provider: z.enum(['TWILIO', 'TELNYX']),
  phoneNumber: z.string(),
  friendlyName: z.string(),
  isoCountry: z.string(),
  locality: z.string().nullable(),
  region: z.string().nullable(),
  sms: z.boolean(),
  providerMonthlyCostMicros: amount,
  monthlyPriceMicros: amount,
  currency: z.string(),
  rateCatalogVersion: z.string(),
  /** Epoch milliseconds. */
  exp: z.int(),
  /** The unique number of the quote; remembered when the quote is used. */
  nonce: z.string(),
});

export type Quote = Omit<z.output<typeof Payload>, 'v' | 'kid'>;

/** The facts that a quote must share with the purchase. */
export interface Wanted {
  readonly organizationId: string;
  readonly provider: Provider;
  readonly phoneNumber: string;
}

const kidOf = (key: Secret): string => sha256(`quote-key ${key.reveal()}`).slice(0, 8);

const macOf = (key: Secret, payload: string): Buffer =>
  createHmac('sha256', key.reveal()).update(`quote-v1\n${payload}`).digest();

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The bytes of a part; undefined when it is not written as we write it, because base64 has several spellings. */
const bytesOf = (part: string): Buffer | undefined => {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.toString('base64url') === part ? bytes : undefined;
};

export class Quotes {
  readonly #key: Secret;
  readonly #kid: string;
  readonly #keys: ReadonlyMap<string, Secret>;

  /** @param previous keys of quotes that are still accepted */
  constructor(key: Secret, previous: readonly Secret[] = []) {
    this.#key = key;
    this.#kid = kidOf(key);
    this.#keys = new Map([key, ...previous].map((one) => [kidOf(one), one]));
  }

  sign(quote: Quote): string {
    const payload = Buffer.from(JSON.stringify({ v: 1, kid: this.#kid, ...quote })).toString('base64url');
    return `${payload}.${macOf(this.#key, payload).toString('base64url')}`;
  }

  /** @throws AppError QUOTE_INVALID; QUOTE_EXPIRED for a quote that was good */
  verify(text: string, wanted: Wanted, now: Date): Quote {
    const quote = this.#read(text);
    const fits =
      quote !== undefined &&
      quote.orgId === wanted.organizationId &&
      quote.provider === wanted.provider &&
      quote.phoneNumber === wanted.phoneNumber;
    if (!fits) throw new AppError('QUOTE_INVALID');
    if (now.getTime() >= quote.exp) throw new AppError('QUOTE_EXPIRED');
    return quote;
  }

  #read(text: string): Quote | undefined {
    const [payload = '', signature = '', ...rest] = text.split('.');
    const [bytes, mac] = [bytesOf(payload), bytesOf(signature)];
    if (rest.length > 0 || bytes === undefined || mac === undefined) return undefined;
    const claimed = parseJson(bytes.toString('utf8'));
    const kid = typeof claimed === 'object' && claimed !== null && 'kid' in claimed ? claimed.kid : undefined;
    // Before the signature is checked, only the choice of the key is believed.
    const key = this.#keys.get(String(kid)) ?? this.#key;
    const expected = macOf(key, payload);
    if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) return undefined;
    const { success, data } = Payload.safeParse(claimed);
    if (!success) return undefined;
    const { v: _v, kid: _kid, ...quote } = data;
    return quote;
  }
}
