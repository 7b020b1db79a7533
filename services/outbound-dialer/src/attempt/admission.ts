// The admission of a call decides immediately before each dial whether the call may be dialled now. The attempt's start
// is on record by then. Rules, money and numbers may have changed since the call was placed.
import type { EndedReason } from '@parlance/contracts';
import type { Logger } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { DateTime } from 'luxon';
import type { Dialing } from '../domain/outbound-call/outbound-call-state.js';
import type { SpendSources } from '../ledger/call-spending.js';
import { isInTime, type LetThrough, letThrough, reserveAndLetThrough } from '../ledger/let-through.js';
import {
  type AskSettings,
  type SettingsInForce,
  type SettingsRow,
  settingsColumns,
  settingsIn,
  settingsTable,
} from '../limits/organization-settings.js';
import type { HashNumbers } from '../personal-data/installation-hashes.js';
import { campaignInCharge } from '../recipients/recipient-of-call.js';
import { dayOf } from '../rules/calendar.js';
import { callingHoursOf, callingRules } from '../rules/calling-hours.js';
import { allowedCountries } from '../rules/destinations.js';
import { mayCall, type Refusal } from '../rules/may-call.js';
import { storedDestination } from '../rules/phone-numbers.js';
import { endedReasonOf } from '../rules/refusals.js';
import { whereaboutsOf } from '../rules/time-zones.js';
import { callerNumberOf, type Ownership, type OwnershipParts, ownershipOf } from './caller-ownership.js';
import type { CampaignWatch } from './campaign-watch.js';
import { countDailyAttempt, countOperatorAttempt, dayZoneOfNumber } from './daily-attempts.js';

export type Verdict =
  | {
      readonly kind: 'yes';
      /** A dial that was not sent by then must not be sent without asking again. */
      readonly until: Date;
      /** The media server's trunk of the provider that the caller's number is of; null while there is none. */
      readonly trunkId: string | null;
      /** The seconds for which money is put aside: the media server is to hang up then. */
      readonly longestSeconds: number;
    }
  /** The call may be dialled later, not now. */
  | { readonly kind: 'later'; readonly reason: EndedReason; readonly at: Date }
  | { readonly kind: 'never'; readonly reason: EndedReason };

export interface Admission {
  /** Asked once for an attempt: an organization that limits attempts per day has it counted by the answer yes. */
  mayDialNow(outboundCallId: string, call: Dialing): Promise<Verdict>;
}

export interface AdmissionParts extends OwnershipParts {
  readonly db: Database;
  readonly campaigns: Pick<CampaignWatch, 'now'>;
  readonly askSettings: AskSettings;
  readonly spend: SpendSources;
  readonly hashNumbers: HashNumbers;
  /** Countries that every organization may call. */
  readonly everybodys: readonly string[];
  readonly logger: Logger;
}

interface Payment {
  readonly settings: SettingsInForce;
  readonly caller: Extract<Ownership, { readonly kind: 'owned' }>;
  readonly numberHash: string;
}

interface FactsRow extends SettingsRow {
  readonly isRemoved: boolean;
  readonly isSuppressed: boolean;
  readonly zones: string[] | null;
}

type Refused = Exclude<Verdict, { readonly kind: 'yes' }>;

const never = (reason: EndedReason): Refused => ({ kind: 'never', reason });

const verdictOf = (refusal: Refusal): Refused => {
  const reason = endedReasonOf(refusal);
  return refusal.allowedAt === undefined ? never(reason) : { kind: 'later', reason, at: refusal.allowedAt };
};

/**
 * The wait, in milliseconds, when a neighbour or the database does not answer: an uncertain admission means not now.
 */
const unsureMs = 5_000;

const busyMs = 5_000;
const longestBusyMs = 60_000;

/** The organization has another call to the number: this one waits longer each time, because a conversation may take long. */
const afterConversation = ({ past }: Dialing, now: Date): Date => {
  const deferrals = past.length - 1 - past.findLastIndex(({ isAbandoned }) => isAbandoned !== true);
  return new Date(now.getTime() + Math.min(longestBusyMs, busyMs * (deferrals + 1)));
};

/** The next day begins for the organization when its clocks say so. */
const nextDay = (timezone: string, now: Date): Date =>
  DateTime.fromJSDate(now, { zone: timezone }).plus({ days: 1 }).startOf('day').toJSDate();

export class PostgresAdmission implements Admission {
  readonly #parts: AdmissionParts;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  async mayDialNow(outboundCallId: string, call: Dialing): Promise<Verdict> {
    const { clock, logger } = this.#parts;
    try {
      return await this.#judge(outboundCallId, call);
    } catch (err) {
      logger.warn({ outboundCallId, err }, 'it cannot be said whether a call may be dialled');
      // A person learns of it after a few tries; a campaign's recipient is put off for as long as it takes.
      const reason = campaignInCharge(call) === null ? 'unknown' : 'provider_unavailable';
      return { kind: 'later', reason, at: new Date(clock.now().getTime() + unsureMs) };
    }
  }

  async #judge(id: string, call: Dialing): Promise<Verdict> {
    const { everybodys, clock } = this.#parts;
    const { placed, personal } = call;
    if (personal === null) return never('unknown');
    const { organizationId } = placed;
    const { phoneNumber, fromNumber } = personal;
    const [numberHash = ''] = await this.#parts.hashNumbers([phoneNumber]);
    const [facts, caller, campaign] = await Promise.all([
      this.#facts(id, organizationId, phoneNumber, numberHash),
      ownershipOf(this.#parts, organizationId, callerNumberOf(placed, fromNumber)),
      this.#campaignOf(call),
    ]);
    const { settings } = facts;
    const ownCountries = caller.kind === 'owned' ? caller.countries : [];
    const countries = allowedCountries({ settings, ownCountries, everybodys });
    const hoursOf = callingHoursOf(callingRules(settings, campaign?.created), clock.now());
    const decision = mayCall({
      organization: { isRemoved: facts.isRemoved },
      campaign: { isCancelled: campaign?.phase === 'cancelled' },
      suppression: { isSuppressed: facts.isSuppressed },
      callerNumber: caller,
      destination: storedDestination(phoneNumber, countries),
      callingHours: hoursOf(facts.whereabouts),
    });
    if (!decision.isAllowed) return verdictOf(decision.refusals[0]);
    const payment = { settings, caller: decision.facts.callerNumber, numberHash };
    const verdict = await this.#pay(id, call, payment);
    if (verdict.kind !== 'yes') return verdict;
    const nextDay = await this.#nextDayFor(call, numberHash, settings);
    const counted = mayCall({ attempts: { exceeded: nextDay === undefined ? null : { nextDay } } });
    if (counted.isAllowed) return verdict;
    const refused = verdictOf(counted.refusals[0]);
    // A person who wants a call now gains nothing from a call tomorrow, so a quick call ends here.
    return campaignInCharge(call) === null ? never(refused.reason) : refused;
  }

  /** Yes, where money is put aside for the worst case of this attempt. */
  async #pay(id: string, call: Dialing, { settings, caller, numberHash }: Payment): Promise<Verdict> {
    const { until, trunkId } = caller;
    const { db, spend, clock } = this.#parts;
    const { placed, personal, current, longestSeconds } = call;
    const { organizationId, campaignId } = placed;
    const { attempt } = current;
    // The reserved money bounds the call, even where a longer duration was recorded with it.
    const yes = (seconds: number): Verdict => ({
      ...{ kind: 'yes', until, trunkId, longestSeconds: Math.min(seconds, longestSeconds ?? seconds) },
    });
    const now = clock.now();
    const verdictOn = (found: LetThrough): Verdict | undefined => {
      const isInProgress = found.kind === 'busy';
      const decision = mayCall({ conversation: { isInProgress, retryAt: afterConversation(call, now) } });
      if (!decision.isAllowed) return verdictOf(decision.refusals[0]);
      return found.kind === 'through' ? yes(found.seconds) : undefined;
    };
    if (!isInTime(current, now)) return { kind: 'later', reason: 'unknown', at: now };
    const phoneNumber = personal?.phoneNumber ?? '';
    const toDial = { organizationId, outboundCallId: id, attempt, numberHash };
    const verdict = verdictOn(await letThrough(db, toDial));
    if (verdict !== undefined) return verdict;
    // The campaign claims the recipient again, and puts the money aside then.
    if (campaignInCharge(call) !== null)
      return { kind: 'later', reason: 'insufficient_balance', at: clock.now() };
    const unpaid = { ...toDial, campaignId, longestSeconds, settings, phoneNumber };
    const paid = await reserveAndLetThrough(db, spend, unpaid, clock.now());
    return verdictOn(paid) ?? never('insufficient_balance');
  }

  /** Looks up whether the organization is removed or the number suppressed, the callee's time zones, and the settings in force. */
  async #facts(id: string, organizationId: string, phoneNumber: string, numberHash: string) {
    const { db, askSettings: ask, clock } = this.#parts;
    const { rows } = await db.query<FactsRow>({
      name: 'may-dial',
      text: `select exists (select from organization_closures where organization_id = $1 and state = 'removed') as "isRemoved",
               exists (select from suppressions where organization_id = $1 and phone_number = $2)
                 or exists (select from suppressions where organization_id = $1 and number_hash = $4)
                 or exists (select from operator_suppressions o where o.number_hash = $4) as "isSuppressed",
               (select time_zones from campaign_recipients where outbound_call_id = $3) as zones, ${settingsColumns}
             from ${settingsTable}`,
      values: [organizationId, phoneNumber, id, numberHash],
    });
    const [row] = rows;
    return {
      isRemoved: row?.isRemoved !== false,
      isSuppressed: row?.isSuppressed !== false,
      whereabouts: whereaboutsOf(row?.zones ?? [], phoneNumber),
      settings: await settingsIn(row, { db, ask }, organizationId, clock.now()),
    };
  }

  /** The campaign that makes the call; undefined for a call that a person ordered. */
  async #campaignOf(call: Dialing) {
    const campaignId = campaignInCharge(call);
    if (campaignId === null) return undefined;
    const campaign = await this.#parts.campaigns.now(campaignId);
    return campaign.phase === 'absent' ? undefined : campaign;
  }

  /** Counts the attempt once. @returns the next day, if the number was tried often enough today; undefined if it was counted */
  async #nextDayFor(
    call: Dialing,
    numberHash: string,
    { dayZone, operatorAttempts, dailyAttemptsPerNumber }: SettingsInForce,
  ): Promise<Date | undefined> {
    const { db, clock } = this.#parts;
    const now = clock.now();
    const attempt = { organizationId: call.placed.organizationId, attemptId: call.current.attemptId };
    if (dailyAttemptsPerNumber !== null) {
      const own = { ...attempt, numberHash, day: dayOf(dayZone, now), limit: dailyAttemptsPerNumber };
      if (!(await countDailyAttempt(db, own))) return nextDay(dayZone, now);
    }
    if (operatorAttempts === null) return undefined;
    const zone = dayZoneOfNumber(call.personal?.phoneNumber ?? '');
    const counted = { ...attempt, numberHash, day: dayOf(zone, now), limit: operatorAttempts };
    return (await countOperatorAttempt(db, counted)) ? undefined : nextDay(zone, now);
  }
}
