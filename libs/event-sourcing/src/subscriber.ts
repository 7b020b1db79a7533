// The engine under projectors. One active copy follows one category, hands batches to its work and moves its
// checkpoint. It waits out failures that pass, and sets aside events that cannot be handled.
import { setTimeout as delay } from 'node:timers/promises';
import { observe, projectionActive, projectionLag, projectionParked } from '@parlance/metrics';
import { BatchHandler, pause, saveAfterMs, usualBatchSize } from './batch-handler.js';
import { categoryBatches } from './category-subscription.js';
import { Checkpoint, CheckpointMoved } from './checkpoints.js';
import { countDeadLetters, pausedStreams } from './dead-letters.js';
import type { Message } from './decider.js';
import { Milestones } from './milestones.js';
import { NewerEvent } from './newer-event.js';
import type { Projector, SubscriberHooks, SubscriberOptions, Work } from './projector.js';
import type { Batch } from './store/driver.js';
import { StoreUnavailable } from './store/failures.js';

const longestPauseMs = 2_000;
/** A process that has to be upgraded looks again so seldom: meanwhile an upgraded copy can become the active one. */
const newerPauseMs = 10_000;
/** The interval, in milliseconds, at which a waiting copy checks whether it can be the active one. */
const standByMs = 1_000;
/** A connection that brings nothing for so long, and does not break, works. */
const provenAfterMs = 2_000;

const longestRestMs = 250;
/**
 * A batch costs the more per event the smaller it is. A rest twice as long as the last batch lets the next one gather.
 * An idle machine does not notice it; a busy one makes a third of the batches.
 */
const leastRestMs = (workedMs: number): number => Math.min(longestRestMs, 2 * workedMs);

/** Rests end at the same instants for all followers, so that those of one database write in one transaction. */
const tickMs = 50;

const restMs = (workedMs: number): number => {
  const rested = performance.now() + leastRestMs(workedMs);
  return Math.ceil(rested / tickMs) * tickMs - performance.now();
};

/** Name of the lock that the active copy holds. */
export const lockOf = (projection: string): string => `projection:${projection}`;

/** Whether it is there before a checkpoint that is ahead has to be written; true also for a failure. */
const comesSoon = async (next: Promise<unknown>): Promise<boolean> => {
  const enough = new AbortController();
  const came = next.then(
    () => true,
    () => true,
  );
  const late = delay(saveAfterMs, false, { signal: enough.signal, ref: false }).catch(() => true);
  try {
    return await Promise.race([came, late]);
  } finally {
    enough.abort();
  }
};

export class Subscriber<E extends Message> implements Projector {
  readonly name: string;
  readonly #options: SubscriberOptions<E>;
  readonly #handler: BatchHandler<E>;
  readonly #hooks: SubscriberHooks;
  readonly #stopping = new AbortController();
  readonly #milestones = new Milestones();
  readonly #running: Promise<void>;
  readonly #endGauges: readonly (() => void)[];
  /** Since when something waits: the oldest event in hand, or the moment the connection was lost. */
  #waitingSince: number | undefined;
  /** True while this copy holds the lock. */
  #isActive = false;
  #failures = 0;
  /** The cause of the last failed try, where that is known. */
  #cause: string | undefined;
  #refused: NewerEvent | undefined;
  /** The time at which the store took the subscription; undefined while there is none. */
  #connectedAt: number | undefined;

  constructor(options: SubscriberOptions<E>, work: Work<E>, hooks: SubscriberHooks = {}) {
    this.name = options.id;
    this.#options = options;
    this.#hooks = hooks;
    this.#handler = new BatchHandler({
      options,
      work,
      checkStore: hooks.checkStore,
      milestones: this.#milestones,
      signal: this.#stopping.signal,
    });
    const labels = { 'parlance.projection': this.name };
    this.#endGauges = [
      observe(projectionActive, () => [[this.#isActive ? 1 : 0, labels]]),
      observe(projectionLag, () => [[this.lagMs() / 1_000, labels]]),
      observe(projectionParked, async () => [[await this.parked(), labels]]),
    ];
    this.#running = this.#run();
  }

  lagMs(): number {
    return this.#waitingSince === undefined ? 0 : Math.max(0, Date.now() - this.#waitingSince);
  }

  trouble(): string | undefined {
    if (this.#failures === 0) return undefined;
    // A subscriber that is connected again and has nothing to handle works.
    // An event that it could not handle would have come at once.
    const isIdle = this.#waitingSince === undefined && this.#connectedAt !== undefined;
    const worksAgain = isIdle && Date.now() - (this.#connectedAt ?? 0) > provenAfterMs;
    if (worksAgain) return undefined;
    return this.#cause === undefined
      ? 'cannot follow its events'
      : `cannot follow its events: ${this.#cause}`;
  }

  /** The event that it has stopped before, because only a newer release can read it. */
  get refused(): NewerEvent | undefined {
    return this.#refused;
  }

  parked(): Promise<number> {
    return countDeadLetters(this.#options.db, this.name);
  }

  whenProcessed(position: bigint, { timeoutMs = 5_000 } = {}): Promise<void> {
    return this.#milestones.reached(position, timeoutMs);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const end of this.#endGauges) end();
    await this.#running;
    this.#milestones.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const active = await this.#followAsActiveCopy();
        if (!active) await pause(standByMs, this.#stopping.signal);
      } catch (error) {
        await pause(this.#afterFailure(error), this.#stopping.signal);
      }
    }
  }

  /** Milliseconds until the next try. */
  #afterFailure(error: unknown): number {
    const { logger } = this.#options;
    const unavailable = error instanceof StoreUnavailable ? error : undefined;
    this.#waitingSince ??= Date.now();
    this.#connectedAt = undefined;
    this.#failures += 1;
    if (error instanceof CheckpointMoved && this.#failures === 1) {
      logger.info({ projection: this.name }, 'projection begins again at a checkpoint that was touched');
      return 0;
    }
    // Under load the store tells in this way that it waits for no live reader. Nothing is lost, and nothing is broken.
    if (unavailable?.isSlowReader === true && this.#failures === 1) {
      logger.info({ projection: this.name }, 'projection fell behind and catches up from its checkpoint');
      return 0;
    }
    this.#cause = error instanceof NewerEvent ? error.reason : unavailable?.reason;
    const { name: projection } = this;
    logger.warn(
      { projection, failures: this.#failures, reason: this.#cause, err: error },
      'projection interrupted',
    );
    if (error instanceof NewerEvent) return newerPauseMs;
    return Math.min(longestPauseMs, 100 * 2 ** Math.min(this.#failures, 5)) * (0.5 + Math.random() / 2);
  }

  /** False when another copy is the active one. */
  async #followAsActiveCopy(): Promise<boolean> {
    const lock = await this.#options.db.tryLock(lockOf(this.name));
    if (lock === undefined) {
      this.#waitingSince = undefined;
      this.#failures = 0; // another copy does the work
      return false;
    }
    this.#isActive = true;
    try {
      await this.#follow(AbortSignal.any([this.#stopping.signal, lock.lost]));
      return true;
    } finally {
      this.#isActive = false;
      await lock.release();
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { db, eventStore, category, batchSize = usualBatchSize } = this.#options;
    const checkpoint = await Checkpoint.load(db, this.name);
    await this.#hooks.onActive?.(checkpoint.generation);
    this.#milestones.reach(checkpoint.position);
    const paused = await pausedStreams(db, this.name);
    const ending = new AbortController();
    const batches = categoryBatches({
      store: eventStore,
      category,
      after: checkpoint.position,
      batchSize,
      signal: AbortSignal.any([signal, ending.signal]),
      onConnected: () => {
        this.#connectedAt = Date.now();
        this.#waitingSince = undefined;
      },
    });
    for await (const batch of this.#savingMeanwhile(batches, checkpoint, ending)) {
      const began = performance.now();
      await this.#handle(batch, checkpoint, paused);
      this.#hooks.onProgress?.(batch.events.length, checkpoint.position);
      this.#failures = 0;
      this.#waitingSince = undefined;
      if (batch.events.length < batchSize)
        await pause(restMs(performance.now() - began), this.#stopping.signal);
    }
  }

  /** The same batches. A checkpoint that is ahead of the stored one is written where the next batch takes its time. */
  async *#savingMeanwhile(
    batches: AsyncIterable<Batch>,
    checkpoint: Checkpoint,
    ending: AbortController,
  ): AsyncGenerator<Batch> {
    const iterator = batches[Symbol.asyncIterator]();
    try {
      for (;;) {
        const next = iterator.next();
        if (checkpoint.aheadMs !== undefined && !(await comesSoon(next)))
          await this.#handler.advanceAlone(checkpoint, checkpoint.position);
        const { done, value } = await next;
        if (done === true) return;
        yield value;
      }
    } finally {
      // A batch may still be awaited, and no iterator ends before that.
      ending.abort();
      await iterator.return?.();
    }
  }

  async #handle(batch: Batch, checkpoint: Checkpoint, paused: Set<string>): Promise<void> {
    const [oldest] = batch.events;
    if (oldest === undefined) {
      if (batch.scannedTo !== undefined && batch.scannedTo > checkpoint.position)
        await this.#handler.advanceAlone(checkpoint, batch.scannedTo);
      return;
    }
    this.#waitingSince = oldest.created.getTime();
    this.#refused = await this.#handler.handle(batch.events, checkpoint, paused);
    if (this.#refused !== undefined) throw this.#refused;
  }
}
