// Has the work handle a batch of events, and moves the checkpoint. Waits out failures that pass, and sets aside events that cannot
// be handled.
import { setTimeout as delay } from 'node:timers/promises';
import { isStatementTimeout } from '@parlance/postgres';
import type { Checkpoint } from './checkpoints.js';
import { addDeadLetter, type DeadLetter, summaryOf } from './dead-letters.js';
import type { Message } from './decider.js';
import type { Recorded } from './event-store.js';
import { refuseNewer } from './event-store-connection.js';
import type { Milestones } from './milestones.js';
import { NewerEvent } from './newer-event.js';
import { Pace } from './pace.js';
import type { SubscriberHooks, SubscriberOptions, Work } from './projector.js';
import { decodeOnce } from './shared-decoding.js';
import { positionOf, type RawEvent } from './store/driver.js';
import { isTransient } from './transient.js';

type Item<E extends Message> =
  | { readonly raw: RawEvent; readonly recorded: Recorded<E> }
  /** Of no concern to the work, so that nobody reads it. */
  | { readonly raw: RawEvent }
  | { readonly raw: RawEvent; readonly error: unknown };

interface Decoded<E extends Message> {
  readonly items: readonly Item<E>[];
  readonly newer?: NewerEvent;
}

/** Most events handled together unless a subscriber says otherwise. */
export const usualBatchSize = 100;
const triesPerEvent = 5;
const firstRetryMs = 50;
/** A checkpoint that has passed events without work waits so long for another event to move it. Then it is written. */
export const saveAfterMs = 1_000;

/** Resolves early when the signal aborts. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
};

export interface BatchHandlerParts<E extends Message> {
  readonly options: SubscriberOptions<E>;
  readonly work: Work<E>;
  readonly checkStore: SubscriberHooks['checkStore'] | undefined;
  readonly milestones: Milestones;
  /** Ends the pauses between tries. */
  readonly signal: AbortSignal;
}

export class BatchHandler<E extends Message> {
  readonly #parts: BatchHandlerParts<E>;
  readonly #pace: Pace;

  constructor(parts: BatchHandlerParts<E>) {
    const { batchSize = usualBatchSize, pace } = parts.options;
    this.#parts = parts;
    this.#pace = new Pace(batchSize, pace);
  }

  /** @returns the event that it stopped before, because only a newer release can read it */
  async handle(
    events: readonly RawEvent[],
    checkpoint: Checkpoint,
    paused: Set<string>,
  ): Promise<NewerEvent | undefined> {
    const { items, newer } = await this.#decode(events);
    await this.#handleInPieces(items, checkpoint, paused);
    return newer;
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
      await this.#parts.options.db.ping();
      await this.#parts.checkStore?.();
      return true;
    } catch {
      return false;
    }
  }

  async #handleItems(items: readonly Item<E>[], checkpoint: Checkpoint, paused: Set<string>): Promise<void> {
    const last = items.at(-1);
    if (last === undefined) return;
    const concerned = items.flatMap((item) => ('recorded' in item ? [item.recorded] : []));
    const clean = items.every((item) => !('error' in item) && !paused.has(item.raw.streamId));
    if (clean && (await this.#tryBatch(concerned, checkpoint, positionOf(last.raw)))) return;
    for (const item of items) await this.#handleOne(item, checkpoint, paused);
  }

  /** The events before the first one that only a newer release can read, and the refusal of that one. */
  async #decode(raws: readonly RawEvent[]): Promise<Decoded<E>> {
    const { eventStore, codec, personal = true } = this.#parts.options;
    const about: readonly string[] | undefined = this.#parts.options.about;
    const decoded = await Promise.all(
      raws.map(async (raw): Promise<Item<E> | NewerEvent> => {
        try {
          if (about?.includes(raw.type) === false) {
            refuseNewer(raw, codec);
            return { raw };
          }
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
    if (!('recorded' in item || 'error' in item)) return this.#passOver(checkpoint, position);
    let failure: unknown = 'error' in item ? item.error : undefined;
    for (let attempt = 1; 'recorded' in item && attempt <= triesPerEvent; attempt += 1) {
      try {
        await this.#apply([item.recorded], checkpoint, position);
        return;
      } catch (error) {
        if (isTransient(error)) throw error;
        failure = error;
        if (attempt < triesPerEvent) await pause(firstRetryMs * 2 ** (attempt - 1), this.#parts.signal);
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
    this.#parts.options.logger.error(
      {
        projection: this.#parts.options.id,
        stream: raw.streamId,
        eventId: raw.id,
        eventType: raw.type,
        err: failure,
      },
      'event set aside',
    );
  }

  async #apply(events: readonly Recorded<E>[], checkpoint: Checkpoint, to: bigint): Promise<void> {
    if (events.length === 0) return this.#passOver(checkpoint, to);
    const { generation } = checkpoint;
    const limitMs = this.#pace.limitMsAt(to);
    const outcome = await this.#parts.work(events, {
      generation,
      limitMs,
      advance: (tx) => checkpoint.move(tx, to),
      move: checkpoint.moveTo(to),
    });
    if (outcome === 'passed over') return this.#passOver(checkpoint, to);
    checkpoint.moved(to);
    this.#parts.milestones.reach(to);
  }

  async #passOver(checkpoint: Checkpoint, to: bigint): Promise<void> {
    checkpoint.passed(to);
    this.#parts.milestones.reach(to);
    if ((checkpoint.aheadMs ?? 0) > saveAfterMs) await this.advanceAlone(checkpoint, to);
  }

  /** Moves the checkpoint where no event was handled. */
  async advanceAlone(checkpoint: Checkpoint, to: bigint): Promise<void> {
    await checkpoint.move(this.#parts.options.db, to);
    checkpoint.moved(to);
    this.#parts.milestones.reach(to);
  }

  async #setAside(
    raw: RawEvent,
    why: Pick<DeadLetter, 'reason' | 'attempts'>,
    checkpoint: Checkpoint,
  ): Promise<void> {
    const { id: eventId, streamId: stream, revision, type } = raw;
    const position = positionOf(raw);
    await this.#parts.options.db.transaction(async (tx) => {
      await checkpoint.move(tx, position);
      await addDeadLetter(tx, this.#parts.options.id, { eventId, stream, revision, position, type, ...why });
    });
    checkpoint.moved(position);
    this.#parts.milestones.reach(position);
  }
}
