// The checks of a quick call before it is recorded. The admission before its dial (admission.ts) comes on top of them.
import type { Provider } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Database, Tx } from '@parlance/postgres';
import type { Concurrency } from '@parlance/rpc';
import { type OwnershipParts, ownershipOf } from '../attempt/caller-ownership.js';
import type { CrashPoints } from '../attempt/crash-points.js';
import {
  callSpending,
  campaignBudgetOf,
  type PricedCall,
  type SpendSources,
  spendLimitReached,
  wantedCall,
} from '../ledger/call-spending.js';
import { reserve } from '../ledger/ledger.js';
import type { Shares } from '../ledger/operator-spend.js';
import { type AskSettings, type SettingsInForce, settingsOf } from '../limits/organization-settings.js';
import type { HashNumbers } from '../personal-data/installation-hashes.js';
import { callingHoursOf, callingRules } from '../rules/calling-hours.js';
import { allowedCountries } from '../rules/destinations.js';
import { type NumberPair, readNumbers, refuseUnreadable } from '../rules/phone-numbers.js';
import { allowedOrThrow } from '../rules/refusals.js';
import { whereaboutsOf } from '../rules/time-zones.js';
import { suppressedOf } from '../suppressions/suppressions.js';
import { callsInProgress, takeCallSlot } from './call-slots.js';

export interface QuickCallParts extends OwnershipParts {
  readonly db: Database;
  readonly askSettings: AskSettings;
  readonly spend: SpendSources;
  readonly hashNumbers: HashNumbers;
  readonly crash: CrashPoints;
  /** Countries that every organization may call. */
  readonly allowedCountries: readonly string[];
}

export interface WantedCall extends NumberPair {
  readonly provider?: Provider | undefined;
  readonly sid?: string | undefined;
}

export interface AdmittedCall {
  /** Both numbers in E.164. */
  readonly numbers: NumberPair;
  /** Account that owns the caller's number. */
  readonly provider: Provider;
  readonly sid: string | null;
}

/**
 * @throws AppError NUMBER_NOT_FOUND, CALLER_NUMBER_NOT_OWNED, INVALID_PHONE_NUMBER, DESTINATION_NOT_ALLOWED, SUPPRESSED_DNC,
 *   OUTSIDE_CALLING_WINDOW; SERVICE_UNAVAILABLE, or the failure of the provider, when the owner of the number cannot be learned
 */
export const admitQuickCall = async (
  parts: QuickCallParts,
  organizationId: string,
  wanted: WantedCall,
): Promise<AdmittedCall> => {
  const { db, clock, askSettings, hashNumbers, allowedCountries: everybodys } = parts;
  const { fromNumber, provider = null, sid = null } = wanted;
  refuseUnreadable(wanted);
  const [settings, caller] = await Promise.all([
    settingsOf(db, askSettings, organizationId, clock.now()),
    ownershipOf(parts, organizationId, { fromNumber, provider, sid }),
  ]);
  const ownCountries = caller.kind === 'owned' ? caller.countries : [];
  const countries = allowedCountries({ settings, ownCountries, everybodys });
  const { fromNumber: from, destination } = readNumbers(wanted, countries);
  const { callerNumber, destination: to } = allowedOrThrow({ callerNumber: caller, destination });
  const called = [to.number];
  const suppressed = await suppressedOf(db, organizationId, called, await hashNumbers(called));
  const hoursOf = callingHoursOf(callingRules(settings), clock.now());
  allowedOrThrow({
    suppression: { isSuppressed: suppressed.size > 0 },
    callingHours: hoursOf(whereaboutsOf([], to.number)),
  });
  const numbers = { fromNumber: from, phoneNumber: to.number };
  return { numbers, provider: callerNumber.provider, sid };
};

/** The most calls that the organization may have in progress, and the number of calls that it may still begin now. */
export const concurrencyOf = async (
  { db, clock, askSettings }: Pick<QuickCallParts, 'db' | 'clock' | 'askSettings'>,
  organizationId: string,
): Promise<Concurrency> => {
  const { maxConcurrentCalls: limit } = await settingsOf(db, askSettings, organizationId, clock.now());
  const busy = await callsInProgress(db, organizationId, clock.now());
  return { limit, remaining: Math.max(0, limit - busy) };
};

/** A call that a person wants made now. */
export interface WantedPlace extends Omit<PricedCall, 'isRenewed'> {
  readonly organizationId: string;
  /** Revision of the call's stream before this call. */
  readonly revision: bigint;
  /** The campaign that the call was first made for; its budget pays for another attempt, too. */
  readonly campaignId: string | null;
}

/** The worst case of the call is put aside before the call is recorded. */
const reserveFor =
  ({ spend }: QuickCallParts, wanted: WantedPlace, settings: SettingsInForce, now: Date) =>
  async (tx: Tx, shares: Shares): Promise<void> => {
    const { organizationId, campaignId } = wanted;
    const campaignMicros =
      campaignId === null ? null : await campaignBudgetOf(tx, organizationId, campaignId);
    const purpose = { organizationId, campaignId, campaignMicros, settings };
    const { spending, rates } = await callSpending(tx, spend, purpose, now);
    const call = wantedCall({ ...wanted, isRenewed: true }, rates, spend.maxCallSeconds);
    const answer = await reserve(tx, spending, call, now, shares);
    if (!answer.granted) throw spendLimitReached(answer);
  };

/**
 * @returns the limit, and the number of places left
 * @throws AppError CONCURRENCY_LIMIT when the organization has as many calls in progress as it may have,
 *   SPEND_LIMIT_REACHED when the call might cost more than may be spent
 */
export const takePlace = async (parts: QuickCallParts, wanted: WantedPlace): Promise<Concurrency> => {
  const { db, clock, askSettings, crash } = parts;
  const now = clock.now();
  const settings = await settingsOf(db, askSettings, wanted.organizationId, now);
  const { maxConcurrentCalls: limit } = settings;
  const rules = { limit, reserve: reserveFor(parts, wanted, settings, now) };
  if (!(await takeCallSlot(db, wanted, rules, now)))
    throw new AppError('CONCURRENCY_LIMIT', { details: { maxConcurrentCalls: limit }, retryAfterSeconds: 5 });
  crash.at('spend.afterReserve');
  return concurrencyOf(parts, wanted.organizationId);
};
