// Looks after purchases and releases that nobody works on: left behind by a process that died, in doubt, or waiting for a
// provider. Runs on start and then all the time, in every copy.
import type { Clock, Logger, RunningPart } from '@parlance/observability';
import type { Database } from '@parlance/persistence';
import type { NumberRow } from '../numbers/number-record.js';
import { claimUnfinished } from '../purchase/claims.js';
import type { Purchases } from '../purchase/purchases.js';
import type { Releases } from '../release/releases.js';

export interface ReconcilerParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly holder: string;
  readonly claimMs: number;
  readonly purchases: Pick<Purchases, 'resume'>;
  readonly releases: Pick<Releases, 'resume'>;
}

const everyMs = 1_000;
const atOnce = 8;

export class Reconciler implements RunningPart {
  readonly name = 'number reconciler';
  readonly #parts: ReconcilerParts;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();
  #isStopping = false;

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#round = this.#runRound().finally(() => {
      if (this.#isStopping) return;
      this.#timer = setTimeout(() => this.start(), everyMs);
      this.#timer.unref();
    });
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#timer);
    await this.#round;
  }

  async #runRound(): Promise<void> {
    const { db, clock, logger, holder, claimMs } = this.#parts;
    try {
      let claimed: NumberRow[];
      do {
        const claimant = { holder, now: clock.now(), forMs: claimMs };
        claimed = await claimUnfinished(db, claimant, atOnce);
        await Promise.all(claimed.map((row) => this.#resume(row)));
      } while (claimed.length === atOnce && !this.#isStopping);
    } catch (err) {
      logger.warn({ err }, 'reconciling numbers has to wait');
    }
  }

  /** One number that cannot be settled now must not keep the others from it. */
  async #resume(row: NumberRow): Promise<void> {
    const { purchases, releases, logger } = this.#parts;
    try {
      await (row.status === 'provisioning' ? purchases.resume(row) : releases.resume(row));
    } catch (err) {
      logger.warn({ err, numberId: row.id, status: row.status }, 'a number has to wait');
    }
  }
}
