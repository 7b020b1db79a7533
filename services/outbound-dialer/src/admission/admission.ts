// The admission of a call decides immediately before each dial whether the call may be dialled now. The attempt's start
// is on record by then. Rules, money and numbers may have changed since the call was placed.
import type { EndedReason, VersionedSettings } from '@parlance/contracts';
import type { Logger } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { DateTime } from 'luxon';
import type { Dialing } from '../outbound-call/outbound-call-state.js';
import { campaignInCharge } from '../recipients/recipient-of-call.js';
import { zonesOfRow } from '../recipients/time-zones.js';
import type { SpendSources } from '../spend/call-spending.js';
import { isInTime, letThrough, reserveAndLetThrough } from '../spend/let-through.js';
import { callerNumberOf, type Ownership, type OwnershipParts, ownershipOf } from './caller-ownership.js';
import type { CampaignWatch } from './campaign-watch.js';
import { countDailyAttempt } from './daily-attempts.js';
import { allowedCountries, destinationRefusal } from './destinations.js';
import { type AskSettings, settingsOf } from './organization-settings.js';
import { nextOpening } from './windows.js';

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
  /** Countries that every organization may call. */
  readonly everybodys: readonly string[];
  readonly logger: Logger;
}

type Settings = Omit<VersionedSettings, 'version'>;

interface Known {
  readonly isRemoved: boolean;
  readonly isSuppressed: boolean;
  readonly zones: string[] | null;
}

const never = (reason: EndedReason): Verdict => ({ kind: 'never', reason });

/**
 * The wait, in milliseconds, when a neighbour or the database does not answer: an uncertain admission means not now.
 */
const unsureMs = 5_000;

/** The next time at which the calling window is open; undefined for never. */
export const windowOpening = (
  window: Settings['callingWindow'],
  { recipient, campaign }: { readonly recipient: readonly string[]; readonly campaign: string },
  now: Date,
): Date | undefined => {
  if (window === null) return now;
  // A number that says nothing of its place is called by the clock of the campaign, or of the organization.
  const zones = window.basis === 'campaign' || recipient.length === 0 ? [campaign] : recipient;
  return nextOpening(window, zones, now);
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
    const { db, askSettings, everybodys, clock } = this.#parts;
    const { placed, personal } = call;
    if (personal === null) return never('unknown');
    const { organizationId } = placed;
    const { phoneNumber, fromNumber } = personal;
    const [known, settings, caller, campaign] = await Promise.all([
      this.#known(id, organizationId, phoneNumber),
      settingsOf(db, askSettings, organizationId),
      ownershipOf(this.#parts, organizationId, callerNumberOf(placed, fromNumber)),
      this.#campaignOf(call),
    ]);
    if (known.isRemoved) return never('cancelled_by_user');
    if (campaign?.phase === 'cancelled') return never('campaign_cancelled');
    if (known.isSuppressed) return never('suppressed_dnc');
    if (caller.kind === 'unowned') return never('provider_rejected');
    const countries = allowedCountries({ settings, ownCountries: caller.countries, everybodys });
    const refusal = destinationRefusal(phoneNumber, countries);
    if (refusal !== undefined) return never(refusal);
    const window = campaign?.created.callingWindow ?? settings.callingWindow;
    const zones = { recipient: known.zones, campaign: campaign?.created.timezone ?? settings.timezone };
    const now = clock.now();
    const opening = windowOpening(window, zones, now);
    if (opening === undefined) return never('outside_calling_window');
    if (opening > now) return { kind: 'later', reason: 'outside_calling_window', at: opening };
    const isEnough = await this.#isTriedEnough(call, phoneNumber, settings);
    if (!isEnough) return this.#pay(id, call, settings, caller);
    // A person who wants a call now gains nothing from a call tomorrow, so a quick call ends here.
    if (campaignInCharge(call) === null) return never('concurrency_limit');
    return { kind: 'later', reason: 'concurrency_limit', at: nextDay(settings.timezone, now) };
  }

  /** Yes, where money is put aside for the worst case of this attempt. */
  async #pay(
    id: string,
    call: Dialing,
    settings: Settings,
    { until, trunkId }: Extract<Ownership, { readonly kind: 'owned' }>,
  ): Promise<Verdict> {
    const { db, spend, clock } = this.#parts;
    const { placed, personal, current, longestSeconds } = call;
    const { organizationId, campaignId } = placed;
    const { attempt } = current;
    // The reserved money bounds the call, even where a longer duration was recorded with it.
    const yes = (seconds: number): Verdict => ({
      ...{ kind: 'yes', until, trunkId, longestSeconds: Math.min(seconds, longestSeconds ?? seconds) },
    });
    const now = clock.now();
    if (!isInTime(current, now)) return { kind: 'later', reason: 'unknown', at: now };
    const reserved = await letThrough(db, organizationId, id, attempt);
    if (reserved !== null) return yes(reserved);
    // The campaign claims the recipient again, and puts the money aside then.
    if (campaignInCharge(call) !== null)
      return { kind: 'later', reason: 'insufficient_balance', at: clock.now() };
    const about = { organizationId, outboundCallId: id, attempt, campaignId, longestSeconds, settings };
    const unpaid = { ...about, phoneNumber: personal?.phoneNumber ?? '' };
    const paid = await reserveAndLetThrough(db, spend, unpaid, clock.now());
    return paid === null ? never('insufficient_balance') : yes(paid);
  }

  /** Looks up whether the organization is removed or the number suppressed, and the callee's time zones. */
  async #known(id: string, organizationId: string, phoneNumber: string) {
    const { rows } = await this.#parts.db.query<Known>({
      name: 'may-dial',
      text: `select exists (select from organization_closures where organization_id = $1 and state = 'removed') as "isRemoved",
               exists (select from suppressions where organization_id = $1 and phone_number = $2) as "isSuppressed",
               (select time_zones from campaign_recipients where outbound_call_id = $3) as zones`,
      values: [organizationId, phoneNumber, id],
    });
    return {
      isRemoved: rows[0]?.isRemoved !== false,
      isSuppressed: rows[0]?.isSuppressed !== false,
      zones: zonesOfRow(rows[0]?.zones ?? [], phoneNumber),
    };
  }

  /** The campaign that makes the call; undefined for a call that a person ordered. */
  async #campaignOf(call: Dialing) {
    const campaignId = campaignInCharge(call);
    if (campaignId === null) return undefined;
    const campaign = await this.#parts.campaigns.now(campaignId);
    return campaign.phase === 'absent' ? undefined : campaign;
  }

  /** Counts the attempt once, unless the number was tried often enough today. */
  async #isTriedEnough(call: Dialing, phoneNumber: string, settings: Settings): Promise<boolean> {
    const { dailyAttemptsPerNumber: limit, timezone } = settings;
    if (limit === null) return false;
    const { db, clock } = this.#parts;
    const now = clock.now();
    const day = DateTime.fromJSDate(now, { zone: timezone }).toISODate();
    const attempt = { organizationId: call.placed.organizationId, attemptId: call.current.attemptId };
    return !(await countDailyAttempt(db, { ...attempt, phoneNumber, day, limit }));
  }
}
