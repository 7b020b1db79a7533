// The engine under projectors. One active copy follows one category, hands batches to its work and moves its
// checkpoint. It waits out failures that pass, and sets aside events that cannot be handled.
import { setTimeout as delay } from 'node:timers/promises';
import { observe, projectionActive, projectionLag, projectionParked } from '@parlance/metrics';
import { isStatementTimeout } from '@parlance/postgres';
import { categoryBatches } from './category-subscription.js';
import { Checkpoint, CheckpointMoved } from './checkpoints.js';
import {
  addDeadLetter,
  countDeadLetters,
  type DeadLetter,
  pausedStreams,
  summaryOf,
} from './dead-letters.js';
import type { Message } from './decider.js';
import type { Recorded } from './event-store.js';
import { Milestones } from './milestones.js';
import { NewerEvent } from './newer-event.js';
import { Pace } from './pace.js';
import type { Projector, SubscriberHooks, SubscriberOptions, Work } from './projector.js';
import { decodeOnce } from './shared-decoding.js';
import { type Batch, positionOf, type RawEvent } from './store/driver.js';
import { StoreUnavailable } from './store/failures.js';
import { isTransient } from './transient.js';

type Item<E extends Message> =
  | { readonly raw: RawEvent; readonly recorded: Recorded<E> }
  | { readonly raw: RawEvent; readonly error: unknown };

interface Decoded<E extends Message> {
  readonly items: readonly Item<E>[];
  readonly newer?: NewerEvent;
}

const usualBatchSize = 100;
const triesPerEvent = 5;
const firstRetryMs = 50;
const longestPauseMs = 2_000;
/** A process that has to be upgraded looks again so seldom: meanwhile an upgraded copy can become the active one. */
const newerPauseMs = 10_000;
/** The interval, in milliseconds, at which a waiting copy checks whether it can be the active one. */
const standByMs = 1_000;
/** A connection that brings nothing for so long, and does not break, works. */
const provenAfterMs = 2_000;

/** A checkpoint that has passed events without work waits so long for another event to move it. Then it is written. */
const saveAfterMs = 1_000;

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
  readonly #work: Work<E>;
  readonly #hooks: SubscriberHooks;
  readonly #stopping = new AbortController();
  readonly #milestones = new Milestones();
  readonly #pace: Pace;
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
    this.#work = work;
    this.#hooks = hooks;
    this.#pace = new Pace(options.batchSize ?? usualBatchSize, options.pace);
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
        if (!active) await this.#pause(standByMs);
      } catch (error) {
        await this.#pause(this.#afterFailure(error));
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

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => undefined);
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
      if (batch.events.length < batchSize) await this.#pause(restMs(performance.now() - began));
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
          await this.#advanceAlone(checkpoint, checkpoint.position);
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
        await this.#advanceAlone(checkpoint, batch.scannedTo);
      return;
    }
    this.#waitingSince = oldest.created.getTime();
    const { items, newer } = await this.#decode(batch.events);
    await this.#handleInPieces(items, checkpoint, paused);
    this.#refused = newer;
    if (newer !== undefined) throw newer;
  }

  async #handleInPieces(
    items: readonly Item<E>[],
    checkpoint: Checkpoint,
    paused: Set<string>,
  ): Promise<void> {
    for (;;) {
      const left = items.filter(({ raw }) => positionOf(raw) > checkpoint.position);
      if (left.length === 0) return;
      await this.#handlePiece(left.slice(0, this.#pace.size), checkpoint, paused);
    }
  }

  async #handlePiece(piece: readonly Item<E>[], checkpoint: Checkpoint, paused: Set<string>): Promise<void> {
    const [head, last] = [piece[0], piece.at(-1)];
    if (head === undefined || last === undefined) return;
    try {
      await this.#handleItems(piece, checkpoint, paused);
    } catch (error) {
      if (!isStatementTimeout(error)) throw error;
      // Those before it may have been handled one by one.
      const slow = piece.filter(({ raw }) => positionOf(raw) > checkpoint.position);
      const first = positionOf((slow[0] ?? head).raw);
      const attempted = { first, last: positionOf(last.raw), events: slow.length };
      const verdict = this.#pace.timedOut(attempted, Date.now());
      if (verdict === 'smaller') return;
      if (verdict === 'again' || !(await this.#isHealthy())) throw error;
      await this.#giveUp(slow[0] ?? head, { failure: error, attempts: triesPerEvent }, checkpoint, paused);
    }
    this.#pace.worked(positionOf(last.raw));
  }

  /** True when the databases answer: then it is the event that is slow. */
  async #isHealthy(): Promise<boolean> {
    try {
      await this.#options.db.ping();
      await this.#hooks.checkStore?.();
      return true;
    } catch {
      return false;
    }
  }

  async #handleItems(items: readonly Item<E>[], checkpoint: Checkpoint, paused: Set<string>): Promise<void> {
    const last = items.at(-1);
    if (last === undefined) return;
    const known = items.flatMap((item) => ('recorded' in item ? [item.recorded] : []));
    const clean = known.length === items.length && known.every(({ stream }) => !paused.has(stream));
    if (clean && (await this.#tryBatch(known, checkpoint, positionOf(last.raw)))) return;
    for (const item of items) await this.#handleOne(item, checkpoint, paused);
  }

  /** The events before the first one that only a newer release can read, and the refusal of that one. */
  async #decode(raws: readonly RawEvent[]): Promise<Decoded<E>> {
    const { eventStore, codec, personal = true } = this.#options;
    const decoded = await Promise.all(
      raws.map(async (raw): Promise<Item<E> | NewerEvent> => {
        try {
          return { raw, recorded: await decodeOnce(eventStore, raw, codec, personal) };
        } catch (error) {
          if (error instanceof NewerEvent) return error;
          if (isTransient(error)) throw error;
          return { raw, error };
        }
      }),
    );
    const items: Item<E>[] = [];
    for (const item of decoded) {
      if (item instanceof NewerEvent) return { items, newer: item };
      items.push(item);
    }
    return { items };
  }

  /** False when something in the batch cannot be handled and has to be found. */
  async #tryBatch(events: readonly Recorded<E>[], checkpoint: Checkpoint, to: bigint): Promise<boolean> {
    try {
      await this.#apply(events, checkpoint, to);
      return true;
    } catch (error) {
      if (isTransient(error)) throw error;
      return false;
    }
  }

  async #handleOne(item: Item<E>, checkpoint: Checkpoint, paused: Set<string>): Promise<void> {
    const position = positionOf(item.raw);
    if (paused.has(item.raw.streamId)) {
      await this.#setAside(
        item.raw,
        { reason: 'waits behind an event that was set aside', attempts: 0 },
        checkpoint,
      );
      return;
    }
    let failure: unknown = 'error' in item ? item.error : undefined;
    for (let attempt = 1; 'recorded' in item && attempt <= triesPerEvent; attempt += 1) {
      try {
        await this.#apply([item.recorded], checkpoint, position);
        return;
      } catch (error) {
        if (isTransient(error)) throw error;
        failure = error;
        if (attempt < triesPerEvent) await this.#pause(firstRetryMs * 2 ** (attempt - 1));
      }
    }
    const attempts = 'recorded' in item ? triesPerEvent : 1;
    await this.#giveUp(item, { failure, attempts }, checkpoint, paused);
  }

  async #giveUp(
    { raw }: Item<E>,
    { failure, attempts }: { readonly failure: unknown; readonly attempts: number },
    checkpoint: Checkpoint,
    paused: Set<string>,
  ): Promise<void> {
    await this.#setAside(raw, { reason: summaryOf(failure), attempts }, checkpoint);
    paused.add(raw.streamId);
    this.#options.logger.error(
      { projection: this.name, stream: raw.streamId, eventId: raw.id, eventType: raw.type, err: failure },
      'event set aside',
    );
  }

  async #apply(events: readonly Recorded<E>[], checkpoint: Checkpoint, to: bigint): Promise<void> {
    const { about } = this.#options;
    const concerned = about === undefined ? events : events.filter(({ event }) => about.includes(event.type));
    if (concerned.length === 0) return this.#passOver(checkpoint, to);
    const { generation } = checkpoint;
    const limitMs = this.#pace.limitMsAt(to);
    const outcome = await this.#work(concerned, {
      generation,
      limitMs,
      advance: (tx) => checkpoint.move(tx, to),
      move: checkpoint.moveTo(to),
    });
    if (outcome === 'passed over') return this.#passOver(checkpoint, to);
    checkpoint.moved(to);
    this.#milestones.reach(to);
  }

  async #passOver(checkpoint: Checkpoint, to: bigint): Promise<void> {
    checkpoint.passed(to);
    this.#milestones.reach(to);
    if ((checkpoint.aheadMs ?? 0) > saveAfterMs) await this.#advanceAlone(checkpoint, to);
  }

  async #advanceAlone(checkpoint: Checkpoint, to: bigint): Promise<void> {
    await checkpoint.move(this.#options.db, to);
    checkpoint.moved(to);
    this.#milestones.reach(to);
  }

  async #setAside(
    raw: RawEvent,
    why: Pick<DeadLetter, 'reason' | 'attempts'>,
    checkpoint: Checkpoint,
  ): Promise<void> {
    const { id: eventId, streamId: stream, revision, type } = raw;
    const position = positionOf(raw);
    await this.#options.db.transaction(async (tx) => {
      await checkpoint.move(tx, position);
      await addDeadLetter(tx, this.name, { eventId, stream, revision, position, type, ...why });
    });
    checkpoint.moved(position);
    this.#milestones.reach(position);
  }
}
