// Numbers that an organization may call from: those that it bought here, and its own at a provider.
import type { RequestOf, Result, serviceRequests } from '@parlance/contracts';
import type { Database } from '@parlance/postgres';
import type { Providers } from '../providers.js';
import type { Trunks } from '../trunks/trunk-keeper.js';
import { countriesOf, type NumberOfAny } from './numbers-repository.js';

type ForDialing = Result<(typeof serviceRequests)['numbersForDialing']>;
type OwnedAtProvider = (typeof serviceRequests)['numbersOwnedAtProvider'];
type KeptNumber = RequestOf<OwnedAtProvider>['body'];

export interface CallerNumbersOptions {
  readonly db: Database;
  readonly providers: Providers;
  readonly billing: 'hosted' | 'own';
  /** Milliseconds for which a dialer may act on an answer. */
  readonly goodForMs: number;
  readonly trunkIdFor: Trunks['idFor'];
  /** The number of any organization, once no release of it is undecided. */
  readonly decided: (phoneNumber: string) => Promise<NumberOfAny | undefined>;
}

export class CallerNumbers {
  readonly #options: CallerNumbersOptions;

  constructor(options: CallerNumbersOptions) {
    this.#options = options;
  }

  async bought(organizationId: string, fromNumber: string): Promise<ForDialing> {
    const { db, goodForMs, trunkIdFor, decided } = this.#options;
    const [known, countries] = await Promise.all([decided(fromNumber), countriesOf(db, organizationId)]);
    if (known === undefined) return { number: null, countries, goodForMs };
    const { id, provider, provider_number_id: providerNumberId, iso_country: isoCountry } = known;
    const isTheirs = known.organization_id === organizationId && known.status === 'active';
    if (!isTheirs || providerNumberId === null) return { number: null, isTaken: true, countries, goodForMs };
    const number = { id, provider, providerNumberId, isoCountry };
    return { number, countries, trunkId: await trunkIdFor(provider), goodForMs };
  }

  /** @throws ProviderFailure when the provider does not say */
  async keptAtProvider(organizationId: string, number: KeptNumber): Promise<Result<OwnedAtProvider>> {
    const { db, goodForMs, trunkIdFor } = this.#options;
    const isOwned = await this.#isOwnedAtProvider(organizationId, number);
    const countries = await countriesOf(db, organizationId);
    if (!isOwned) return { isOwned, countries, goodForMs };
    return { isOwned, countries, trunkId: await trunkIdFor(number.provider), goodForMs };
  }

  /**
   * Where this installation sells numbers, the provider's accounts are the operator's. A number of theirs is never a
   * tenant's, except by a record here.
   */
  async #isOwnedAtProvider(
    organizationId: string,
    { provider, sid, fromNumber }: KeptNumber,
  ): Promise<boolean> {
    const { decided, providers, billing } = this.#options;
    const account = providers.get(provider);
    if (billing !== 'own' || account === undefined) return false;
    const found = await account.findOwned(sid);
    if (found?.phoneNumber !== fromNumber) return false;
    // Last, because the answer holds for a while from now on, and only a record here can be given back meanwhile.
    const known = await decided(fromNumber);
    return known === undefined || (known.organization_id === organizationId && known.status === 'active');
  }
}
