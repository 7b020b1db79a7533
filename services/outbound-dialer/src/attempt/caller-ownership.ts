// Whether the number that a call comes from is the organization's. Asked when a call is placed or retried, and again before
// every dial. An answer holds no longer than telephony-numbers promises, because a number may be released.
import type { Provider, Result, serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Clock } from '@parlance/observability';
import type { Dialing } from '../domain/outbound-call/outbound-call-state.js';
import { countryOfCaller } from '../rules/phone-numbers.js';
import type { AskNumbers } from './caller-numbers.js';

export type AskProvider = (
  organizationId: string,
  number: { readonly provider: Provider; readonly sid: string; readonly fromNumber: string },
) => Promise<Result<typeof serviceRequests.numbersOwnedAtProvider>>;

export interface OwnershipParts {
  readonly askNumbers: AskNumbers;
  readonly askProvider: AskProvider;
  readonly clock: Clock;
}

/** A caller's number in E.164, as its call names it. */
export interface NamedNumber {
  readonly fromNumber: string;
  /** Narrows the choice; null takes any provider that has the number. */
  readonly provider: Provider | null;
  /** The provider's identifier, for a number that is kept at the provider alone. */
  readonly sid: string | null;
}

/** The caller's number of a call that was placed. A campaign's call has the identifier of a number on record here. */
export const callerNumberOf = (
  { mode, provider, sid }: Pick<Dialing['placed'], 'mode' | 'provider' | 'sid'>,
  fromNumber: string,
): NamedNumber => ({ fromNumber, provider, sid: mode === 'quick' ? sid : null });

export type Ownership =
  | {
      readonly kind: 'owned';
      readonly provider: Provider;
      /** The countries of all numbers that the organization may call from. */
      readonly countries: readonly string[];
      /** The media server's trunk of that account; null while there is none. */
      readonly trunkId: string | null;
      /** A dial that was not sent by then must not be sent without asking again. */
      readonly until: Date;
    }
  | { readonly kind: 'unowned'; readonly code: 'NUMBER_NOT_FOUND' | 'CALLER_NUMBER_NOT_OWNED' };

const notFound: Ownership = { kind: 'unowned', code: 'NUMBER_NOT_FOUND' };
const notOwned: Ownership = { kind: 'unowned', code: 'CALLER_NUMBER_NOT_OWNED' };

/** @throws AppError SERVICE_UNAVAILABLE, or the failure of the provider, when the owner of the number cannot be learned */
export const ownershipOf = async (
  { askNumbers, askProvider, clock }: OwnershipParts,
  organizationId: string,
  { fromNumber, provider, sid }: NamedNumber,
): Promise<Ownership> => {
  const askedAt = clock.now().getTime();
  if (provider !== null && sid !== null) {
    const kept = await askProvider(organizationId, { provider, sid, fromNumber });
    if (!kept.isOwned) return notOwned;
    const country = countryOfCaller(fromNumber);
    const countries = country === undefined ? kept.countries : [...kept.countries, country];
    const { trunkId = null, goodForMs } = kept;
    return { kind: 'owned', provider, countries, trunkId, until: new Date(askedAt + goodForMs) };
  }
  const { number, countries, trunkId = null, goodForMs } = await askNumbers(organizationId, fromNumber);
  if (number === null) return notFound;
  if (provider !== null && number.provider !== provider) return notOwned;
  const until = new Date(askedAt + goodForMs);
  return { kind: 'owned', provider: number.provider, countries, trunkId, until };
};

/** @throws AppError CALLER_NUMBER_NOT_OWNED, and as `ownershipOf` does */
export const refuseUnowned = async (
  parts: OwnershipParts,
  organizationId: string,
  named: NamedNumber,
): Promise<void> => {
  const { kind } = await ownershipOf(parts, organizationId, named);
  if (kind === 'unowned') throw new AppError('CALLER_NUMBER_NOT_OWNED');
};
