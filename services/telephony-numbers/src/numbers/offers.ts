// The numbers for sale with their prices, as quotes. Also a purchase's terms, out of a quote or out of the provider's
// price.
import { type contract, countryCodes, type Data, type Provider } from '@parlance/contracts';
import { AppError, validationError } from '@parlance/errors';
import type { NumberOffer, NumberSearch } from '@parlance/telephony';
import type { Parts } from '../parts.js';
import { monthlyPriceMicros } from '../pricing/rate-catalog.js';
import { accountAt } from '../providers.js';
import type { NewNumber } from '../purchase/new-number.js';
import { type Quote, quoteLifetimeMs, type Wanted } from '../quotes/quotes.js';

type SearchResult = Data<(typeof contract)['numbersSearch']>[number];
type Terms = Omit<NewNumber, 'id' | 'organizationId' | 'provider' | 'phoneNumber'>;

const quoteOf = (
  { catalog, clock, ids }: Pick<Parts, 'catalog' | 'clock' | 'ids'>,
  organizationId: string,
  provider: Provider,
  offer: NumberOffer,
): Quote => ({
  orgId: organizationId,
  provider,
  phoneNumber: offer.phoneNumber,
  friendlyName: offer.friendlyName,
  isoCountry: offer.isoCountry,
  locality: offer.locality,
  region: offer.region,
  sms: offer.capabilities.sms,
  providerMonthlyCostMicros: offer.monthlyCostMicros,
  monthlyPriceMicros: monthlyPriceMicros(catalog, offer.monthlyCostMicros),
  currency: offer.currency,
  rateCatalogVersion: catalog.version,
  exp: clock.now().getTime() + quoteLifetimeMs,
  nonce: ids.next(),
});

/** @throws AppError VALIDATION_ERROR for an unknown country; the error of the provider */
export const searchOffers = async (
  parts: Parts,
  organizationId: string,
  provider: Provider,
  wanted: NumberSearch,
): Promise<SearchResult[]> => {
  if (!countryCodes.has(wanted.country))
    throw validationError([{ path: 'query.country', code: 'custom', message: 'there is no such country' }]);
  const offers = await accountAt(parts, provider).search(wanted);
  return offers.map((offer) => {
    const quote = quoteOf(parts, organizationId, provider, offer);
    return {
      phoneNumber: offer.phoneNumber,
      friendlyName: offer.friendlyName,
      ...(offer.locality === null ? {} : { locality: offer.locality }),
      ...(offer.region === null ? {} : { region: offer.region }),
      isoCountry: offer.isoCountry,
      providerMonthlyCostMicros: quote.providerMonthlyCostMicros,
      monthlyPriceMicros: quote.monthlyPriceMicros,
      currency: quote.currency,
      quoteId: parts.quotes.sign(quote),
      quoteExpiresAt: new Date(quote.exp).toISOString(),
      rateCatalogVersion: quote.rateCatalogVersion,
    };
  });
};

const termsOf = (quote: Quote, isPromise: boolean): Terms => ({
  friendlyName: quote.friendlyName,
  isoCountry: quote.isoCountry,
  locality: quote.locality,
  region: quote.region,
  sms: quote.sms,
  providerMonthlyCostMicros: quote.providerMonthlyCostMicros,
  monthlyPriceMicros: quote.monthlyPriceMicros,
  currency: quote.currency,
  rateCatalogVersion: quote.rateCatalogVersion,
  quote: isPromise ? { nonce: quote.nonce, expiresAt: new Date(quote.exp) } : null,
});

/**
 * The terms of a purchase. A quote binds, even if prices have changed.
 * @throws AppError QUOTE_REQUIRED, QUOTE_INVALID, QUOTE_EXPIRED; NUMBER_UNAVAILABLE without a quote, when it is not for
 *   sale
 */
export const termsOfPurchase = async (
  parts: Parts,
  wanted: Wanted,
  quoteId: string | undefined,
): Promise<Terms> => {
  const { quotes, clock, billing } = parts;
  if (quoteId !== undefined) return termsOf(quotes.verify(quoteId, wanted, clock.now()), true);
  if (billing === 'hosted') throw new AppError('QUOTE_REQUIRED');
  const offer = await accountAt(parts, wanted.provider).price(wanted.phoneNumber);
  if (offer === undefined) throw new AppError('NUMBER_UNAVAILABLE');
  return termsOf(quoteOf(parts, wanted.organizationId, wanted.provider, offer), false);
};
