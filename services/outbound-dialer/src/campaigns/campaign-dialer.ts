// Makes the calls of campaigns. Any number of copies work side by side: locks, leases and streams keep two copies from
// doing one thing twice.
import type { RunningPart } from '@parlance/observability';
import type { Unlisten } from '@parlance/postgres';
import type { CampaignWatch } from '../attempt/campaign-watch.js';
import { forgetDailyAttempts } from '../attempt/daily-attempts.js';
import { claimMs } from '../attempt/dial-claims.js';
import { forgetCallSlots } from '../dispatch/call-slots.js';
import { CampaignCalls, type CampaignCallsParts } from '../dispatch/campaign-calls.js';
import { campaignsChannel } from '../read-models/campaign-projection.js';
import type { CampaignConditions } from './campaign-conditions.js';
import { type SweepParts, sweepCancelled } from './campaign-sweep.js';
import { CampaignTurn, type TurnParts } from './campaign-turn.js';
import type { CampaignWaits } from './campaign-waits.js';
import { type OpenCampaign, openCampaigns } from './open-campaigns.js';

export interface CampaignDialerParts
  extends CampaignCallsParts,
    Omit<TurnParts, 'calls' | 'conditions' | 'campaigns'>,
    Pick<SweepParts, 'recover'> {
  readonly streams: TurnParts['campaigns'];
  readonly campaigns: CampaignWatch;
  readonly conditions: CampaignConditions;
  readonly waits: CampaignWaits;
}

/** Slots are taken up to a second ahead, so that no pace waits for the next look. */
const lookEveryMs = 250;
const choresEveryMs = 60_000;
const turnsAtOnce = 4;

export class CampaignDialer implements RunningPart {
  readonly name = 'campaign dialer';
  readonly #parts: CampaignDialerParts;
  readonly #calls: CampaignCalls;
  readonly #turn: CampaignTurn;
  readonly #timers: NodeJS.Timeout[] = [];
  #unlisten: Unlisten | undefined;
  #next: NodeJS.Timeout | undefined;
  #round: Promise<void> | undefined;
  #canLook = true;
  #isLeaving = false;

  constructor(parts: CampaignDialerParts) {
    this.#parts = parts;
    this.#calls = new CampaignCalls(parts);
    this.#turn = new CampaignTurn({ ...parts, campaigns: parts.streams, calls: this.#calls });
  }

  /** Resolves when it listens for campaigns that change. */
  async start(): Promise<void> {
    const { db, logger } = this.#parts;
    const warn = (what: string) => (err: unknown) => logger.warn({ err }, what);
    this.#unlisten = await db.listen(campaignsChannel, () => this.#look());
    this.#timers.push(
      setInterval(() => void this.#calls.renew().catch(warn('claims could not be renewed')), claimMs / 3),
      setInterval(() => void this.#chores().catch(warn('old claims could not be forgotten')), choresEveryMs),
    );
    for (const timer of this.#timers) timer.unref();
    this.#look();
  }

  trouble(): string | undefined {
    return this.#canLook ? undefined : 'campaigns have to wait';
  }

  /** Takes no more recipients in hand, and puts back the recipients that still wait for their slot. */
  leave(): void {
    this.#isLeaving = true;
    clearTimeout(this.#next);
    this.#calls.leave();
  }

  async stop(): Promise<void> {
    this.leave();
    await this.#unlisten?.().catch(() => undefined);
    await this.#round;
    await this.#calls.stop();
    for (const timer of this.#timers) clearInterval(timer);
  }

  #look(): void {
    if (this.#isLeaving || this.#round !== undefined) return;
    clearTimeout(this.#next);
    this.#round = this.#runRound()
      .then(() => {
        this.#canLook = true;
      })
      .catch((err: unknown) => {
        this.#canLook = false;
        this.#parts.logger.warn({ err }, 'campaigns have to wait');
      })
      .finally(() => {
        this.#round = undefined;
        if (this.#isLeaving) return;
        this.#next = setTimeout(() => this.#look(), lookEveryMs);
        this.#next.unref();
      });
  }

  async #runRound(): Promise<void> {
    const open = await openCampaigns(this.#parts.db);
    const now = this.#parts.clock.now().toISOString();
    const due = open.filter(
      ({ state }) => state.phase !== 'scheduled' || (state.created.scheduledAt ?? now) <= now,
    );
    const running = due.filter(({ state }) => state.phase === 'running').length;
    // Every campaign has a share of this process's capacity, so that no campaign waits for the end of another one.
    const share = Math.max(1, Math.ceil(this.#calls.free / Math.max(1, running)));
    const waiting = [...due];
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined && !this.#isLeaving; next = waiting.shift())
        await this.#takeTurn(next, share);
    };
    await Promise.all(Array.from({ length: Math.min(turnsAtOnce, waiting.length) }, worker));
  }

  /** One campaign that is in trouble does not keep the others waiting. */
  async #takeTurn(campaign: OpenCampaign, share: number): Promise<void> {
    const { logger, waits } = this.#parts;
    const turn =
      campaign.state.phase === 'cancelled'
        ? sweepCancelled(this.#parts, campaign)
        : this.#turn.take(campaign, share);
    await turn.catch((err: unknown) => {
      waits.note(campaign.id, 'unreachable');
      logger.warn({ campaignId: campaign.id, err }, 'campaign has to wait');
    });
  }

  async #chores(): Promise<void> {
    const { db, clock, campaigns, conditions, waits } = this.#parts;
    campaigns.forgetOld();
    waits.forgetOld();
    conditions.forgetOld();
    await forgetCallSlots(db, clock.now());
    await forgetDailyAttempts(db, clock.now());
  }
}
