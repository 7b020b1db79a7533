// The port to a provider's numbers: what is for sale, buying and giving back, and where calls to a number go.
import type { Provider } from '@parlance/contracts';
import type { ProviderFailure } from './provider-failure.js';

export interface NumberSearch {
  /** ISO 3166. */
  readonly country: string;
  readonly areaCode?: number | undefined;
  /** Most results wanted. */
  readonly limit: number;
}

/** A number that is for sale, and what the provider takes for it a month. */
export interface NumberOffer {
  readonly phoneNumber: string;
  readonly friendlyName: string;
  readonly isoCountry: string;
  readonly locality: string | null;
  readonly region: string | null;
  readonly capabilities: { readonly voice: boolean; readonly sms: boolean };
  readonly monthlyCostMicros: number;
  readonly currency: string;
}

/** A number of the account. */
export interface OwnedNumber {
  readonly providerNumberId: string;
  readonly phoneNumber: string;
  /** What the buyer wrote on it; null when nothing is. */
  readonly marker: string | null;
}

/** What the provider knows of a purchase. */
export type Purchase =
  | { readonly kind: 'owned'; readonly number: OwnedNumber }
  /** Ordered, and not delivered yet. */
  | { readonly kind: 'pending' }
  /** Ordered, and refused for good. */
  | { readonly kind: 'failed' }
  /** Never heard of; or not yet, while a request may still be on its way. */
  | { readonly kind: 'absent' };

/** What is known after the one request of a purchase. */
export type BuyOutcome =
  | Extract<Purchase, { kind: 'owned' | 'pending' }>
  /** Certainly not bought. */
  | { readonly kind: 'refused'; readonly failure: ProviderFailure }
  /** Nobody can say whether it was bought. */
  | { readonly kind: 'inDoubt'; readonly failure: ProviderFailure };

/** Where the provider sends calls. */
export interface SipTarget {
  /** Name under which the provider keeps it; one for all numbers of an installation. */
  readonly name: string;
  /** The media server's SIP host. */
  readonly host: string;
}

/** Every method throws ProviderFailure, but for `buy`. */
export interface NumberProvider {
  readonly provider: Provider;
  /** Rejects when the provider cannot be reached, or does not know the account. */
  ping(): Promise<void>;
  search(wanted: NumberSearch): Promise<NumberOffer[]>;
  /** The offer of one number with its price; undefined when it is not for sale. */
  price(phoneNumber: string): Promise<NumberOffer | undefined>;
  /** Sends at most one request to buy, with the marker on it. Never throws: what is not certain is in doubt. */
  buy(wanted: { readonly phoneNumber: string; readonly marker: string }): Promise<BuyOutcome>;
  findByMarker(marker: string): Promise<Purchase>;
  /** Sends calls to the number to the media server. May be repeated. */
  configureForSip(providerNumberId: string, target: SipTarget): Promise<void>;
  /** The number of the account that can be called from under this identifier; undefined where there is none. */
  findOwned(providerNumberId: string): Promise<OwnedNumber | undefined>;
  /** All numbers of the account, whoever bought them. */
  listOwned(): Promise<OwnedNumber[]>;
  /** Gives the number back. May be repeated. */
  release(providerNumberId: string): Promise<'released' | 'absent'>;
}
