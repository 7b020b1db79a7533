// The reasons for which running campaigns begin no call, as this process last saw them. Dialers that work side by side
// may see different ones.
import type { campaignsStalled } from '@parlance/metrics';
import type { Clock } from '@parlance/observability';

export type WaitReason = (typeof campaignsStalled.labels)['parlance.wait.reason'][number];

/** A dialer looks at every campaign several times a second. A reason that is older says nothing of now. */
const freshMs = 60_000;

interface Seen {
  readonly reason: WaitReason;
  readonly at: number;
}

export class CampaignWaits {
  readonly #clock: Clock;
  readonly #seen = new Map<string, Seen>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(campaignId: string, reason: WaitReason): void {
    this.#seen.set(campaignId, { reason, at: this.#clock.now().getTime() });
  }

  /** Recipients of the campaign were claimed, so nothing but their dials keeps them waiting. */
  goesOn(campaignId: string): void {
    this.#seen.delete(campaignId);
  }

  reasonOf(campaignId: string): WaitReason {
    const seen = this.#seen.get(campaignId);
    return seen !== undefined && this.#isFresh(seen) ? seen.reason : 'unknown';
  }

  /** Forgets campaigns that this dialer has not looked at lately. */
  forgetOld(): void {
    for (const [id, seen] of this.#seen) if (!this.#isFresh(seen)) this.#seen.delete(id);
  }

  #isFresh({ at }: Seen): boolean {
    return this.#clock.now().getTime() - at <= freshMs;
  }
}
