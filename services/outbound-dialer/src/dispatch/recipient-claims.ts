// Takes the recipients of a campaign whose turn has come, as many as may be called now. One transaction does all of it:
// no other process counts the organization's calls or claims the campaign's recipients meanwhile.
import type { EndedReason } from '@parlance/contracts';
import type { PersonalData } from '@parlance/crypto';
import type { Database, Tx } from '@parlance/postgres';
import {
  type CallingCampaign,
  callSpending,
  campaignPurpose,
  type SpendSources,
  wantedCall,
} from '../ledger/call-spending.js';
import type { SpendLimit } from '../ledger/envelope.js';
import { callSubject, reserveAll } from '../ledger/ledger.js';
import { numbersInCall } from '../ledger/let-through.js';
import { reserving, type Shares } from '../ledger/operator-spend.js';
import type { SettingsInForce } from '../limits/organization-settings.js';
import type { HashNumbers } from '../personal-data/installation-hashes.js';
import { openRecipient } from '../personal-data/sealed-recipients.js';
import {
  type ClaimedRecipient,
  claimRecipients,
  postponeRecipients,
  skipRecipients,
} from '../recipients/recipients.js';
import { callingHoursOf, callingRules } from '../rules/calling-hours.js';
import { mayCall } from '../rules/may-call.js';
import { storedDestination } from '../rules/phone-numbers.js';
import { endedReasonOf } from '../rules/refusals.js';
import { whereaboutsOf } from '../rules/time-zones.js';
import { suppressedOf } from '../suppressions/suppressions.js';
import { type CampaignUse, campaignLimit, campaignUse, tryLockCallCount } from './call-slots.js';
import { campaignPace, type Pace, reserveSlots, returnSlots, slotAt } from './pacing.js';

export interface ClaimRules {
  readonly settings: SettingsInForce;
  readonly countries: readonly string[];
  /** The pace of the provider's account that the calls go through. */
  readonly providerPace: Pace;
  /** Calls that this process, this round and the state of the campaign leave room for. */
  readonly mostNow: number;
  /** Calls of the campaign at the same time. */
  readonly mostAtOnce: number;
  readonly spend: SpendSources;
  readonly hashNumbers: HashNumbers;
  /** Opens the recipients that are claimed, and no others. */
  readonly personalData: Pick<PersonalData, 'open'>;
}

export interface ClaimTime {
  readonly holder: string;
  readonly now: Date;
  readonly forMs: number;
}

export interface Claimed {
  readonly recipient: ClaimedRecipient;
  /** The earliest beginning of the recipient's call, in epoch milliseconds. */
  readonly at: number;
}

export interface ClaimResult {
  readonly claimed: readonly Claimed[];
  /** Recipients that were looked at and may not be called now, or ever. */
  readonly refused: number;
  /** Nothing was looked at, because another process leases for the organization. */
  readonly isContended?: boolean;
  /** Why no recipient was looked at; undefined where recipients were. */
  readonly held?: 'places' | 'no_places' | 'pace';
  /** The side of the envelope that had no room for the next call; null when lack of money refused no recipient. */
  readonly full: SpendLimit | null;
}

/**
 * The longest reservation of slots ahead: an urgent call waits no longer, and a process that dies wastes no more slots.
 */
const horizonMs = 1_000;
/** The most recipients that one look puts off, where none of them may be called now. */
export const mostLookedAt = 1_000;

const nothing: ClaimResult = { claimed: [], refused: 0, full: null };

type Sorted = 'call' | { readonly skip: EndedReason } | { readonly putOffTo: Date };

/** A number that is in a call of the organization is called a while later. */
const busyMs = 30_000;

/** The numbers that may not be called now because a call to them is in progress, or comes earlier in the same claim. */
const busyNumbers = async (
  tx: Tx,
  organizationId: string,
  numbers: readonly string[],
  hashes: readonly string[],
  found: readonly ClaimedRecipient[],
): Promise<(recipient: ClaimedRecipient) => boolean> => {
  const inCall = hashes.length === 0 ? new Set<string>() : await numbersInCall(tx, organizationId, hashes);
  const busy = new Set(numbers.filter((_, index) => inCall.has(hashes[index] ?? '')));
  const first = new Map<string, number>();
  for (const { phoneNumber, rowNumber } of found)
    if (!first.has(phoneNumber)) first.set(phoneNumber, rowNumber);
  return ({ phoneNumber, rowNumber }) => busy.has(phoneNumber) || first.get(phoneNumber) !== rowNumber;
};

const sortOut = (
  { state: { created } }: CallingCampaign,
  { settings, countries }: ClaimRules,
  {
    suppressed,
    isBusy,
  }: { readonly suppressed: ReadonlySet<string>; readonly isBusy: (recipient: ClaimedRecipient) => boolean },
  now: Date,
): ((recipient: ClaimedRecipient) => Sorted) => {
  const hoursOf = callingHoursOf(callingRules(settings, created), now);
  const retryAt = new Date(now.getTime() + busyMs);
  return (recipient) => {
    const { phoneNumber, timeZones, isPlaced } = recipient;
    // A recipient with a recorded call ends with that call: the admission before the dial gives the reason.
    if (isPlaced) return 'call';
    const decision = mayCall({
      suppression: { isSuppressed: suppressed.has(phoneNumber) },
      destination: storedDestination(phoneNumber, countries),
      callingHours: hoursOf(whereaboutsOf(timeZones, phoneNumber)),
      conversation: { isInProgress: isBusy(recipient), retryAt },
    });
    if (decision.isAllowed) return 'call';
    const [refusal] = decision.refusals;
    return refusal.allowedAt === undefined
      ? { skip: endedReasonOf(refusal) }
      : { putOffTo: refusal.allowedAt };
  };
};

interface Held {
  readonly campaignId: string;
  readonly holder: string;
}

/** Groups rows by their outcome, so that each group is one statement. */
const refuse = async (
  tx: Tx,
  held: Held,
  refused: readonly (readonly [ClaimedRecipient, Sorted])[],
): Promise<void> => {
  const groups = new Map<string, { readonly why: Sorted; readonly rowNumbers: number[] }>();
  for (const [{ rowNumber }, why] of refused) {
    const group = groups.get(JSON.stringify(why)) ?? { why, rowNumbers: [] };
    group.rowNumbers.push(rowNumber);
    groups.set(JSON.stringify(why), group);
  }
  for (const { why, rowNumbers } of groups.values()) {
    if (why === 'call') await postponeRecipients(tx, { ...held, rowNumbers }, null);
    else if ('skip' in why) await skipRecipients(tx, { ...held, rowNumbers }, why.skip);
    else await postponeRecipients(tx, { ...held, rowNumbers }, why.putOffTo);
  }
};

/** Claims the calls of the recipients for this dialer, so that recovery keeps away from them. */
const holdCalls = async (
  tx: Tx,
  ids: readonly string[],
  { holder, now, forMs }: ClaimTime,
): Promise<void> => {
  if (ids.length === 0) return;
  await tx.query(
    `insert into dial_claims (outbound_call_id, holder, claimed_until)
     select id, $2, $3::timestamptz from unnest($1::uuid[]) as wanted (id) order by id
     on conflict (outbound_call_id) do update set holder = excluded.holder, claimed_until = excluded.claimed_until`,
    [ids, holder, new Date(now.getTime() + forMs).toISOString()],
  );
};

/** The attempt that the recipient is claimed for. */
const subjectOf = ({ outboundCallId, attempts }: ClaimedRecipient): string =>
  callSubject(outboundCallId, attempts + 1);

/** Puts the worst case of their calls aside, in the order in which they wait. */
const reserveFor = async (
  tx: Tx,
  campaign: CallingCampaign,
  { settings, spend }: ClaimRules,
  recipients: readonly ClaimedRecipient[],
  { now, shares }: { readonly now: Date; readonly shares: Shares },
) => {
  const purpose = campaignPurpose(campaign, settings);
  const { spending, rates } = await callSpending(tx, spend, purpose, now);
  const { longestSeconds } = campaign.state.created;
  const wanted = recipients.map(({ outboundCallId, attempts, phoneNumber }) =>
    wantedCall(
      { outboundCallId, attempt: attempts + 1, isRenewed: false, phoneNumber, longestSeconds },
      rates,
      spend.maxCallSeconds,
    ),
  );
  return reserveAll(tx, spending, wanted, now, shares);
};

const roomFor = ({ busy, ofCampaign }: CampaignUse, rules: ClaimRules): number =>
  Math.max(0, Math.min(rules.mostNow, rules.mostAtOnce - ofCampaign, campaignLimit(rules.settings) - busy));

const claimWithin = async (
  tx: Tx,
  campaign: CallingCampaign,
  rules: ClaimRules,
  time: ClaimTime,
  { lookAt, shares }: { readonly lookAt: number; readonly shares: Shares },
): Promise<ClaimResult> => {
  const { id, organizationId, state } = campaign;
  const { holder, now, forMs } = time;
  const use = await campaignUse(tx, campaign, now);
  // A pause that comes at this moment is seen before each dial.
  if (!use.isRunning) return nothing;
  const wanted = roomFor(use, rules);
  if (wanted === 0) return { ...nothing, held: campaignLimit(rules.settings) === 0 ? 'no_places' : 'places' };
  const own = await reserveSlots(tx, campaignPace(id, state.created.callsPerSecond), {
    wanted,
    now,
    horizonMs,
  });
  const paced = await reserveSlots(tx, rules.providerPace, { wanted: own.count, now, horizonMs });
  const limit = paced.count === 0 ? 0 : Math.max(paced.count, lookAt);
  const stored = limit === 0 ? [] : await claimRecipients(tx, { campaignId: id, holder, now, limit, forMs });
  const found: ClaimedRecipient[] = await Promise.all(
    stored.map(async (row) => ({ ...row, ...(await openRecipient(rules.personalData, id, row)) })),
  );
  const numbers = found.map(({ phoneNumber }) => phoneNumber);
  const hashes = found.length === 0 ? [] : await rules.hashNumbers(numbers);
  const [suppressed, isBusy] = await Promise.all([
    found.length === 0 ? new Set<string>() : suppressedOf(tx, organizationId, numbers, hashes),
    busyNumbers(tx, organizationId, numbers, hashes, found),
  ]);
  const sort = sortOut(campaign, rules, { suppressed, isBusy }, now);
  const sorted = found.map((recipient) => [recipient, sort(recipient)] as const);
  const callable = sorted.filter(([, what]) => what === 'call');
  const paying = callable.slice(0, paced.count);
  const { granted, refusal } = await reserveFor(
    tx,
    campaign,
    rules,
    paying.map(([recipient]) => recipient),
    { now, shares },
  );
  const taken = paying.filter(([recipient]) => granted.has(subjectOf(recipient)));
  const refused = sorted.filter(([, what]) => what !== 'call');
  const waiting = callable.filter(([recipient]) => !granted.has(subjectOf(recipient)));
  await refuse(tx, { campaignId: id, holder }, [...refused, ...waiting]);
  const taking = taken.map(([{ outboundCallId }]) => outboundCallId);
  // Sent together: the rows of the paces are locked already.
  await Promise.all([
    returnSlots(tx, own, own.count - taken.length),
    returnSlots(tx, paced, paced.count - taken.length),
    holdCalls(tx, taking, time),
  ]);
  const claimed = taken.map(([recipient], index) => ({
    recipient,
    at: Math.max(slotAt(own, index), slotAt(paced, index)),
  }));
  const isCrowded = refusal?.limit === 'calls';
  const held = paced.count === 0 ? 'pace' : isCrowded && claimed.length === 0 ? 'places' : undefined;
  const full = refusal === undefined || refusal.limit === 'calls' ? null : refusal.limit;
  return { claimed, refused: refused.length, full, ...(held === undefined ? {} : { held }) };
};

/**
 * @param time read when the claim is made: a wait for a connection must not shorten it
 * @param lookAt recipients to look at, even if fewer of them can be called: the others are put off
 */
export const claimForDialing = (
  db: Database,
  campaign: CallingCampaign,
  rules: ClaimRules,
  time: () => ClaimTime,
  lookAt: number,
): Promise<ClaimResult> =>
  reserving(db, async (tx, shares) => {
    if (!(await tryLockCallCount(tx, campaign.organizationId))) return { ...nothing, isContended: true };
    return claimWithin(tx, campaign, rules, time(), { lookAt, shares });
  });
