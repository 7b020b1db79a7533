// The numbers for sale with their prices, as quotes. Also a purchase's terms, out of a quote or out of the provider's
// price.
import { type contract, countryCodes, type Data, type Provider } from '@parlance/contracts';
import { AppError, validationError } from '@parlance/errors';
import type { Clock, Ids } from '@parlance/observability';
import type { NumberOffer, NumberSearch } from '@parlance/telephony';
import { monthlyPriceMicros, type RateCatalog } from '../pricing/rate-catalog.js';
import { accountAt, type Providers } from '../providers.js';
import type { NewNumber } from '../purchase/new-number.js';
import { type Quote, type Quotes, quoteLifetimeMs, type Wanted } from '../quotes/quotes.js';

type SearchResult = Data<(typeof contract)['numbersSearch']>[number];
type Terms = Omit<NewNumber, 'id' | 'organizationId' | 'provider' | 'phoneNumber'>;

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

export interface OffersOptions {
  readonly providers: Providers;
  readonly quotes: Quotes;
  readonly catalog: RateCatalog;
  readonly billing: 'hosted' | 'own';
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Numbers for sale at the providers, and the terms of their purchase. */
export class Offers {
  readonly #options: OffersOptions;

  constructor(options: OffersOptions) {
    this.#options = options;
  }

  /** @throws AppError VALIDATION_ERROR for an unknown country; the error of the provider */
  async search(organizationId: string, provider: Provider, wanted: NumberSearch): Promise<SearchResult[]> {
    if (!countryCodes.has(wanted.country))
      throw validationError([{ path: 'query.country', code: 'custom', message: 'there is no such country' }]);
    const offers = await accountAt(this.#options, provider).search(wanted);
    return offers.map((offer) => {
      const quote = this.#quoteOf(organizationId, provider, offer);
      return {
        phoneNumber: offer.phoneNumber,
        friendlyName: offer.friendlyName,
        ...(offer.locality === null ? {} : { locality: offer.locality }),
        ...(offer.region === null ? {} : { region: offer.region }),
        isoCountry: offer.isoCountry,
        providerMonthlyCostMicros: quote.providerMonthlyCostMicros,
        monthlyPriceMicros: quote.monthlyPriceMicros,
        currency: quote.currency,
        quoteId: this.#options.quotes.sign(quote),
        quoteExpiresAt: new Date(quote.exp).toISOString(),
        rateCatalogVersion: quote.rateCatalogVersion,
      };
    });
  }

  /**
   * The terms of a purchase. A quote binds, even if prices have changed.
   * @throws AppError PROVIDER_UNAVAILABLE; QUOTE_REQUIRED, QUOTE_INVALID, QUOTE_EXPIRED; NUMBER_UNAVAILABLE without a
   *   quote, when it is not for sale
   */
  async terms(wanted: Wanted, quoteId: string | undefined): Promise<Terms> {
    const { quotes, clock, billing } = this.#options;
    const account = accountAt(this.#options, wanted.provider);
    if (quoteId !== undefined) return termsOf(quotes.verify(quoteId, wanted, clock.now()), true);
    if (billing === 'hosted') throw new AppError('QUOTE_REQUIRED');
    const offer = await account.price(wanted.phoneNumber);
    if (offer === undefined) throw new AppError('NUMBER_UNAVAILABLE');
    return termsOf(this.#quoteOf(wanted.organizationId, wanted.provider, offer), false);
  }

  #quoteOf(organizationId: string, provider: Provider, offer: NumberOffer): Quote {
    const { catalog, clock, ids } = this.#options;
    return {
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
    };
  }
}
