// Decides when a campaign pauses for lack of money for its next call, and when it goes on. Its calls in progress give
// back most of the money that they hold, so the campaign first waits a moment for them. Without this wait, the
// campaign's stream would tell of every single call.
import type { PersonalData } from '@parlance/crypto';
import type { Clock } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import type { PauseReason } from '../domain/campaign/campaign-events.js';
import { callSpending, campaignPurpose, type SpendSources, wantedCall } from '../ledger/call-spending.js';
import { grant, type SpendLimit } from '../ledger/envelope.js';
import { boundsOf, isReserved } from '../ledger/ledger.js';
import type { SettingsInForce } from '../limits/organization-settings.js';
import { openRecipient } from '../personal-data/sealed-recipients.js';
import { nextClaimed } from '../recipients/recipients.js';
import type { OpenCampaign } from './open-campaigns.js';

export const spendReasons: readonly PauseReason[] = ['budget_reached', 'spend_limit_reached'];

/** A campaign with calls in progress waits this long for the money that they give back, before it pauses. */
const patienceMs = 5_000;
/** The shortest pause. It is long enough that the money given back meanwhile is used together. */
const shortestMs = 5_000;

export interface SpendPauseParts {
  readonly db: Database;
  readonly spend: SpendSources;
  readonly personalData: Pick<PersonalData, 'open'>;
  readonly clock: Clock;
}

export class SpendPause {
  readonly #parts: SpendPauseParts;
  /** Since when there was no money for the next call, by campaign; in epoch milliseconds. */
  readonly #since = new Map<string, number>();

  constructor(parts: SpendPauseParts) {
    this.#parts = parts;
  }

  /** The campaign has claimed recipients for calls, so there was money for its next call. */
  goesOn(campaignId: string): void {
    this.#since.delete(campaignId);
  }

  /** The reason for which the campaign pauses now; undefined while it waits for its calls in progress. */
  reasonNow({ id, queued, inProgress }: OpenCampaign, full: SpendLimit): PauseReason | undefined {
    const now = this.#parts.clock.now().getTime();
    const since = this.#since.get(id) ?? now;
    this.#since.set(id, since);
    if (queued + inProgress > 0 && now - since < patienceMs) return undefined;
    this.#since.delete(id);
    return full === 'campaign' ? 'budget_reached' : 'spend_limit_reached';
  }

  /** Whether there is room for the next call of a paused campaign. */
  async isOver(campaign: OpenCampaign, settings: SettingsInForce): Promise<boolean> {
    const { db, spend, personalData, clock } = this.#parts;
    const now = clock.now();
    if (now.getTime() - Date.parse(campaign.state.updatedAt) < shortestMs) return false;
    const next = await nextClaimed(db, campaign.id, now);
    if (next === undefined) return false;
    const { phoneNumber } = await openRecipient(personalData, campaign.id, next);
    const { spending, rates } = await callSpending(db, spend, campaignPurpose(campaign, settings), now);
    const { outboundCallId, attempts } = next;
    const { longestSeconds } = campaign.state.created;
    const call = { outboundCallId, attempt: attempts + 1, isRenewed: false, phoneNumber, longestSeconds };
    const { subject, micros } = wantedCall(call, rates, spend.maxCallSeconds);
    if (await isReserved(db, campaign.organizationId, subject)) return true;
    return grant(await boundsOf(db, spending), micros).granted;
  }
}
