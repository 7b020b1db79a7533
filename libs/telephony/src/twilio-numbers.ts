// Numbers at Twilio.
import { getCountryCallingCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { ProviderGuard } from './guard.js';
import { microsOf } from './micros.js';
import type {
  BuyOutcome,
  NumberOffer,
  NumberProvider,
  NumberSearch,
  OwnedNumber,
  Purchase,
  SipCredential,
  SipTarget,
  Termination,
} from './number-provider.js';
import { type KnownCodes, ProviderFailure, toFailure } from './provider-failure.js';
import type { Twilio } from './twilio.js';
import { TwilioTrunk } from './twilio-trunk.js';

const known: KnownCodes = { numberUnavailable: ['21422', '21452'], insufficientFunds: [] };
/** Twilio searches by area code in these countries alone, elsewhere by the first digits. */
const withAreaCodes: readonly string[] = ['US', 'CA'];
/** The types of numbers in the order of the search, with their names in prices. */
const types = [
  { list: 'local', price: 'local' },
  { list: 'mobile', price: 'mobile' },
] as const;
type NumberType = (typeof types)[number];
const pageSize = 1_000;

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** Twilio's library throws its own exception for answers, and its HTTP client's error for their absence. */
const explain = (error: unknown): ProviderFailure => {
  const status = field(error, 'status');
  const code = field(error, 'code');
  const isAnswer = typeof status === 'number';
  const timedOut = code === 'ECONNABORTED' || code === 'ETIMEDOUT';
  return toFailure(
    { status: isAnswer ? status : undefined, codes: isAnswer ? [String(code)] : [], timedOut },
    known,
    error,
  );
};
const isNotFound = (error: unknown): boolean => field(error, 'status') === 404;

interface Available {
  readonly phoneNumber: string;
  readonly friendlyName: string;
  readonly locality: string;
  readonly region: string;
  readonly isoCountry: string;
  readonly capabilities: object;
}

const refusedOr = (error: unknown): BuyOutcome => {
  const failure = error instanceof ProviderFailure ? error : explain(error);
  return { kind: failure.isCertain ? 'refused' : 'inDoubt', failure };
};

export class TwilioNumbers implements NumberProvider {
  readonly provider = 'TWILIO';
  readonly #client: Twilio;
  readonly #accountSid: string;
  readonly #guard = new ProviderGuard(explain);
  readonly #trunk: TwilioTrunk;

  constructor(client: Twilio, accountSid: string) {
    this.#client = client;
    this.#accountSid = accountSid;
    this.#trunk = new TwilioTrunk(client, this.#guard);
  }

  async ping(): Promise<void> {
    await this.#client.api.v2010.accounts(this.#accountSid).fetch();
  }

  async search({ country, areaCode, limit }: NumberSearch): Promise<NumberOffer[]> {
    if (areaCode === undefined || withAreaCodes.includes(country))
      return this.#offers(country, { limit, ...(areaCode === undefined ? {} : { areaCode }) });
    if (!isSupportedCountry(country)) return [];
    return this.#offers(country, { limit, contains: `+${getCountryCallingCode(country)}${areaCode}*` });
  }

  async price(phoneNumber: string): Promise<NumberOffer | undefined> {
    const country = parsePhoneNumberFromString(phoneNumber)?.country;
    if (country === undefined) return undefined;
    const offers = await this.#offers(country, { limit: 5, contains: phoneNumber });
    return offers.find((offer) => offer.phoneNumber === phoneNumber);
  }

  /** Twilio renames a number that the account has already instead of selling it, so the owned numbers are read first. */
  async buy({ phoneNumber, marker }: { phoneNumber: string; marker: string }): Promise<BuyOutcome> {
    try {
      const owned = await this.#guard.read('read', () => this.#owned({ phoneNumber, limit: 5 }));
      const same = owned.find((number) => number.phoneNumber === phoneNumber);
      if (same?.marker === marker) return { kind: 'owned', number: same };
      if (same !== undefined) return { kind: 'refused', failure: taken() };
    } catch (error) {
      const failure = error instanceof ProviderFailure ? error : explain(error);
      return { kind: 'refused', failure };
    }
    try {
      const bought = await this.#guard.write('buy', () =>
        this.#client.incomingPhoneNumbers.create({ phoneNumber, friendlyName: marker }),
      );
      return { kind: 'owned', number: toOwned(bought) };
    } catch (error) {
      return refusedOr(error);
    }
  }

  async findByMarker(marker: string): Promise<Purchase> {
    const [number] = await this.#guard.read('read', () => this.#owned({ friendlyName: marker, limit: 1 }));
    return number === undefined ? { kind: 'absent' } : { kind: 'owned', number };
  }

  async configureForSip(providerNumberId: string, target: SipTarget): Promise<void> {
    const trunkSid = await this.#trunk.sid(target);
    try {
      await this.#guard.write('configure', () =>
        this.#client.incomingPhoneNumbers(providerNumberId).update({ trunkSid }),
      );
    } catch (error) {
      // The trunk may be gone: the next try looks for it.
      this.#trunk.forget(target);
      throw error;
    }
  }

  openTermination(target: SipTarget): Promise<Termination> {
    return this.#trunk.open(target);
  }

  addCredential(target: SipTarget, credential: SipCredential): Promise<string> {
    return this.#trunk.addCredential(target, credential);
  }

  dropCredentials(target: SipTarget, keptVersion: string): Promise<void> {
    return this.#trunk.dropCredentials(target, keptVersion);
  }

  async findOwned(providerNumberId: string): Promise<OwnedNumber | undefined> {
    // The identifier becomes part of a path. One of another form belongs to no number.
    if (!/^PN[0-9a-f]{32}$/.test(providerNumberId)) return undefined;
    return this.#guard.read('read', async () => {
      try {
        return toOwned(await this.#client.incomingPhoneNumbers(providerNumberId).fetch());
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    });
  }

  listOwned(): Promise<OwnedNumber[]> {
    return this.#guard.read('read', () => this.#owned({ pageSize }));
  }

  async release(providerNumberId: string): Promise<'released' | 'absent'> {
    return this.#guard.write('release', async () => {
      try {
        await this.#client.incomingPhoneNumbers(providerNumberId).remove();
        return 'released';
      } catch (error) {
        if (isNotFound(error)) return 'absent';
        throw error;
      }
    });
  }

  async #owned(filter: {
    phoneNumber?: string;
    friendlyName?: string;
    limit?: number;
    pageSize?: number;
  }): Promise<OwnedNumber[]> {
    return (await this.#client.incomingPhoneNumbers.list(filter)).map(toOwned);
  }

  /** Local numbers; mobile ones where a country has no local ones like that. */
  async #offers(
    country: string,
    filter: { limit: number; areaCode?: number; contains?: string },
  ): Promise<NumberOffer[]> {
    for (const type of types) {
      const found = await this.#guard.read('search', () => this.#available(country, type, filter));
      if (found.length === 0) continue;
      const { micros, currency } = await this.#guard.read('search', () => this.#price(country, type));
      return found.map((number) => toOffer(number, micros, currency));
    }
    return [];
  }

  async #available(
    country: string,
    { list }: NumberType,
    filter: { limit: number; areaCode?: number; contains?: string },
  ): Promise<Available[]> {
    const { local, mobile } = this.#client.availablePhoneNumbers(country);
    const wanted = { ...filter, voiceEnabled: true };
    try {
      return await (list === 'local' ? local.list(wanted) : mobile.list(wanted));
    } catch (error) {
      if (isNotFound(error)) return [];
      throw error;
    }
  }

  async #price(country: string, { price }: NumberType): Promise<{ micros: number; currency: string }> {
    const { phoneNumberPrices, priceUnit } = await this.#client.pricing.v1.phoneNumbers
      .countries(country)
      .fetch();
    const row = phoneNumberPrices.find((one) => field(one, 'numberType') === price);
    return { micros: microsOf(String(field(row, 'currentPrice'))), currency: priceUnit.toUpperCase() };
  }
}

const taken = (): ProviderFailure =>
  new ProviderFailure('NUMBER_UNAVAILABLE', {
    isCertain: true,
    isFault: false,
    cause: new Error('the account has this number already'),
  });

const toOwned = ({
  sid,
  phoneNumber,
  friendlyName,
}: {
  sid: string;
  phoneNumber: string;
  friendlyName: string;
}): OwnedNumber => ({ providerNumberId: sid, phoneNumber, marker: friendlyName || null });

const toOffer = (number: Available, micros: number, currency: string): NumberOffer => ({
  phoneNumber: number.phoneNumber,
  friendlyName: number.friendlyName,
  isoCountry: number.isoCountry,
  locality: number.locality || null,
  region: number.region || null,
  // Twilio writes SMS in capitals.
  capabilities: {
    voice: field(number.capabilities, 'voice') === true,
    sms: [field(number.capabilities, 'SMS'), field(number.capabilities, 'sms')].includes(true),
  },
  monthlyCostMicros: micros,
  currency,
});
