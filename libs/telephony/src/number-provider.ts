// The port to a provider's numbers: offers, buying and giving back, and the destination of calls to a number.
import type { Secret } from '@parlance/config';
import type { Provider } from '@parlance/contracts';
import type { ProviderFailure } from './provider-failure.js';

export interface NumberSearch {
  /** ISO 3166. */
  readonly country: string;
  readonly areaCode?: number | undefined;
  /** Most results wanted. */
  readonly limit: number;
}

/** A number that is for sale, and the provider's price of it for a month. */
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
  /** The buyer's note on the number; null when there is none. */
  readonly marker: string | null;
}

/** The provider's account of a purchase. */
export type Purchase =
  | { readonly kind: 'owned'; readonly number: OwnedNumber }
  /** Ordered, and not delivered yet. */
  | { readonly kind: 'pending' }
  /** Ordered, and refused for good. */
  | { readonly kind: 'failed' }
  /** The provider never heard of it; or not yet, while a request may still be on its way. */
  | { readonly kind: 'absent' };

/** The knowledge after the one request of a purchase. */
export type BuyOutcome =
  | Extract<Purchase, { kind: 'owned' | 'pending' }>
  /** Certainly not bought. */
  | { readonly kind: 'refused'; readonly failure: ProviderFailure }
  /** The number may have been bought or not; the answer does not tell. */
  | { readonly kind: 'inDoubt'; readonly failure: ProviderFailure };

/** The connection between the provider and the media server. */
export interface SipTarget {
  /** Name under which the provider keeps it; one for all numbers of an installation. */
  readonly name: string;
  /** The media server's SIP host, which calls to the numbers are sent to; undefined where numbers are not called. */
  readonly host: string | undefined;
}

/** Proves to the provider that a call comes from the platform's media server. */
export interface SipCredential {
  readonly username: string;
  readonly password: Secret;
}

/** The provider's side that takes calls from the media server. */
export interface Termination {
  /** The provider's id. Numbers are connected with it, and have to be again with another one. */
  readonly id: string;
  readonly host: string;
  /** A version is another one as soon as the password is changed, and not only when the user name is another. */
  readonly tellsOfPasswords: boolean;
  /** The credentials that are accepted now. */
  readonly credentials: readonly { readonly username: string; readonly version: string }[];
}

/** Every method throws ProviderFailure, but for `buy`. */
export interface NumberProvider {
  readonly provider: Provider;
  /** Rejects when the provider cannot be reached, or does not know the account. */
  ping(): Promise<void>;
  search(wanted: NumberSearch): Promise<NumberOffer[]>;
  /** The offer of one number with its price; undefined when it is not for sale. */
  price(phoneNumber: string): Promise<NumberOffer | undefined>;
  /** Sends at most one request to buy, with the marker on it. Never throws: an uncertain purchase is in doubt. */
  buy(wanted: { readonly phoneNumber: string; readonly marker: string }): Promise<BuyOutcome>;
  findByMarker(marker: string): Promise<Purchase>;
  /** Connects the number with the media server, for calls to it and from it. May be repeated. */
  configureForSip(providerNumberId: string, target: SipTarget): Promise<void>;
  /** Looks at the termination, and makes every part of it that is missing. May be repeated. */
  openTermination(target: SipTarget): Promise<Termination>;
  /** Accepts one more credential; in place of the last one, where the provider keeps only one. Resolves with its version. */
  addCredential(target: SipTarget, credential: SipCredential): Promise<string>;
  /** Accepts none any more but the one of this version. May be repeated. */
  dropCredentials(target: SipTarget, keptVersion: string): Promise<void>;
  /** The number of the account that can be called from under this identifier; undefined where there is none. */
  findOwned(providerNumberId: string): Promise<OwnedNumber | undefined>;
  /** All numbers of the account, also those that the platform did not buy. */
  listOwned(): Promise<OwnedNumber[]>;
  /** Gives the number back. May be repeated. */
  release(providerNumberId: string): Promise<'released' | 'absent'>;
}
