// Moves events from the outbox to JetStream, at least once each. A row counts as sent only when JetStream has confirmed it,
// and is sent again when the broker may have lost it. Consumers make it once by their inbox. Order is not promised.
// New events come first: sending again and deleting go in pieces, and new events are sent between two pieces.
import { jsonOfStored } from '@parlance/json';
import { counter, outboxSent } from '@parlance/metrics';
import type { Logger, RunningPart } from '@parlance/observability';
import type { NatsConnection } from 'nats';
import { Attempts } from './attempts.js';
import { BrokerLink } from './broker-link.js';
import { type Broker, type Loss, readBroker } from './broker-loss.js';
import type { Database } from './database.js';
import { eventRetentionMs, publishMessage } from './event-stream.js';
import { outboxTopic } from './outbox.js';
import { observeOutbox } from './outbox-gauges.js';
import { noteBroker, pruneSent, sendLostAgain } from './outbox-losses.js';
import { queryAtCommit, type Tx } from './tx.js';
import { Waker } from './waker.js';

export interface OutboxRelayOptions {
  readonly db: Database;
  readonly nats: NatsConnection;
  readonly logger: Logger;
  /** The interval at which rows of other processes are looked for. */
  readonly pollMs?: number;
  /** The interval at which the relay checks that the stream is still the one that it sent to. */
  readonly brokerCheckMs?: number;
  /** Events sent again, or deleted, in one transaction (1,000). */
  readonly pieceSize?: number;
}

interface Row {
  readonly id: string;
  readonly event_id: string;
  readonly subject: string;
  readonly payload: string;
  readonly headers: Record<string, string>;
}

const sentEvents = counter(outboxSent);

/** Where this process has written nothing for a minute: the rows of a process that died wait so long at most. */
const quietPollMs = 15_000;
const batchSize = 100;
/** Batches of new events between two pieces of other work, however many wait. */
const batchesInARow = 10;
const defaultPieceSize = 1_000;
const pruneEveryMs = 3_600_000;

const takeBatch = async (tx: Tx): Promise<Row[]> => {
  const { rows } = await tx.query<Row>({
    name: 'outbox-take',
    text: `select id, event_id, subject, payload::text as payload, headers from outbox
           where sent_at is null order by id limit ${batchSize} for update skip locked`,
  });
  return rows;
};

/** One statement instead of a transaction, for a relay that is about to find nothing. */
const hasRows = async (db: Tx, source: string): Promise<boolean> =>
  (await db.query({ name: `any of ${source}`, text: `select 1 from ${source} limit 1` })).rowCount > 0;

class OutboxRelay implements RunningPart {
  readonly name = 'outbox-relay';
  readonly #options: OutboxRelayOptions;
  readonly #link: BrokerLink;
  readonly #waker = new Waker();
  readonly #stopListening: () => void;
  readonly #endGauges: () => void;
  readonly #publishing: Attempts;
  readonly #sendingAgain: Attempts;
  readonly #pruning: Attempts;
  readonly #finished: Promise<void>;
  #isStopping = false;
  // True after a start or a reconnect: the broker may have restarted meanwhile.
  #maybeRestarted = true;
  #nextBrokerCheck = 0;
  /** The broker of the last check, which needs no note again. */
  #noted: Pick<Broker, 'streamCreated' | 'serverId'> | undefined;
  /** Spans of lost events are noted at checks of the broker, so they are looked for after each of these, and not in every round. */
  #mayBeLost = true;
  #nextPrune = 0;
  #sentAgain = 0;

  constructor(options: OutboxRelayOptions) {
    const { db, nats, logger } = options;
    this.#options = options;
    const part = 'outbox relay';
    this.#publishing = new Attempts({ logger, part, trouble: 'cannot publish' });
    this.#sendingAgain = new Attempts({ logger, part, trouble: 'cannot send again what was lost' });
    this.#pruning = new Attempts({ logger, part, trouble: 'cannot delete old events' });
    this.#stopListening = db.onSignal(outboxTopic, () => this.#waker.wake());
    this.#endGauges = observeOutbox(db);
    this.#link = new BrokerLink(nats, () => this.#onReconnect());
    this.#finished = this.#loop();
  }

  trouble(): string | undefined {
    if (!this.#link.isUp) return 'cannot publish';
    return this.#publishing.trouble ?? this.#sendingAgain.trouble ?? this.#pruning.trouble;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopListening();
    this.#waker.wake();
    await this.#finished;
    this.#endGauges();
    this.#link.close();
  }

  #onReconnect(): void {
    this.#maybeRestarted = true;
    this.#nextBrokerCheck = 0;
    this.#waker.wake();
  }

  async #loop(): Promise<void> {
    const { logger, pollMs = 1_000 } = this.#options;
    while (!this.#isStopping) {
      const isMoreToDo = this.#link.isUp && (await this.#round());
      const idleMs = this.#options.db.activity.isQuiet ? quietPollMs : pollMs;
      if (!isMoreToDo && !this.#isStopping) await this.#waker.wait(this.#publishing.restMs || idleMs);
    }
    // The rows of the last requests should not wait for the next start; they do when they cannot be sent.
    if (!this.#link.isUp) return;
    await this.#sendAll().catch((error: unknown) => logger.warn({ err: error }, 'outbox not empty at stop'));
  }

  /** True when there is more to do at once. */
  async #round(): Promise<boolean> {
    const areMoreNew = await this.#publishing.run(() => this.#sendNew());
    if (areMoreNew === undefined) {
      this.#nextBrokerCheck = 0;
      return false;
    }
    if (this.#isStopping) return false;
    const isMoreOld = (await this.#sendAgain()) || (await this.#prune());
    return areMoreNew || isMoreOld;
  }

  /** True when more new events wait. */
  async #sendNew(): Promise<boolean> {
    if (Date.now() >= this.#nextBrokerCheck) {
      // Before the check: a reconnect in the middle of it asks for another.
      this.#nextBrokerCheck = Date.now() + (this.#options.brokerCheckMs ?? 15_000);
      await this.#checkBroker();
    }
    for (let batch = 0; batch < batchesInARow; batch += 1)
      if ((await this.#sendBatch()) < batchSize) return false;
    return true;
  }

  async #sendAll(): Promise<void> {
    while ((await this.#sendBatch()) === batchSize);
  }

  /** Rows stay locked while they are on their way, so that another copy takes others. */
  async #sendBatch(): Promise<number> {
    const { db } = this.#options;
    if (db.activity.isQuiet && !(await hasRows(db, 'outbox where sent_at is null'))) return 0;
    const outcome = await db.transaction(async (tx) => {
      const rows = await takeBatch(tx);
      return { taken: rows.length, failure: rows.length === 0 ? undefined : await this.#send(tx, rows) };
    });
    if (outcome.failure !== undefined) throw outcome.failure;
    return outcome.taken;
  }

  /** Sends one piece of the events that the broker may have lost. True when there is more. */
  async #sendAgain(): Promise<boolean> {
    const { db, logger, pieceSize = defaultPieceSize } = this.#options;
    if (!this.#mayBeLost || this.#sendingAgain.restMs > 0) return false;
    if (db.activity.isQuiet && !(await hasRows(db, 'outbox_lost'))) {
      this.#mayBeLost = false;
      return false;
    }
    const more = await this.#sendingAgain.run(async () => {
      const piece = await sendLostAgain(db, pieceSize, (tx, rows) => this.#send(tx, rows));
      if (piece.failure !== undefined) throw piece.failure;
      this.#sentAgain += piece.sent;
      return piece.more;
    });
    this.#mayBeLost = more !== false;
    if (more !== false || this.#sentAgain === 0) return more ?? false;
    logger.info({ events: this.#sentAgain }, 'sent events again that the broker may have lost');
    this.#sentAgain = 0;
    return false;
  }

  /** Deletes a piece of the events that are too old, once an hour until none is left. True when there is more. */
  async #prune(): Promise<boolean> {
    const { db, pieceSize = defaultPieceSize } = this.#options;
    if (Date.now() < this.#nextPrune || this.#pruning.restMs > 0) return false;
    const more = await this.#pruning.run(() => pruneSent(db, eventRetentionMs, pieceSize));
    if (more === false) this.#nextPrune = Date.now() + pruneEveryMs;
    return more ?? false;
  }

  /** Resolves with why some could not be sent; those that were are noted. */
  async #send(tx: Tx, rows: readonly Row[]): Promise<unknown> {
    const sends = await Promise.allSettled(rows.map((row) => this.#publish(row)));
    const sent = rows.filter((_, index) => sends[index]?.status === 'fulfilled').map(({ id }) => id);
    const labels = { 'parlance.process': this.#options.db.name };
    sentEvents.add({ ...labels, 'parlance.result': 'sent' }, sent.length);
    if (sent.length < rows.length)
      sentEvents.add({ ...labels, 'parlance.result': 'failed' }, rows.length - sent.length);
    await queryAtCommit(tx, {
      name: 'outbox-sent',
      text: 'update outbox set sent_at = clock_timestamp() where id = any($1)',
      values: [sent],
    });
    return sends.find((send) => send.status === 'rejected')?.reason;
  }

  #publish(row: Row): Promise<number> {
    return publishMessage(this.#options.nats, {
      id: row.event_id,
      subject: row.subject,
      payload: Buffer.from(jsonOfStored(row.payload)),
      headers: row.headers,
    });
  }

  async #checkBroker(): Promise<void> {
    const { db, nats, logger } = this.#options;
    const mayHaveRestarted = this.#maybeRestarted;
    this.#maybeRestarted = false;
    try {
      const { streamCreated, serverId } = await readBroker(nats);
      const isNoted =
        this.#noted?.streamCreated === streamCreated &&
        this.#noted.serverId === serverId &&
        !mayHaveRestarted;
      const lost: Loss = isNoted
        ? 'nothing'
        : await noteBroker(db, { streamCreated, serverId, mayHaveRestarted });
      this.#noted = { streamCreated, serverId };
      this.#mayBeLost = true; // another copy that noted a span may be gone
      if (lost !== 'nothing') logger.info({ lost }, 'the broker may have lost events, which are sent again');
    } catch (error) {
      this.#maybeRestarted ||= mayHaveRestarted;
      throw error;
    }
  }
}

/** Publishes the events of the outbox in the database's schema until stopped. Never fails: it waits and tries again. */
export const startOutboxRelay = (options: OutboxRelayOptions): RunningPart => new OutboxRelay(options);
