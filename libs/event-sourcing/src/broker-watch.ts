// Publishes to the broker, and watches whether it still has what was published: after a start and a reconnect, after a failure, and
// every 15 seconds.
import { AppError } from '@parlance/errors';
import { counter, outboxSent } from '@parlance/metrics';
import type { Logger } from '@parlance/observability';
import {
  BrokerLink,
  type Database,
  isUnavailable,
  type OutgoingMessage,
  publishMessage,
  readBroker,
} from '@parlance/postgres';
import { ErrorCode, type NatsConnection, NatsError } from 'nats';
import { loadCheckpoint } from './checkpoints.js';
import type { EventStoreConnection } from './event-store-connection.js';
import { addMark, noteBroker, type SeenBroker } from './publisher-state.js';
import { headOf } from './raw-reads.js';
import { type Announcement, sendInOrder } from './send-in-order.js';

export interface BrokerWatchOptions {
  /** Name of the publisher, which is that of its checkpoint. */
  readonly id: string;
  readonly db: Database;
  readonly nats: NatsConnection;
  readonly eventStore: EventStoreConnection;
  readonly logger: Logger;
  /** The interval at which the broker's stream is looked at, in milliseconds (15 s). */
  readonly brokerCheckMs?: number;
}

const defaultCheckMs = 15_000;
/** What is published again after a restart of the broker is longer by this time at most. */
const markEveryMs = 60_000;

const sentEvents = counter(outboxSent);

/** The faults of a message, which a repetition cannot cure. */
const faultsOfMessages: readonly string[] = [
  ErrorCode.MaxPayloadExceeded,
  ErrorCode.BadHeader,
  ErrorCode.BadSubject,
];

const isAway = (error: unknown): boolean =>
  isUnavailable(error) || (error instanceof NatsError && !faultsOfMessages.includes(error.code));

const awayBy = (cause: unknown): AppError =>
  new AppError('SERVICE_UNAVAILABLE', { cause, retryAfterSeconds: 1 });

export class BrokerWatch {
  readonly #options: BrokerWatchOptions;
  readonly #link: BrokerLink;
  #nextCheck = 0;
  #nextMark = 0;
  /** True after a start or a reconnect: the broker may have restarted meanwhile. */
  #maybeRestarted = true;
  #checking: Promise<void> | undefined;
  #noted: Pick<SeenBroker, 'streamCreated' | 'serverId'> | undefined;
  #highestSequence = 0;
  #isFailing = false;

  /** @param wake called when the connection is back, and when events have to be published again */
  constructor(
    options: BrokerWatchOptions,
    private readonly wake: () => void,
  ) {
    this.#options = options;
    this.#link = new BrokerLink(options.nats, () => {
      this.#maybeRestarted = true;
      this.lookAgain();
      wake();
    });
  }

  get isUp(): boolean {
    return this.#link.isUp;
  }

  get trouble(): string | undefined {
    return !this.#link.isUp || this.#isFailing ? 'cannot publish' : undefined;
  }

  /** Milliseconds until the broker should be looked at. */
  get restMs(): number {
    return Math.max(0, this.#nextCheck - Date.now());
  }

  /** The next event is published after a look at the broker. Another replica may have published meanwhile. */
  lookAgain(): void {
    this.#nextCheck = 0;
    this.#nextMark = 0;
  }

  /** Notes what the broker may have lost since the last look, if one is due. @throws while the broker or Postgres is away */
  async check(): Promise<void> {
    if (this.restMs > 0) return;
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    await this.#checking;
  }

  /**
   * Resolves when the broker has acknowledged all messages.
   * @throws AppError SERVICE_UNAVAILABLE while it is away; NatsError for a message that it will never take
   */
  async publish(announced: readonly Announcement<OutgoingMessage>[]): Promise<void> {
    const { db, id } = this.#options;
    try {
      // The client would keep the messages, and send them late.
      if (!this.#link.isUp) throw awayBy(new Error('the broker is not connected'));
      await this.check();
      if (Date.now() >= this.#nextMark) {
        await addMark(db, id, this.#highestSequence);
        this.#nextMark = Date.now() + markEveryMs;
      }
      await sendInOrder(announced, (message) => this.#send(message));
      this.#isFailing = false;
    } catch (error) {
      if (!isAway(error)) throw error;
      this.#isFailing = true;
      this.#nextCheck = 0;
      throw error instanceof AppError ? error : awayBy(error);
    }
  }

  close(): void {
    this.#link.close();
  }

  async #send(message: OutgoingMessage): Promise<void> {
    const { db, nats } = this.#options;
    const labels = { 'parlance.process': db.name };
    try {
      const sequence = await publishMessage(nats, message);
      this.#highestSequence = Math.max(this.#highestSequence, sequence);
      sentEvents.add({ ...labels, 'parlance.result': 'sent' }, 1);
    } catch (error) {
      sentEvents.add({ ...labels, 'parlance.result': 'failed' }, 1);
      throw error;
    }
  }

  async #check(): Promise<void> {
    const { id, db, nats, eventStore, logger, brokerCheckMs = defaultCheckMs } = this.#options;
    // Before the look: a reconnect in the middle of it asks for another.
    this.#nextCheck = Date.now() + brokerCheckMs;
    const mayHaveRestarted = this.#maybeRestarted;
    this.#maybeRestarted = false;
    // Before the look, too: messages that are acknowledged meanwhile are no loss.
    const highestSequence = this.#highestSequence;
    try {
      const seen = await readBroker(nats);
      const { streamCreated, serverId, lastSequence } = seen;
      const isSame = this.#noted?.streamCreated === streamCreated && this.#noted.serverId === serverId;
      if (!isSame || mayHaveRestarted || lastSequence < highestSequence) {
        await loadCheckpoint(db, id);
        const head = await headOf(eventStore);
        const broker = { ...seen, mayHaveRestarted, highestSequence };
        const lost = await noteBroker(db, id, broker, head);
        if (lost !== 'nothing') {
          logger.info({ publisher: id, lost }, 'the broker may have lost events, which are published again');
          this.wake();
        }
      }
      if (!isSame || lastSequence < highestSequence) this.#highestSequence = lastSequence;
      else this.#highestSequence = Math.max(this.#highestSequence, lastSequence);
      this.#noted = { streamCreated, serverId };
    } catch (error) {
      this.#maybeRestarted ||= mayHaveRestarted;
      this.#nextCheck = 0;
      throw error;
    }
  }
}
