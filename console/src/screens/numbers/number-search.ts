// The search at a provider, as it stands in the address, and the words of a quote. Pure.
import { moneyText, numberText } from '../../strings/format.js';

export interface NumberSearch {
  readonly provider?: 'TWILIO' | 'TELNYX';
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  readonly areaCode?: string;
}

const providers = ['TWILIO', 'TELNYX'] as const;

/** One to six digits, the first of which is not zero. */
export const isAreaCode = (text: string): boolean => /^[1-9]\d{0,5}$/.test(text);

/** Reads an address, and leaves out parts that cannot be searched. */
export const numberSearchOf = (search: Readonly<Record<string, unknown>>): NumberSearch => {
  const provider = providers.find((name) => name === search.provider);
  const country =
    typeof search.country === 'string' && /^[A-Z]{2}$/.test(search.country) ? search.country : undefined;
  // The router reads digits as a number.
  const areaCode = search.areaCode === undefined ? '' : String(search.areaCode);
  return {
    ...(provider === undefined ? {} : { provider }),
    ...(country === undefined ? {} : { country }),
    ...(isAreaCode(areaCode) ? { areaCode } : {}),
  };
};

const secondMs = 1_000;
const minuteSeconds = 60;

/** The time until a quote ends as `9:05`; undefined once it has ended. */
export const quoteLeft = (expiresAt: string, now: number): string | undefined => {
  const left = Math.ceil((Date.parse(expiresAt) - now) / secondMs);
  if (left <= 0) return undefined;
  return `${Math.floor(left / minuteSeconds)}:${String(left % minuteSeconds).padStart(2, '0')}`;
};

const microsOfUnit = 1_000_000;

/**
 * The price of a quote.
 * @param currency undefined where an older platform does not tell it: the amount then stands alone
 */
export const quotePriceText = (micros: number, currency: string | undefined): string =>
  currency === undefined ? numberText(micros / microsOfUnit) : moneyText(micros, currency);
