// The attempts of a campaign's recipients that this process has leased. Each starts when its slot has come, unless the campaign was
// stopped meanwhile.
import type { Clock } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import type { Opening } from '../attempt/attempt-lifecycle.js';
import type { CampaignWatch } from '../attempt/campaign-watch.js';
import { claimMs } from '../attempt/dial-claims.js';
import { callSubject, release } from '../ledger/ledger.js';
import { type ClaimedRecipient, releaseRecipients } from '../recipients/recipients.js';
import type { NextAttempt } from './dispatcher.js';
import type { Pace } from './pacing.js';
import { type PlacingCampaign, placeRecipient } from './place-recipient.js';
import type { Claimed } from './recipient-claims.js';

export interface RecipientAttemptsOptions {
  readonly db: Database;
  readonly watch: Pick<CampaignWatch, 'now'>;
  readonly clock: Clock;
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
    if (at === undefined || !(await this.#isWanted(recipient, at))) {
      await this.#requeue(recipient);
      return undefined;
    }
    // Another process may have placed the call since: the stream decides.
    return recipient.isPlaced
      ? {}
      : { place: placeRecipient(campaign, recipient, this.#now().toISOString()) };
  }

  /** True when the slot is not late and the campaign still runs. */
  async #isWanted({ campaignId }: ClaimedRecipient, at: number): Promise<boolean> {
    const isLate = (): boolean => this.#now().getTime() > at + lateMs;
    if (isLate()) return false;
    const { phase } = await this.#options.watch.now(campaignId);
    return phase === 'running' && !isLate();
  }

  #now(): Date {
    return this.#options.clock.now();
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
