// Publishes events again that the broker may have lost, beside new events. One replica at a time does so, in pieces whose end is
// stored, so that another one resumes there.
import type { Logger, RunningPart } from '@parlance/observability';
import { Attempts, type Database, type OutgoingMessage, Waker } from '@parlance/postgres';
import type { BrokerWatch } from './broker-watch.js';
import { deadLetterIds } from './dead-letters.js';
import type { Message } from './decider.js';
import type { Recorded } from './event-store.js';
import type { SubscriberOptions } from './projector.js';
import { moveSpan, type Span, spanToRepublish } from './publisher-state.js';
import type { Announcement } from './send-in-order.js';
import { decodeOnce } from './shared-decoding.js';
import { positionOf, type RawEvent } from './store/driver.js';
import { isTransient } from './transient.js';

export interface RepublisherOptions<E extends Message>
  extends Pick<
    SubscriberOptions<E>,
    'id' | 'category' | 'codec' | 'about' | 'personal' | 'db' | 'eventStore' | 'logger'
  > {
  readonly watch: BrokerWatch;
  readonly announce: (recorded: Recorded<E>) => readonly Announcement<OutgoingMessage>[];
  /** Events of the store that are read at once (500). */
  readonly pieceSize?: number;
}

const defaultPieceSize = 500;
/** Spans of other replicas, which may have died, are looked for this often at least. */
const longestRestMs = 15_000;

/** Name of the lock of the replica that publishes again. */
const lockOf = (publisher: string): string => `republish:${publisher}`;

const attemptsTo = (logger: Logger, trouble: string): Attempts =>
  new Attempts({ logger, part: 'publisher', trouble });

export class Republisher<E extends Message> implements RunningPart {
  readonly name: string;
  readonly #options: RepublisherOptions<E>;
  readonly #checking: Attempts;
  readonly #sending: Attempts;
  readonly #waker = new Waker();
  readonly #finished: Promise<void>;
  #isStopping = false;

  constructor(options: RepublisherOptions<E>) {
    this.name = `republish ${options.id}`;
    this.#options = options;
    this.#checking = attemptsTo(options.logger, 'cannot publish');
    this.#sending = attemptsTo(options.logger, 'cannot send again what was lost');
    this.#finished = this.#loop();
  }

  trouble(): string | undefined {
    return this.#checking.trouble ?? this.#sending.trouble;
  }

  /** Looks at the broker now. */
  wake(): void {
    this.#waker.wake();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.wake();
    await this.#finished;
  }

  async #loop(): Promise<void> {
    const { watch } = this.#options;
    while (!this.#isStopping) {
      if (watch.isUp && this.#checking.restMs === 0) await this.#checking.run(() => watch.check());
      if (watch.isUp && this.#checking.trouble === undefined && this.#sending.restMs === 0)
        await this.#sending.run(() => this.#sendAgain());
      if (this.#isStopping) return;
      await this.#waker.wait(
        Math.min(
          longestRestMs,
          this.#checking.restMs || this.#sending.restMs || watch.restMs || longestRestMs,
        ),
      );
    }
  }

  async #sendAgain(): Promise<void> {
    const { id, db, logger } = this.#options;
    if ((await spanToRepublish(db, id)) === undefined) return;
    const lock = await db.tryLock(lockOf(id));
    if (lock === undefined) return; // another replica does it
    try {
      let events = 0;
      while (!this.#isStopping && !lock.lost.aborted) {
        const span = await spanToRepublish(db, id);
        if (span === undefined) break;
        events += await this.#sendPiece(span);
      }
      logger.info({ publisher: id, events }, 'published events again that the broker may have lost');
    } finally {
      await lock.release();
    }
  }

  /** @returns the number of messages */
  async #sendPiece(span: Span): Promise<number> {
    const { id, db, watch } = this.#options;
    const { events, to } = await this.#read(span);
    const announced = await this.#announced(db, events);
    if (announced.length > 0) await watch.publish(announced);
    await moveSpan(db, id, span, to);
    return announced.length;
  }

  /** The next events of the category, and the position up to which all are read; undefined at the end of the span. */
  async #read({ after, until }: Span): Promise<{ events: readonly RawEvent[]; to: bigint | undefined }> {
    const { eventStore, category, pieceSize = defaultPieceSize } = this.#options;
    const events: RawEvent[] = [];
    let to = after;
    let count = 0;
    const from = after < 0n ? undefined : after;
    for await (const raw of eventStore.driver.allEvents({ from, limit: pieceSize })) {
      const position = positionOf(raw);
      if (position > until) return { events, to: undefined };
      count += 1;
      if (position > after && raw.streamId.startsWith(`${category}-`)) events.push(raw);
      to = position;
    }
    return { events, to: count < pieceSize || to === until ? undefined : to };
  }

  /** Without those that were set aside: they are published when a person replays them. */
  async #announced(
    db: Database,
    raws: readonly RawEvent[],
  ): Promise<readonly Announcement<OutgoingMessage>[]> {
    const { id, about } = this.#options;
    const types: readonly string[] | undefined = about;
    const concerned = types === undefined ? raws : raws.filter(({ type }) => types.includes(type));
    if (concerned.length === 0) return [];
    const aside = await deadLetterIds(
      db,
      id,
      concerned.map((raw) => raw.id),
    );
    const announced = await Promise.all(
      concerned.filter((raw) => !aside.has(raw.id)).map((raw) => this.#translate(raw)),
    );
    return announced.flat();
  }

  async #translate(raw: RawEvent): Promise<readonly Announcement<OutgoingMessage>[]> {
    const { codec, eventStore, personal = true, announce } = this.#options;
    try {
      return announce(await decodeOnce(eventStore, raw, codec, personal));
    } catch (error) {
      if (isTransient(error)) throw error;
      return []; // set aside by the publisher itself, now or when it comes to it
    }
  }
}
