// The source of attempts that no campaign makes: quick calls, and calls that a person ordered again. Acquires the leases of calls that
// are due, and reserves the slot of each at the pace of its account.
import { histogram, paceWait } from '@parlance/metrics';
import type { Clock, Logger, RunningPart } from '@parlance/observability';
import type { Database, Tx, Unlisten } from '@parlance/postgres';
import type { CrashPoints } from '../attempt/crash-points.js';
import { claimDue, type DueCall } from '../attempt/dial-claims.js';
import { dueChannel } from '../read-models/outbound-call-projection.js';
import type { Dispatcher, Lane, NextAttempt } from './dispatcher.js';
import { measuredAs, type Pace, type ProviderRates, paceOf, reserveSlots, slotAt } from './pacing.js';

export interface QueuedCallsOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly crash: CrashPoints;
  readonly logger: Logger;
  /** Unique per process. */
  readonly holder: string;
  readonly dispatcher: Pick<Dispatcher, 'lane'>;
  readonly rates: ProviderRates;
  /** Dials of this process that may wait for an answer at the same time. */
  readonly maxDials: number;
}

/** Notifications may get lost; calls to be tried again later announce nothing. */
const pollMs = 1_000;
/** The same where nothing happens. A call is placed so late at most. */
const quietPollMs = 5_000;
/** These calls wait for a slot like all others, and go before those of campaigns, which look only a second ahead. */
const farAheadMs = 3_600_000;

const waits = histogram(paceWait);

/** The order in which every transaction locks paces. */
const byName = (a: { readonly pace: Pace }, b: { readonly pace: Pace }): number =>
  a.pace.account < b.pace.account ? -1 : 1;

export class QueuedCalls implements RunningPart {
  readonly name = 'queued calls';
  readonly #options: QueuedCallsOptions;
  readonly #lane: Lane;
  #timer: NodeJS.Timeout | undefined;
  #unlisten: Unlisten | undefined;
  #acquiring: Promise<void> | undefined;
  #wakeAgain = false;
  #acquiredAt = Number.NEGATIVE_INFINITY;
  #canAcquire = true;
  #isDraining = false;

  constructor(options: QueuedCallsOptions) {
    this.#options = options;
    const { dispatcher, maxDials } = options;
    const onFree = (): void => this.#wake();
    this.#lane = dispatcher.lane({ most: maxDials, mostAhead: maxDials, isUrgent: true, onFree });
  }

  /** Resolves when it listens for calls that become due. */
  async start(): Promise<void> {
    this.#unlisten = await this.#options.db.listen(dueChannel, () => this.#wake());
    this.#timer = setInterval(() => this.#poll(), pollMs).unref();
    this.#wake();
  }

  trouble(): string | undefined {
    return this.#canAcquire ? undefined : 'cannot lease calls that are due';
  }

  leave(): void {
    this.#isDraining = true;
    clearInterval(this.#timer);
  }

  async stop(): Promise<void> {
    this.leave();
    await this.#unlisten?.().catch(() => undefined);
    await this.#acquiring;
  }

  #poll(): void {
    const { activity } = this.#options.db;
    if (!activity.isQuiet || performance.now() - this.#acquiredAt >= quietPollMs) this.#wake();
  }

  #wake(): void {
    if (this.#isDraining) return;
    if (this.#acquiring !== undefined) {
      this.#wakeAgain = true;
      return;
    }
    this.#acquiring = this.#acquire()
      .then(() => {
        this.#canAcquire = true;
      })
      .catch((err: unknown) => {
        this.#canAcquire = false;
        this.#options.logger.warn({ err }, 'calls that are due not leased');
      })
      .finally(() => {
        this.#acquiring = undefined;
        if (!this.#wakeAgain) return;
        this.#wakeAgain = false;
        this.#wake();
      });
  }

  async #acquire(): Promise<void> {
    const { db, clock, crash, holder } = this.#options;
    const { free } = this.#lane;
    if (free <= 0) return;
    this.#acquiredAt = performance.now();
    const next = await db.transaction(async (tx) =>
      this.#paced(tx, await claimDue(tx, { holder, now: clock.now() }, free)),
    );
    if (next.length > 0) crash.at('dial.afterClaim');
    this.#lane.dispatch(next);
  }

  /** Reserves the slots of these calls, in their order. */
  async #paced(tx: Tx, due: readonly DueCall[]): Promise<readonly NextAttempt[]> {
    const { clock, rates } = this.#options;
    const byAccount = new Map<string, { readonly pace: Pace; readonly ids: string[] }>();
    for (const { id, provider } of due) {
      const pace = paceOf(rates, provider);
      const calls = byAccount.get(pace.account) ?? { pace, ids: [] };
      calls.ids.push(id);
      byAccount.set(pace.account, calls);
    }
    const next: NextAttempt[] = [];
    for (const { pace, ids } of [...byAccount.values()].sort(byName)) {
      const now = clock.now();
      const slots = await reserveSlots(tx, pace, { wanted: ids.length, now, horizonMs: farAheadMs });
      next.push(
        // A call without a slot within the horizon is leased again when its lease has expired.
        ...ids.slice(0, slots.count).map((id, index) => this.#attemptAt(id, slotAt(slots, index), pace)),
      );
    }
    return next;
  }

  #attemptAt(outboundCallId: string, startAt: number, pace: Pace): NextAttempt {
    const waitMs = Math.max(0, startAt - this.#options.clock.now().getTime());
    waits.record(waitMs / 1_000, { 'parlance.pace.account': measuredAs(pace) });
    // A call whose attempt does not start is released, and every replica may lease it.
    return {
      outboundCallId,
      startAt,
      paces: [pace],
      open: async (isDraining) => (isDraining ? undefined : {}),
    };
  }
}
