// The attempts of a campaign's recipients that this process has leased. Each starts when its slot has come, unless the campaign was
// stopped meanwhile.
import type { Clock, Ids } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import type { CampaignWatch } from '../attempt/campaign-watch.js';
import type { CrashPoints } from '../attempt/crash-points.js';
import { claimMs } from '../attempt/dial-claims.js';
import { callSubject, release } from '../ledger/ledger.js';
import { type ClaimedRecipient, releaseRecipients } from '../recipients/recipients.js';
import { type OutboundCalls, stepMeta } from '../repositories/outbound-call-repository.js';
import type { NextAttempt, Opening } from './dispatcher.js';
import type { Pace } from './pacing.js';
import { type PlacingCampaign, placeRecipient } from './place-recipient.js';
import type { Claimed } from './recipient-claims.js';

export interface RecipientAttemptsOptions {
  readonly db: Database;
  readonly calls: OutboundCalls;
  readonly watch: Pick<CampaignWatch, 'now'>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly crash: CrashPoints;
  readonly holder: string;
}

/** A process that was held up this long after a recipient's slot gives the recipient back to the other dialers. */
const lateMs = claimMs / 3;

export class RecipientAttempts {
  readonly #options: RecipientAttemptsOptions;

  constructor(options: RecipientAttemptsOptions) {
    this.#options = options;
  }

  /** @param claimed leased by this process */
  of(campaign: PlacingCampaign, claimed: readonly Claimed[], paces: readonly Pace[]): readonly NextAttempt[] {
    return claimed.map(({ recipient, at }) => ({
      outboundCallId: recipient.outboundCallId,
      startAt: at,
      paces,
      open: (isDraining) => this.#open(campaign, recipient, isDraining ? undefined : at),
    }));
  }

  /** @param at undefined while this process drains */
  async #open(
    campaign: PlacingCampaign,
    recipient: ClaimedRecipient,
    at: number | undefined,
  ): Promise<Opening | undefined> {
    if (at !== undefined && (await this.#isWanted(recipient, at)))
      return recipient.isPlaced ? {} : { known: await this.#place(campaign, recipient) };
    await this.#requeue(recipient);
    return undefined;
  }

  /** Begins the stream of the recipient's call, or finds that another process has begun it. */
  async #place(
    campaign: PlacingCampaign,
    recipient: ClaimedRecipient,
  ): Promise<NonNullable<Opening['known']>> {
    const { calls, clock, ids, crash } = this.#options;
    const id = recipient.outboundCallId;
    const now = clock.now().toISOString();
    // A command id of its own for each try. Only the process that appended the first event learns that the call is new
    // and unchanged.
    const meta = stepMeta(recipient.organizationId, id, `PlaceCall:${ids.next()}`, now);
    const placed = await calls(id, placeRecipient(campaign, recipient, now), meta, { presumedNew: true });
    crash.at('campaign.afterPlace');
    return placed;
  }

  /** True when the slot is not late and the campaign still runs. */
  async #isWanted({ campaignId }: ClaimedRecipient, at: number): Promise<boolean> {
    const { watch, clock } = this.#options;
    const isLate = (): boolean => clock.now().getTime() > at + lateMs;
    if (isLate()) return false;
    const { phase } = await watch.now(campaignId);
    return phase === 'running' && !isLate();
  }

  /** Releases the recipient and the money for its call. The recipient's next lease puts the money aside again. */
  async #requeue(recipient: ClaimedRecipient): Promise<void> {
    const { db, holder } = this.#options;
    const { campaignId, rowNumber, organizationId, outboundCallId, attempts } = recipient;
    await db.transaction(async (tx) => {
      const released = await releaseRecipients(tx, { campaignId, holder, rowNumbers: [rowNumber] });
      if (released > 0) await release(tx, organizationId, [callSubject(outboundCallId, attempts + 1)]);
    });
  }
}
