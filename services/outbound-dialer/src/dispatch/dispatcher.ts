// Starts the attempts of this process, of quick calls and of campaigns alike: each at its time, at the pace of its account, and a few at
// once. The lease of an attempt is renewed until its dial is answered. Sources acquire the leases and hand the attempts over.
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock, Logger, RunningPart } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import type { AttemptOptions, Opening } from '../attempt/attempt-lifecycle.js';
import { type Claimant, claimMs, releaseClaims, renewClaims } from '../attempt/dial-claims.js';
import type { Pace } from './pacing.js';
import { Starts } from './starts.js';

/** An attempt whose lease this process has acquired. */
export interface NextAttempt {
  readonly outboundCallId: string;
  /** The earliest start, in epoch milliseconds. */
  readonly startAt: number;
  /** The paces that it keeps. */
  readonly paces: readonly Pace[];
  /**
   * Called when the attempt may start.
   * @returns undefined for an attempt that must not start any more; the source has requeued it
   */
  readonly open: (isDraining: boolean) => Promise<Opening | undefined>;
}

export interface LaneOptions {
  /** Attempts of this lane until their dial is answered. */
  readonly most: number;
  /** The attempts among them whose dial was not sent yet. */
  readonly mostAhead: number;
  /** A slow process has no more ahead than it sent in the last seconds, and not fewer than this (`mostAhead`). */
  readonly leastAhead?: number;
  /** Starts however many attempts of other lanes are starting. */
  readonly isUrgent?: boolean;
  /** Called when the lane has more room than before. */
  readonly onFree?: () => void;
}

/** The share of one source in the capacity of this process. */
export interface Lane {
  /** The number of further attempts that the source may hand over. */
  readonly free: number;
  dispatch(attempts: readonly NextAttempt[]): void;
}

export interface DispatcherOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Unique per process. */
  readonly holder: string;
  /** Makes the attempt that is due; resolves when the attempt needs no attention for now. */
  readonly attempt: (outboundCallId: string, options: AttemptOptions) => Promise<void>;
  /** A dial that is not answered so long after the process began to drain is handed over to another replica. */
  readonly finishMs: number;
}

/** Fewer than the six works that background work may begin at once: leases and projections need a share, too. */
const startsAtOnce = 4;
/** The read model may lag behind the stream, so other replicas keep away a moment longer. */
const releaseAfterMs = 1_000;
/** Leases of attempts that are over are released together. */
const releaseEveryMs = 200;
/** What is ahead is sent in about this time. */
const aheadMs = 2_000;
/** Longer than any pace waits between two calls. */
const forgetPaceMs = 120_000;

export class Dispatcher implements RunningPart {
  readonly name = 'dispatcher';
  readonly #options: DispatcherOptions;
  readonly #running = new Map<string, Promise<void>>();
  readonly #draining = new AbortController();
  readonly #starts = new Starts(startsAtOnce);
  /** The start of the last attempt by the pace that it keeps, in epoch milliseconds. */
  readonly #lastAt = new Map<string, number>();
  readonly #renewing: NodeJS.Timeout;
  #finishBy = 0;
  /** Attempts that are over and still leased. */
  #over: string[] = [];
  #releasing: NodeJS.Timeout | undefined;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    // Every attempt that waits for its time listens.
    setMaxListeners(0, this.#draining.signal);
    this.#renewing = setInterval(() => void this.#renew(), claimMs / 3).unref();
  }

  lane(options: LaneOptions): Lane {
    const { most, mostAhead, leastAhead = mostAhead, isUrgent = false, onFree } = options;
    const count = { running: 0, ahead: 0 };
    /** When the last dials were sent, by a clock that nobody sets. */
    const sent: number[] = [];
    const run = async (next: NextAttempt): Promise<void> => {
      count.running += 1;
      count.ahead += 1;
      await this.#run(next, isUrgent, () => {
        count.ahead -= 1;
        sent.push(performance.now());
      });
      count.running -= 1;
      onFree?.();
    };
    return {
      get free() {
        while ((sent[0] ?? Number.POSITIVE_INFINITY) < performance.now() - aheadMs) sent.shift();
        const ahead = Math.min(mostAhead, Math.max(leastAhead, sent.length));
        return Math.min(most - count.running, ahead - count.ahead);
      },
      dispatch: (attempts) => {
        for (const next of attempts) this.#running.set(next.outboundCallId, run(next));
      },
    };
  }

  /** Starts no more attempts; those that wait for their time are requeued. */
  leave(): void {
    if (this.#draining.signal.aborted) return;
    this.#finishBy = performance.now() + this.#options.finishMs;
    this.#draining.abort();
  }

  /** Dials that were sent stay leased until they are answered, or until time is over. */
  async stop(): Promise<void> {
    this.leave();
    const patience = new AbortController();
    const leftMs = Math.max(0, this.#finishBy - performance.now());
    const given = delay(leftMs, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([Promise.all(this.#running.values()), given]);
    patience.abort();
    clearInterval(this.#renewing);
    clearTimeout(this.#releasing);
    await this.#releaseOver();
    const left = [...this.#running.keys()];
    if (left.length > 0) await releaseClaims(this.#options.db, this.#claimant(), left).catch(() => undefined);
  }

  /** @param onAhead called once, when the attempt is not ahead of its dial any more */
  async #run(next: NextAttempt, isUrgent: boolean, onAhead: () => void): Promise<void> {
    const { outboundCallId: id } = next;
    let isAhead = true;
    const started = (): void => {
      if (isAhead) onAhead();
      isAhead = false;
    };
    await this.#start(next, isUrgent, started).catch((err: unknown) =>
      // The lease ends, and another replica continues with the call from its state in the stream.
      this.#options.logger.warn({ outboundCallId: id, err }, 'attempt interrupted'),
    );
    started();
    this.#running.delete(id);
    this.#over.push(id);
    this.#releasing ??= setTimeout(() => void this.#releaseOver(), releaseEveryMs).unref();
  }

  async #start(next: NextAttempt, isUrgent: boolean, started: () => void): Promise<void> {
    await this.#wait(next.startAt - this.#now());
    const release = isUrgent ? () => undefined : await this.#starts.enter();
    const onDial = (): void => {
      started();
      release();
    };
    try {
      await this.#wait(this.#paced(next.paces));
      const opening = await next.open(this.#draining.signal.aborted);
      if (opening !== undefined) await this.#options.attempt(next.outboundCallId, { ...opening, onDial });
    } finally {
      release();
    }
  }

  /** Slots that went by while this process was held up are not made good for all at once. */
  #paced(paces: readonly Pace[]): number {
    const now = this.#now();
    const afterLast = paces.map(({ account, intervalMs }) => (this.#lastAt.get(account) ?? 0) + intervalMs);
    const startAt = Math.max(now, ...afterLast);
    for (const { account } of paces) this.#lastAt.set(account, startAt);
    return startAt - now;
  }

  async #wait(ms: number): Promise<void> {
    if (ms > 0) await delay(ms, undefined, { signal: this.#draining.signal }).catch(() => undefined);
  }

  async #renew(): Promise<void> {
    const { db, logger } = this.#options;
    const now = this.#now();
    for (const [account, at] of this.#lastAt) if (now - at > forgetPaceMs) this.#lastAt.delete(account);
    const ids = [...this.#running.keys()];
    if (ids.length === 0) return;
    await renewClaims(db, this.#claimant(), ids).catch((err: unknown) =>
      logger.warn({ err }, 'leases not renewed'),
    );
  }

  /** A lease without its release expires, a little later. */
  async #releaseOver(): Promise<void> {
    const over = this.#over;
    this.#over = [];
    this.#releasing = undefined;
    if (over.length === 0) return;
    await releaseClaims(this.#options.db, this.#claimant(), over, releaseAfterMs).catch(() => undefined);
  }

  #now(): number {
    return this.#options.clock.now().getTime();
  }

  #claimant(): Claimant {
    return { holder: this.#options.holder, now: this.#options.clock.now() };
  }
}
