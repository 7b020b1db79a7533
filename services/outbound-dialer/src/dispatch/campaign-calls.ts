// The calls of campaigns that this process has in hand. Each begins when its slot has come, unless the campaign was stopped
// meanwhile. It is kept claimed while it rings.
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, Ids, Logger } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import type { CampaignWatch } from '../attempt/campaign-watch.js';
import type { CrashPoints } from '../attempt/crash-points.js';
import { claimMs, releaseClaims, renewClaims } from '../attempt/dial-claims.js';
import type { AttemptOptions } from '../attempt/in-doubt-protocol.js';
import { callSubject, release } from '../ledger/ledger.js';
import { type ClaimedRecipient, releaseRecipients } from '../recipients/recipients.js';
import { type OutboundCalls, stepMeta } from '../repositories/outbound-call-repository.js';
import type { Pace } from './pacing.js';
import { type PlacingCampaign, placeRecipient } from './place-recipient.js';
import type { Claimed } from './recipient-claims.js';
import { Starts } from './starts.js';

export interface CampaignCallsParts {
  readonly db: Database;
  readonly calls: OutboundCalls;
  readonly campaigns: Pick<CampaignWatch, 'now'>;
  /** Makes the attempt that is due; resolves when the attempt needs no attention for now. */
  readonly attempt: (outboundCallId: string, options: AttemptOptions) => Promise<void>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly crash: CrashPoints;
  readonly logger: Logger;
  readonly holder: string;
  readonly maxCalls: number;
  /** A dial that is not answered so long after the process was told to leave is handed over to another copy. */
  readonly finishMs: number;
}

interface Begin {
  readonly at: number;
  readonly paces: readonly Pace[];
}

/** A process that was held up this long after a recipient's slot gives the recipient back to the other dialers. */
const lateMs = claimMs / 3;
/** Fewer than the six works that background work may begin at once: claims and projections need turns, too. */
const startsAtOnce = 4;
/** The most calls in hand ahead of their dial: a slow machine takes fewer, instead of being late with many. */
const mostWaiting = 32;
/** The read model may lag behind the stream, so recovery keeps away a moment longer. */
const releaseAfterMs = 1_000;
/** Calls that are through are let go of together. */
const releaseEveryMs = 200;
/** Longer than any pace waits between two calls. */
const forgetPaceMs = 120_000;

export class CampaignCalls {
  readonly #parts: CampaignCallsParts;
  readonly #inHand = new Map<string, Promise<void>>();
  readonly #leaving = new AbortController();
  #finishBy = 0;
  readonly #starts = new Starts(startsAtOnce);
  /** The beginning of the last call by the pace that it keeps, in epoch milliseconds. */
  readonly #lastAt = new Map<string, number>();
  /** Taken in hand, and nothing was sent yet. */
  #undialled = 0;
  /** Calls that are not in hand any more, and still claimed. */
  #done: string[] = [];
  #releasing: NodeJS.Timeout | undefined;

  constructor(parts: CampaignCallsParts) {
    this.#parts = parts;
    // Every call that waits for its slot listens.
    setMaxListeners(0, this.#leaving.signal);
  }

  /** The number of further recipients that this process can take in hand. */
  get free(): number {
    return Math.min(this.#parts.maxCalls - this.#inHand.size, mostWaiting - this.#undialled);
  }

  /** Takes over recipients that were claimed by this process. */
  begin(campaign: PlacingCampaign, claimed: readonly Claimed[], paces: readonly Pace[]): void {
    for (const { recipient, at } of claimed) {
      const id = recipient.outboundCallId;
      this.#undialled += 1;
      const call = this.#run(campaign, recipient, { at, paces }).catch((err: unknown) =>
        // The lease ends, and another dialer goes on with the call from its state in the stream.
        this.#parts.logger.warn({ outboundCallId: id, err }, 'call of a campaign has to wait'),
      );
      this.#inHand.set(id, this.#letGo(id, call));
    }
  }

  /** Renews the claims of this process on its calls. */
  async renew(): Promise<void> {
    const { db, holder, clock } = this.#parts;
    const now = clock.now();
    for (const [account, at] of this.#lastAt)
      if (now.getTime() - at > forgetPaceMs) this.#lastAt.delete(account);
    const ids = [...this.#inHand.keys()];
    if (ids.length > 0) await renewClaims(db, { holder, now }, ids);
  }

  /** Puts recipients back that still wait for their slot. */
  leave(): void {
    if (this.#leaving.signal.aborted) return;
    this.#finishBy = performance.now() + this.#parts.finishMs;
    this.#leaving.abort();
  }

  /** Resolves when the dials that were sent are answered, or when time is over. Until then they are to be renewed. */
  async stop(): Promise<void> {
    this.leave();
    const patience = new AbortController();
    const restMs = Math.max(0, this.#finishBy - performance.now());
    const given = delay(restMs, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.#inHand.values()), given]);
    patience.abort();
    clearTimeout(this.#releasing);
    await this.#releaseDone();
    const { db, holder, clock } = this.#parts;
    const left = [...this.#inHand.keys()];
    if (left.length > 0) await releaseClaims(db, { holder, now: clock.now() }, left).catch(() => undefined);
  }

  async #run(campaign: PlacingCampaign, recipient: ClaimedRecipient, { at, paces }: Begin): Promise<void> {
    const waitMs = at - this.#parts.clock.now().getTime();
    const { signal } = this.#leaving;
    if (waitMs > 0) await delay(waitMs, undefined, { signal }).catch(() => undefined);
    const leave = await this.#starts.enter();
    const restMs = this.#turnIn(paces);
    if (restMs > 0) await delay(restMs, undefined, { signal }).catch(() => undefined);
    const onDial = (): void => {
      this.#undialled -= isSent ? 0 : 1;
      isSent = true;
      leave();
    };
    let isSent = false;
    try {
      await this.#make(campaign, recipient, at, onDial);
    } finally {
      onDial();
    }
  }

  /** Slots that went by while this process was held up are not made good for all at once. */
  #turnIn(paces: readonly Pace[]): number {
    const now = this.#parts.clock.now().getTime();
    const afterLast = paces.map(({ account, intervalMs }) => (this.#lastAt.get(account) ?? 0) + intervalMs);
    const turn = Math.max(now, ...afterLast);
    for (const { account } of paces) this.#lastAt.set(account, turn);
    return turn - now;
  }

  async #make(
    campaign: PlacingCampaign,
    recipient: ClaimedRecipient,
    at: number,
    onDial: () => void,
  ): Promise<void> {
    const { attempt } = this.#parts;
    const id = recipient.outboundCallId;
    if (!(await this.#isWanted(recipient, at))) return this.#putBack(recipient);
    if (recipient.isPlaced) return attempt(id, { onDial });
    await attempt(id, { onDial, known: await this.#place(campaign, recipient) });
  }

  /** Begins the stream of the recipient's call, or finds that another process has begun it. */
  async #place(
    campaign: PlacingCampaign,
    recipient: ClaimedRecipient,
  ): Promise<NonNullable<AttemptOptions['known']>> {
    const { calls, clock, ids, crash } = this.#parts;
    const id = recipient.outboundCallId;
    const now = clock.now().toISOString();
    // A command id of its own for each try. Only the process that appended the first event learns that the call is new
    // and unchanged.
    const meta = stepMeta(recipient.organizationId, id, `PlaceCall:${ids.next()}`, now);
    const placed = await calls(id, placeRecipient(campaign, recipient, now), meta, { presumedNew: true });
    crash.at('campaign.afterPlace');
    return placed;
  }

  /** True when the slot is not late, this process is not stopping, and the campaign still runs. */
  async #isWanted({ campaignId }: ClaimedRecipient, at: number): Promise<boolean> {
    const { campaigns, clock } = this.#parts;
    if (this.#leaving.signal.aborted || clock.now().getTime() > at + lateMs) return false;
    const { phase } = await campaigns.now(campaignId);
    return phase === 'running' && clock.now().getTime() <= at + lateMs;
  }

  /** Gives back the recipient and the money for its call. The recipient's next claim puts the money aside again. */
  async #putBack(recipient: ClaimedRecipient): Promise<void> {
    const { db, holder } = this.#parts;
    const { campaignId, rowNumber, organizationId, outboundCallId, attempts } = recipient;
    await db.transaction(async (tx) => {
      const released = await releaseRecipients(tx, { campaignId, holder, rowNumbers: [rowNumber] });
      if (released > 0) await release(tx, organizationId, [callSubject(outboundCallId, attempts + 1)]);
    });
  }

  async #letGo(id: string, call: Promise<void>): Promise<void> {
    await call;
    this.#inHand.delete(id);
    this.#done.push(id);
    this.#releasing ??= setTimeout(() => void this.#releaseDone(), releaseEveryMs).unref();
  }

  /** A claim without its release ends by itself, a little later. */
  async #releaseDone(): Promise<void> {
    const { db, holder, clock } = this.#parts;
    const done = this.#done;
    this.#done = [];
    this.#releasing = undefined;
    if (done.length === 0) return;
    await releaseClaims(db, { holder, now: clock.now() }, done, releaseAfterMs).catch(() => undefined);
  }
}
