// One look at one campaign: starts, pauses, resumes or ends the campaign, and leases recipients whose calls may begin.
import type { PersonalData } from '@parlance/crypto';
import type { Clock } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import type { CrashPoints } from '../attempt/crash-points.js';
import { claimMs } from '../attempt/dial-claims.js';
import type { Lane } from '../dispatch/dispatcher.js';
import { campaignPace, type ProviderRates, paceOf } from '../dispatch/pacing.js';
import type { RecipientAttempts } from '../dispatch/recipient-attempts.js';
import { type Claimed, claimForDialing, mostLookedAt } from '../dispatch/recipient-claims.js';
import type { CampaignCommand } from '../domain/campaign/campaign.js';
import type { PauseReason } from '../domain/campaign/campaign-events.js';
import type { Paused, Running } from '../domain/campaign/campaign-state.js';
import type { SpendSources } from '../ledger/call-spending.js';
import { subjectOfCall } from '../personal-data/forget-calls.js';
import type { HashNumbers } from '../personal-data/installation-hashes.js';
import { returnLeftBehind } from '../recipients/recipients.js';
import { type Campaigns, campaignStep } from '../repositories/campaign-repository.js';
import { type Judgement, judge } from '../rules/breaker.js';
import { callingHoursOf, callingRules, type WindowOwner } from '../rules/calling-hours.js';
import { mayCall } from '../rules/may-call.js';
import { AttemptEnds } from './attempt-ends.js';
import type { CampaignConditions, Conditions } from './campaign-conditions.js';
import type { CampaignWaits } from './campaign-waits.js';
import { KeyedTurns } from './keyed-turns.js';
import { nextPending, type OpenCampaign } from './open-campaigns.js';
import { SpendPause, spendReasons } from './spend-pause.js';

export interface SchedulingRoundOptions {
  readonly db: Database;
  readonly campaigns: Campaigns;
  readonly conditions: Pick<CampaignConditions, 'of'>;
  readonly attempts: Pick<RecipientAttempts, 'of'>;
  readonly lane: Lane;
  readonly waits: Pick<CampaignWaits, 'note' | 'goesOn'>;
  readonly rates: ProviderRates;
  readonly spend: SpendSources;
  readonly hashNumbers: HashNumbers;
  readonly personalData: Pick<PersonalData, 'open' | 'prepare'>;
  readonly clock: Clock;
  readonly crash: CrashPoints;
  readonly holder: string;
}

type Fit = Extract<Conditions, { readonly kind: 'fit' }>;
type Step = CampaignCommand extends infer C
  ? C extends { readonly type: 'StartCampaign' | 'PauseCampaign' | 'ResumeCampaign' | 'CompleteCampaign' }
    ? Omit<C, 'now'>
    : never
  : never;

/** The most looks at recipients that may not be called now; after them the next campaign has its share. */
const mostLooks = 8;
const forgetAfterMs = 60_000;
/** A campaign is looked at so often, before its slots are used up: they are reserved up to a second ahead. */
const leaseEveryMs = 750;
/** So many recipients are worth another lease before that. */
export const worthLease = 8;
/** The lock of an organization that another replica has is tried again with the next look. */
const contendedMs = 200;

interface LastLease {
  readonly at: number;
  /** There may be more at once. */
  readonly wasFull: boolean;
}

const breakerReasons: readonly PauseReason[] = ['circuit_breaker', 'provider_unavailable'];
/** Pauses without a known end: a pause lasts as long as its condition. */
const conditionReasons: readonly PauseReason[] = ['agent_unavailable', 'number_unavailable'];

const isNobodyLeft = ({ pending, queued, inProgress }: OpenCampaign): boolean =>
  pending + queued + inProgress === 0;

export class SchedulingRound {
  readonly #options: SchedulingRoundOptions;
  readonly #spendPause: SpendPause;
  readonly #ends = new AttemptEnds();
  readonly #leases = new Map<string, LastLease>();
  /** When another replica had the lock of an organization, by a clock that nobody sets. */
  readonly #contendedAt = new Map<string, number>();
  readonly #turns = new KeyedTurns();

  constructor(options: SchedulingRoundOptions) {
    this.#options = options;
    this.#spendPause = new SpendPause(options);
  }

  /** @param share calls to be begun at most, so that other campaigns have their share */
  async run(campaign: OpenCampaign, share: number): Promise<void> {
    const { state } = campaign;
    if (state.phase === 'scheduled') return this.#do(campaign, { type: 'StartCampaign' });
    if (state.phase !== 'running' && state.phase !== 'paused') return;
    if (isNobodyLeft(campaign)) return this.#do(campaign, { type: 'CompleteCampaign' });
    if (state.phase === 'paused' && campaign.queued > 0) await this.#returnLeftBehind(campaign);
    if (state.phase === 'running' && !this.#isLeaseDue(campaign, state, share)) return;
    this.#noteLease(campaign.id, false);
    const conditions = await this.#options.conditions.of(campaign);
    if (state.phase === 'paused') return this.#resume(campaign, state, conditions);
    if (conditions.kind === 'unfit') return this.#pause(campaign, conditions.reason, undefined);
    const judgement = await this.#judge(campaign, state);
    if (judgement.kind === 'broken') return this.#pause(campaign, judgement.reason, judgement.until);
    const most = judgement.kind === 'probing' ? 1 : share;
    // Replicas try the lock of an organization and do not wait for it; the rounds of this replica wait for each other before they try.
    await this.#turns.take(campaign.organizationId, () =>
      this.#dial(campaign, state, conditions, most, judgement),
    );
  }

  /** No lease takes them over before the campaign is resumed. */
  async #returnLeftBehind({ id }: OpenCampaign): Promise<void> {
    const { db, clock } = this.#options;
    await db.transaction((tx) => returnLeftBehind(tx, id, clock.now()));
  }

  /** Forgets campaigns that do not run any more. */
  forgetOld(): void {
    const now = this.#options.clock.now();
    this.#ends.forgetOld(now);
    for (const [id, { at }] of this.#leases)
      if (Math.abs(now.getTime() - at) > forgetAfterMs) this.#leases.delete(id);
    for (const id of this.#contendedAt.keys()) if (!this.#isContended(id)) this.#contendedAt.delete(id);
  }

  /** A lease costs the same for one recipient and for many. */
  #isLeaseDue({ id, organizationId }: OpenCampaign, { created }: Running, share: number): boolean {
    if (this.#isContended(organizationId)) return false;
    const last = this.#leases.get(id);
    if (last === undefined) return true;
    const passedMs = this.#options.clock.now().getTime() - last.at;
    if (passedMs < 0 || passedMs >= leaseEveryMs) return true;
    const most = Math.min(share, this.#options.lane.free, (created.callsPerSecond * passedMs) / 1_000);
    return last.wasFull && most >= worthLease;
  }

  #noteLease(campaignId: string, wasFull: boolean): void {
    this.#leases.set(campaignId, { at: this.#options.clock.now().getTime(), wasFull });
  }

  async #resume(campaign: OpenCampaign, state: Paused, conditions: Conditions): Promise<void> {
    const { reason, until } = state;
    const now = this.#options.clock.now();
    if (spendReasons.includes(reason)) {
      if (conditions.kind === 'fit' && (await this.#spendPause.isOver(campaign, conditions.settings)))
        await this.#do(campaign, { type: 'ResumeCampaign' });
      return;
    }
    const isDue = until !== null && until <= now.toISOString();
    const isOver =
      reason === 'outside_calling_window'
        ? isDue || (conditions.kind === 'fit' && (await this.#opening(campaign, conditions)) <= now)
        : conditionReasons.includes(reason)
          ? conditions.kind === 'fit'
          : isDue;
    if (isOver) await this.#do(campaign, { type: 'ResumeCampaign' });
  }

  /** The time at which the next waiting recipient may be called; now, where the window has no opening. */
  async #opening({ id, state }: OpenCampaign, { settings }: Fit): Promise<Date> {
    const now = this.#options.clock.now();
    const next = await nextPending(this.#options, id);
    if (next === undefined) return now;
    const notBefore = next.notBefore === null ? now : new Date(next.notBefore);
    const from = notBefore > now ? notBefore : now;
    const hoursOf = callingHoursOf(callingRules(settings, state.created), from);
    const decision = mayCall({ callingHours: hoursOf(next.whereabouts) });
    return decision.isAllowed ? from : (decision.refusals[0].allowedAt ?? now);
  }

  async #judge({ id }: OpenCampaign, { created, resumed, startedAt }: Running): Promise<Judgement> {
    const { db, clock } = this.#options;
    const now = clock.now();
    const policy = created.circuitBreaker;
    const windowFrom = now.getTime() - policy.windowSeconds * 1_000;
    const from = Date.parse(resumed?.at ?? startedAt ?? created.createdAt);
    const probing = resumed !== undefined && breakerReasons.includes(resumed.after) ? resumed.after : null;
    // During a probe, every end since its beginning matters.
    const since = new Date(probing === null ? Math.max(from, windowFrom) : from);
    const ends = await this.#ends.since(db, id, since, now);
    return judge({ policy, ends, probing, now });
  }

  async #dial(
    campaign: OpenCampaign,
    { created }: Running,
    conditions: Fit,
    mostNow: number,
    { kind }: Judgement,
  ): Promise<void> {
    const { db, attempts, lane, waits, rates, spend, hashNumbers, personalData, clock, crash, holder } =
      this.#options;
    // The last calls are under way: no recipient waits, and none is in the hand of a dialer that may have died.
    if (campaign.pending + campaign.queued === 0) return;
    if (this.#isContended(campaign.organizationId)) return void this.#leases.delete(campaign.id);
    const { settings, countries } = conditions;
    const mostAtOnce = kind === 'probing' ? 1 : (created.maxConcurrency ?? Number.MAX_SAFE_INTEGER);
    const providerPace = paceOf(rates, conditions.provider);
    if (lane.free <= 0) {
      this.#noteLease(campaign.id, true);
      return waits.note(campaign.id, 'process');
    }
    for (let looks = 0, lookAt = 1; looks < mostLooks && lane.free > 0; looks += 1) {
      const most = { mostNow: Math.min(mostNow, lane.free), mostAtOnce };
      const rules = { settings, countries, providerPace, spend, hashNumbers, personalData, ...most };
      const time = () => ({ holder, now: clock.now(), forMs: claimMs });
      const { claimed, refused, full, held, isContended } = await claimForDialing(
        db,
        campaign,
        rules,
        time,
        lookAt,
      );
      if (isContended === true) return this.#noteContention(campaign);
      this.#noteLease(campaign.id, claimed.length === most.mostNow);
      if (claimed.length > 0) crash.at('campaign.afterClaim');
      this.#prepareKeys(claimed);
      const paces = [providerPace, campaignPace(campaign.id, created.callsPerSecond)];
      lane.dispatch(attempts.of(conditions.campaign, claimed, paces));
      if (claimed.length > 0) return this.#goesOn(campaign);
      if (held !== undefined) waits.note(campaign.id, held);
      const reason = full === null ? undefined : this.#spendPause.reasonNow(campaign, full);
      if (reason !== undefined) return this.#pause(campaign, reason, undefined);
      if (full !== null) return waits.note(campaign.id, 'money');
      if (refused === 0) return this.#waitForWindow(campaign, conditions);
      lookAt = Math.min(mostLookedAt, lookAt * 8);
    }
  }

  /** Another replica leases for the organization at this moment, so its other campaigns need not be tried now. */
  #noteContention({ id, organizationId }: OpenCampaign): void {
    this.#leases.delete(id);
    this.#contendedAt.set(organizationId, performance.now());
  }

  #isContended(organizationId: string): boolean {
    const at = this.#contendedAt.get(organizationId);
    return at !== undefined && performance.now() - at < contendedMs;
  }

  /** The keys of the calls in one request to the database. A key that cannot be made now is made when its call is placed. */
  #prepareKeys(claimed: readonly Claimed[]): void {
    const fresh = claimed.filter(({ recipient }) => !recipient.isPlaced);
    if (fresh.length === 0) return;
    const subjects = fresh.map(({ recipient }) => subjectOfCall(recipient.outboundCallId));
    this.#options.personalData.prepare(subjects).catch(() => undefined);
  }

  #goesOn({ id }: OpenCampaign): void {
    this.#options.waits.goesOn(id);
    this.#spendPause.goesOn(id);
  }

  /** No recipient can be called now. Pauses the campaign where a shut calling window is the reason. */
  async #waitForWindow(campaign: OpenCampaign, conditions: Fit): Promise<void> {
    if (campaign.pending === 0) return;
    const now = this.#options.clock.now();
    const next = await nextPending(this.#options, campaign.id);
    if (next === undefined) return;
    const hoursOf = callingHoursOf(callingRules(conditions.settings, campaign.state.created), now);
    const decision = mayCall({ callingHours: hoursOf(next.whereabouts) });
    if (decision.isAllowed || decision.refusals[0].allowedAt === undefined) return;
    const opening = await this.#opening(campaign, conditions);
    await this.#pause(campaign, 'outside_calling_window', opening, decision.refusals[0].reason);
  }

  #pause(
    campaign: OpenCampaign,
    reason: PauseReason,
    until: Date | undefined,
    closedBy?: WindowOwner,
  ): Promise<void> {
    const window = closedBy === undefined ? {} : { closedBy };
    return this.#do(campaign, {
      type: 'PauseCampaign',
      reason,
      until: until?.toISOString() ?? null,
      ...window,
    });
  }

  async #do({ id, organizationId, revision }: OpenCampaign, step: Step): Promise<void> {
    const { campaigns, clock, crash } = this.#options;
    const now = clock.now().toISOString();
    const meta = campaignStep(organizationId, id, `${step.type}:${revision}`, now);
    const { events } = await campaigns(id, { ...step, now }, meta);
    if (events.length > 0) crash.at('campaign.afterStep');
  }
}
