// Numbers at Telnyx, where buying is ordering: an order is taken first and delivered later.
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import type Telnyx from 'telnyx';
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
import { TelnyxConnection } from './telnyx-connection.js';

const known: KnownCodes = { numberUnavailable: ['85000', '85001'], insufficientFunds: ['20100'] };
const types = ['local', 'mobile'] as const;
const pageSize = 250;

type Available = NonNullable<Telnyx.AvailablePhoneNumberListResponse['data']>[number];
type Filter = NonNullable<Telnyx.AvailablePhoneNumberListParams['filter']>;

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

const codesOf = (body: unknown): string[] => {
  const errors = field(body, 'errors');
  return Array.isArray(errors) ? errors.map((error) => String(field(error, 'code'))) : [];
};

const retryAfterOf = (headers: unknown): number | undefined => {
  const value = headers instanceof Headers ? headers.get('retry-after') : null;
  return value !== null && /^\d{1,4}$/.test(value) ? Number(value) : undefined;
};

const explain = (error: unknown): ProviderFailure => {
  const status = field(error, 'status');
  return toFailure(
    {
      status: typeof status === 'number' ? status : undefined,
      codes: codesOf(field(error, 'error')),
      retryAfterSeconds: retryAfterOf(field(error, 'headers')),
      // A class of its own, which is told by nothing but its sentence unless the SDK is loaded here.
      timedOut: /^Request timed out/.test(String(field(error, 'message'))),
    },
    known,
    error,
  );
};
const isNotFound = (error: unknown): boolean => field(error, 'status') === 404;

export class TelnyxNumbers implements NumberProvider {
  readonly provider = 'TELNYX';
  readonly #client: Telnyx;
  readonly #guard = new ProviderGuard(explain);
  readonly #connection: TelnyxConnection;

  constructor(client: Telnyx) {
    this.#client = client;
    this.#connection = new TelnyxConnection(client, this.#guard);
  }

  async ping(): Promise<void> {
    await this.#client.balance.retrieve();
  }

  search({ country, areaCode, limit }: NumberSearch): Promise<NumberOffer[]> {
    const area = areaCode === undefined ? {} : { national_destination_code: String(areaCode) };
    return this.#offers({ country_code: country, limit, ...area });
  }

  async price(phoneNumber: string): Promise<NumberOffer | undefined> {
    const number = parsePhoneNumberFromString(phoneNumber);
    if (number?.country === undefined) return undefined;
    const offers = await this.#offers({
      country_code: number.country,
      phone_number: { contains: number.nationalNumber },
      limit: 5,
    });
    return offers.find((offer) => offer.phoneNumber === phoneNumber);
  }

  async buy({ phoneNumber, marker }: { phoneNumber: string; marker: string }): Promise<BuyOutcome> {
    try {
      await this.#guard.write('buy', () =>
        this.#client.numberOrders.create({
          phone_numbers: [{ phone_number: phoneNumber }],
          customer_reference: marker,
        }),
      );
      return { kind: 'pending' };
    } catch (error) {
      const failure = error instanceof ProviderFailure ? error : explain(error);
      return { kind: failure.isCertain ? 'refused' : 'inDoubt', failure };
    }
  }

  async findByMarker(marker: string): Promise<Purchase> {
    const filter = { customer_reference: marker };
    const [number] = (await this.#guard.read('read', () => this.#client.phoneNumbers.list({ filter }))).data;
    if (number !== undefined)
      return number.status === 'active' ? { kind: 'owned', number: toOwned(number) } : { kind: 'pending' };
    const orders = (await this.#guard.read('read', () => this.#client.numberOrders.list({ filter }))).data;
    if (orders.length === 0) return { kind: 'absent' };
    // A number that was delivered, and is not listed yet, or not any more: its listing decides.
    return orders.every(({ status }) => status === 'failure') ? { kind: 'failed' } : { kind: 'pending' };
  }

  async configureForSip(providerNumberId: string, target: SipTarget): Promise<void> {
    const connection_id = await this.#connection.id(target);
    try {
      await this.#guard.write('configure', () =>
        this.#client.phoneNumbers.update(providerNumberId, { connection_id }),
      );
    } catch (error) {
      // The connection may be gone: the next try looks for it.
      this.#connection.forget(target);
      throw error;
    }
  }

  openTermination(target: SipTarget): Promise<Termination> {
    return this.#connection.open(target);
  }

  addCredential(target: SipTarget, credential: SipCredential): Promise<string> {
    return this.#connection.addCredential(target, credential);
  }

  /** Telnyx has no others: a new credential takes the place of the last one. */
  async dropCredentials(): Promise<void> {}

  async findOwned(providerNumberId: string): Promise<OwnedNumber | undefined> {
    // The identifier becomes part of a path. One of another form belongs to no number.
    if (!/^[0-9A-Za-z-]{1,64}$/.test(providerNumberId)) return undefined;
    return this.#guard.read('read', async () => {
      try {
        const { data } = await this.#client.phoneNumbers.retrieve(providerNumberId);
        return data?.status === 'active' ? toOwned(data) : undefined;
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    });
  }

  listOwned(): Promise<OwnedNumber[]> {
    return this.#guard.read('read', async () => {
      const owned: OwnedNumber[] = [];
      for await (const number of this.#client.phoneNumbers.list({ 'page[size]': pageSize }))
        owned.push(toOwned(number));
      return owned;
    });
  }

  async release(providerNumberId: string): Promise<'released' | 'absent'> {
    return this.#guard.write('release', async () => {
      try {
        await this.#client.phoneNumbers.delete(providerNumberId);
        return 'released';
      } catch (error) {
        if (isNotFound(error)) return 'absent';
        throw error;
      }
    });
  }

  /** Local numbers; mobile ones where a country has no local ones like that. */
  async #offers(filter: Filter): Promise<NumberOffer[]> {
    for (const phone_number_type of types) {
      const { data = [] } = await this.#guard.read('search', () =>
        this.#client.availablePhoneNumbers.list({ filter: { ...filter, phone_number_type } }),
      );
      const offers = data.flatMap((number) => toOffer(number, filter.country_code ?? ''));
      if (offers.length > 0) return offers;
    }
    return [];
  }
}

const toOwned = (number: {
  id?: string;
  phone_number?: string;
  customer_reference?: string | null;
}): OwnedNumber => ({
  providerNumberId: number.id ?? '',
  phoneNumber: number.phone_number ?? '',
  marker: number.customer_reference || null,
});

/** The offer as a list of one; an empty list for an offer without a number, a price or voice. */
const toOffer = (number: Available, isoCountry: string): NumberOffer[] => {
  const { phone_number: phoneNumber, cost_information: cost } = number;
  if (phoneNumber === undefined || cost?.monthly_cost === undefined) return [];
  const named = (type: string): string | null =>
    number.region_information?.find(({ region_type }) => region_type === type)?.region_name ?? null;
  const features = (number.features ?? []).map(({ name }) => name);
  if (!features.includes('voice')) return [];
  return [
    {
      phoneNumber,
      friendlyName: parsePhoneNumberFromString(phoneNumber)?.formatNational() ?? phoneNumber,
      isoCountry,
      locality: named('location'),
      region: named('state'),
      capabilities: { voice: true, sms: features.includes('sms') },
      monthlyCostMicros: microsOf(cost.monthly_cost),
      currency: (cost.currency ?? 'USD').toUpperCase(),
    },
  ];
};
