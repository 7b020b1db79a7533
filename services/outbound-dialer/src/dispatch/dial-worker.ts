// Takes calls that are due and dials them, several at a time, each kept claimed while it rings.
import { setMaxListeners } from 'node:events';
import type { Clock, Logger, RunningPart } from '@parlance/observability';
import type { Database, Unlisten } from '@parlance/postgres';
import type { CrashPoints } from '../attempt/crash-points.js';
import {
  type Claimant,
  claimDue,
  claimMs,
  type DueCall,
  releaseClaims,
  renewClaims,
} from '../attempt/dial-claims.js';
import { dueChannel } from '../read-models/outbound-call-projection.js';

export interface DialWorkerParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly crash: CrashPoints;
  readonly logger: Logger;
  /** Unique per process. */
  readonly holder: string;
  /** Dials of this process that may wait for an answer at the same time. */
  readonly maxDials: number;
  /**
   * Makes the attempt that is due; resolves when the attempt needs no attention for now.
   * @param leaving aborted when nothing may begin any more; begun work goes on
   */
  readonly attempt: (due: DueCall, leaving: AbortSignal) => Promise<void>;
  /** A dial that is not answered so long after the process was told to leave is handed over to another copy. */
  readonly finishMs: number;
}

/** Notifications may get lost; calls to be tried again later announce nothing. */
const pollMs = 1_000;
export class DialWorker implements RunningPart {
  readonly name = 'dial worker';
  readonly #parts: DialWorkerParts;
  readonly #dialing = new Map<string, Promise<void>>();
  readonly #timers: NodeJS.Timeout[] = [];
  #unlisten: Unlisten | undefined;
  #claiming: Promise<void> | undefined;
  #wakeAgain = false;
  #canClaim = true;
  readonly #leaving = new AbortController();
  #finishBy = 0;

  constructor(parts: DialWorkerParts) {
    this.#parts = parts;
    // Every call that waits for its slot listens.
    setMaxListeners(0, this.#leaving.signal);
  }

  /** Resolves when it listens for calls that become due. */
  async start(): Promise<void> {
    this.#unlisten = await this.#parts.db.listen(dueChannel, () => this.#wake());
    this.#timers.push(
      setInterval(() => this.#wake(), pollMs).unref(),
      setInterval(() => void this.#renew(), claimMs / 3).unref(),
    );
    this.#wake();
  }

  trouble(): string | undefined {
    return this.#canClaim ? undefined : 'cannot claim calls that are due';
  }

  /** Claims no more, and gives back the calls that wait for their slot. */
  leave(): void {
    if (this.#leaving.signal.aborted) return;
    this.#finishBy = performance.now() + this.#parts.finishMs;
    this.#leaving.abort();
  }

  /** Dials that were sent are kept claimed until they are answered, or until time is over. */
  async stop(): Promise<void> {
    this.leave();
    await this.#unlisten?.().catch(() => undefined);
    await this.#claiming;
    await this.#waitForDials();
    for (const timer of this.#timers) clearInterval(timer);
    const left = [...this.#dialing.keys()];
    if (left.length > 0) await releaseClaims(this.#parts.db, this.#claimant(), left).catch(() => undefined);
  }

  #wake(): void {
    if (this.#leaving.signal.aborted) return;
    if (this.#claiming !== undefined) {
      this.#wakeAgain = true;
      return;
    }
    this.#claiming = this.#claim()
      .then(() => {
        this.#canClaim = true;
      })
      .catch((err: unknown) => {
        this.#canClaim = false;
        this.#parts.logger.warn({ err }, 'calls that are due could not be claimed');
      })
      .finally(() => {
        this.#claiming = undefined;
        if (!this.#wakeAgain) return;
        this.#wakeAgain = false;
        this.#wake();
      });
  }

  async #claim(): Promise<void> {
    const { db, maxDials, crash } = this.#parts;
    const free = maxDials - this.#dialing.size;
    if (free <= 0) return;
    const due = await db.transaction((tx) => claimDue(tx, this.#claimant(), free));
    if (due.length > 0) crash.at('dial.afterClaim');
    for (const call of due) this.#dialing.set(call.id, this.#dial(call));
  }

  async #dial(due: DueCall): Promise<void> {
    const { db, logger, attempt } = this.#parts;
    const { id } = due;
    try {
      await attempt(due, this.#leaving.signal);
    } catch (err) {
      logger.error({ outboundCallId: id, err }, 'attempt interrupted');
    }
    this.#dialing.delete(id);
    // A claim without its release ends by itself, a little later.
    await releaseClaims(db, this.#claimant(), [id], pollMs).catch(() => undefined);
    this.#wake();
  }

  async #renew(): Promise<void> {
    const ids = [...this.#dialing.keys()];
    if (ids.length === 0) return;
    const { db, logger } = this.#parts;
    await renewClaims(db, this.#claimant(), ids).catch((err: unknown) =>
      logger.warn({ err }, 'claims could not be renewed'),
    );
  }

  #claimant(): Claimant {
    return { holder: this.#parts.holder, now: this.#parts.clock.now() };
  }

  async #waitForDials(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, Math.max(0, this.#finishBy - performance.now()));
    });
    await Promise.race([Promise.all(this.#dialing.values()), patience]);
    clearTimeout(timer);
  }
}
