// The source of attempts of campaigns: looks at the open campaigns again and again, and starts, pauses, resumes, completes them and
// leases their recipients. Any number of replicas work side by side: locks, leases and streams keep two of them from doing one thing twice.
import type { RunningPart } from '@parlance/observability';
import type { Unlisten } from '@parlance/postgres';
import type { CampaignWatch } from '../attempt/campaign-watch.js';
import { forgetDailyAttempts } from '../attempt/daily-attempts.js';
import { forgetCallSlots } from '../dispatch/call-slots.js';
import type { Dispatcher, Lane } from '../dispatch/dispatcher.js';
import { forgetPaces } from '../dispatch/pacing.js';
import { campaignsChannel } from '../read-models/campaign-projection.js';
import type { CampaignConditions } from './campaign-conditions.js';
import { type SweepParts, sweepCancelled } from './campaign-sweep.js';
import type { CampaignWaits } from './campaign-waits.js';
import { nextScheduled, type OpenCampaign, openCampaigns } from './open-campaigns.js';
import { SchedulingRound, type SchedulingRoundOptions, worthLease } from './scheduling-round.js';

export interface CampaignSchedulerOptions extends Omit<SchedulingRoundOptions, 'lane'>, SweepParts {
  readonly watch: CampaignWatch;
  readonly conditions: CampaignConditions;
  readonly waits: CampaignWaits;
  readonly dispatcher: Pick<Dispatcher, 'lane'>;
  /** Attempts of campaigns that this process may have until they are answered. */
  readonly maxCalls: number;
}

/** Slots are taken up to a second ahead, so that no pace waits for the next look. */
const lookEveryMs = 250;
/** Where no campaign is open. Notifications of a new one may get lost. */
const idleLookEveryMs = 1_000;
/** Where nothing has happened for a minute, either. A campaign starts on time whether or not the process is quiet. */
const quietLookEveryMs = 15_000;
const choresEveryMs = 60_000;
const roundsAtOnce = 4;
/** Attempts ahead of their dial: a slow machine takes fewer, instead of being late with many. */
const ahead = { leastAhead: 8, mostAhead: 64 };

export class CampaignScheduler implements RunningPart {
  readonly name = 'campaign scheduler';
  readonly #options: CampaignSchedulerOptions;
  readonly #lane: Lane;
  readonly #round: SchedulingRound;
  #chores: NodeJS.Timeout | undefined;
  #unlisten: Unlisten | undefined;
  #next: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #canLook = true;
  #isDraining = false;

  constructor(options: CampaignSchedulerOptions) {
    this.#options = options;
    this.#lane = options.dispatcher.lane({ most: options.maxCalls, ...ahead });
    this.#round = new SchedulingRound({ ...options, lane: this.#lane });
  }

  /** Resolves when it listens for campaigns that change. */
  async start(): Promise<void> {
    const { db, logger } = this.#options;
    this.#unlisten = await db.listen(campaignsChannel, () => this.#look());
    const deferred = (err: unknown): void => logger.warn({ err }, 'clean-up of campaigns deferred');
    this.#chores = setInterval(() => void this.#doChores().catch(deferred), choresEveryMs).unref();
    this.#look();
  }

  trouble(): string | undefined {
    return this.#canLook ? undefined : 'campaigns have to wait';
  }

  /** Leases no more recipients. */
  leave(): void {
    this.#isDraining = true;
    clearTimeout(this.#next);
    clearInterval(this.#chores);
  }

  async stop(): Promise<void> {
    this.leave();
    await this.#unlisten?.().catch(() => undefined);
    await this.#looking;
  }

  #look(): void {
    if (this.#isDraining || this.#looking !== undefined) return;
    clearTimeout(this.#next);
    this.#looking = this.#lookAtAll()
      .then((nextMs) => {
        this.#canLook = true;
        return nextMs;
      })
      .catch((err: unknown) => {
        this.#canLook = false;
        this.#options.logger.warn({ err }, 'campaigns deferred');
        return lookEveryMs;
      })
      .then((nextMs) => {
        this.#looking = undefined;
        if (this.#isDraining) return;
        this.#next = setTimeout(() => this.#look(), nextMs);
        this.#next.unref();
      });
  }

  /** @returns the milliseconds until the next look */
  async #lookAtAll(): Promise<number> {
    const { db, clock } = this.#options;
    const due = await openCampaigns(db, clock.now());
    if (due.length === 0) return this.#untilScheduled();
    const running = due.filter(({ state }) => state.phase === 'running').length;
    // Every campaign has a share of this process's capacity, so that no campaign waits for the end of another one. A share that is worth
    // no lease is for those that were served least lately; the others are first at the next look, or with another replica.
    const share = Math.max(worthLease, Math.ceil(this.#lane.free / Math.max(1, running)));
    const waiting = [...due];
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined && !this.#isDraining; next = waiting.shift())
        await this.#schedule(next, share);
    };
    await Promise.all(Array.from({ length: Math.min(roundsAtOnce, waiting.length) }, worker));
    return lookEveryMs;
  }

  async #untilScheduled(): Promise<number> {
    const { db, clock } = this.#options;
    const next = await nextScheduled(db);
    const longestMs = db.activity.isQuiet ? quietLookEveryMs : idleLookEveryMs;
    const untilMs = next === undefined ? longestMs : next.getTime() - clock.now().getTime();
    return Math.max(0, Math.min(longestMs, untilMs));
  }

  /** One campaign that is in trouble does not keep the others waiting. */
  async #schedule(campaign: OpenCampaign, share: number): Promise<void> {
    const { logger, waits } = this.#options;
    const round =
      campaign.state.phase === 'cancelled'
        ? sweepCancelled(this.#options, campaign)
        : this.#round.run(campaign, share);
    await round.catch((err: unknown) => {
      waits.note(campaign.id, 'unreachable');
      logger.warn({ campaignId: campaign.id, err }, 'campaign deferred');
    });
  }

  async #doChores(): Promise<void> {
    const { db, clock, watch, conditions, waits } = this.#options;
    watch.forgetOld();
    this.#round.forgetOld();
    waits.forgetOld();
    conditions.forgetOld();
    await forgetCallSlots(db, clock.now());
    await forgetDailyAttempts(db, clock.now());
    await forgetPaces(db, clock.now());
  }
}
