// The states of campaigns from their streams, at most half a second old. A cancelled campaign rings no phone two
// seconds later, and a hundred calls in a second read its stream only twice.
import type { Clock } from '@parlance/observability';
import type { Campaign } from '../domain/campaign/campaign-state.js';
import type { Campaigns } from '../repositories/campaign-repository.js';

const freshMs = 500;

interface Seen {
  readonly at: number;
  readonly state: Promise<Campaign>;
}

export class CampaignWatch {
  readonly #campaigns: Pick<Campaigns, 'load'>;
  readonly #clock: Clock;
  readonly #seen = new Map<string, Seen>();

  constructor(campaigns: Pick<Campaigns, 'load'>, clock: Clock) {
    this.#campaigns = campaigns;
    this.#clock = clock;
  }

  /** @throws AppError SERVICE_UNAVAILABLE when the stream cannot be read */
  now(campaignId: string): Promise<Campaign> {
    const now = this.#clock.now().getTime();
    const seen = this.#seen.get(campaignId);
    // The age counts from before the stream was read. A clock that was put back makes nothing fresh.
    if (seen !== undefined && now >= seen.at && now - seen.at < freshMs) return seen.state;
    const state = this.#campaigns.load(campaignId).then((loaded) => loaded.state);
    this.#seen.set(campaignId, { at: now, state });
    state.catch(() => this.#seen.delete(campaignId));
    return state;
  }

  /** Forgets campaigns that no dialer asked about lately. */
  forgetOld(): void {
    const now = this.#clock.now().getTime();
    for (const [id, { at }] of this.#seen) if (now - at >= freshMs) this.#seen.delete(id);
  }
}
