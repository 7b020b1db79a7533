// Moves events from the outbox to JetStream, at least once each: a row counts as sent only when JetStream has said so,
// and is sent again when the broker may have lost it. Consumers make it once by their inbox. Order is not promised.
import type { Logger, RunningPart } from '@parlance/observability';
import type { NatsConnection } from 'nats';
import { BrokerLink } from './broker-link.js';
import type { Database } from './database.js';
import { ensureEventStream, eventRetentionMs, publishMessage } from './event-stream.js';
import { outboxTopic } from './outbox.js';
import type { Tx } from './tx.js';
import { retryDelayMs, Waker } from './waker.js';

export interface OutboxRelayOptions {
  readonly db: Database;
  readonly nats: NatsConnection;
  readonly logger: Logger;
  /** How often to look for rows that another process wrote. */
  readonly pollMs?: number;
  /** How often to make sure that the stream is still the one we sent to. */
  readonly brokerCheckMs?: number;
}

interface Row {
  readonly id: string;
  readonly event_id: string;
  readonly subject: string;
  readonly payload: string;
  readonly headers: Record<string, string>;
}

const batchSize = 100;
const pruneEveryMs = 3_600_000;
// The broker acknowledges before its disk does, and syncs every two minutes: a power cut takes what came after.
const unsyncedWindow = `interval '3 minutes'`;

const takeBatch = async (tx: Tx): Promise<Row[]> => {
  const { rows } = await tx.query<Row>({
    name: 'outbox-take',
    text: `select id, event_id, subject, payload::text as payload, headers from outbox
           where sent_at is null order by id limit ${batchSize} for update skip locked`,
  });
  return rows;
};

class OutboxRelay implements RunningPart {
  readonly name = 'outbox-relay';
  readonly #options: OutboxRelayOptions;
  readonly #link: BrokerLink;
  readonly #waker = new Waker();
  readonly #stopListening: () => void;
  readonly #finished: Promise<void>;
  #isStopping = false;
  #failures = 0;
  // True after a start or a reconnect: the broker may have restarted meanwhile.
  #maybeRestarted = true;
  #nextBrokerCheck = 0;
  #nextPrune = 0;

  constructor(options: OutboxRelayOptions) {
    this.#options = options;
    this.#stopListening = options.db.onSignal(outboxTopic, () => this.#waker.wake());
    this.#link = new BrokerLink(options.nats, () => this.#onReconnect());
    this.#finished = this.#loop();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopListening();
    this.#waker.wake();
    await this.#finished;
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
      let delayMs = pollMs;
      try {
        if (this.#link.isUp) {
          await this.#round();
          if (this.#failures > 0) logger.info('outbox relay works again');
          this.#failures = 0;
        }
      } catch (error) {
        if (this.#failures === 0) logger.warn({ err: error }, 'outbox relay cannot publish');
        this.#failures += 1;
        this.#nextBrokerCheck = 0;
        delayMs = retryDelayMs(this.#failures);
      }
      if (!this.#isStopping) await this.#waker.wait(delayMs);
    }
    // What the last requests wrote should not wait for the next start; when it cannot be sent, it does.
    if (!this.#link.isUp) return;
    await this.#sendAll().catch((error: unknown) => logger.warn({ err: error }, 'outbox not empty at stop'));
  }

  async #round(): Promise<void> {
    const now = Date.now();
    if (now >= this.#nextBrokerCheck) {
      // Before the check: a reconnect in the middle of it asks for another.
      this.#nextBrokerCheck = now + (this.#options.brokerCheckMs ?? 15_000);
      await this.#checkBroker();
    }
    await this.#sendAll();
    if (now < this.#nextPrune) return;
    await this.#prune();
    this.#nextPrune = now + pruneEveryMs;
  }

  async #sendAll(): Promise<void> {
    while ((await this.#sendBatch()) === batchSize);
  }

  /** Rows stay locked while they are on their way, so that another copy takes others. */
  async #sendBatch(): Promise<number> {
    const outcome = await this.#options.db.transaction(async (tx) => {
      const rows = await takeBatch(tx);
      if (rows.length === 0) return { taken: 0, failure: undefined };
      const sends = await Promise.allSettled(rows.map((row) => this.#send(row)));
      const sent = rows.filter((_, index) => sends[index]?.status === 'fulfilled').map(({ id }) => id);
      await tx.query({
        name: 'outbox-sent',
        text: 'update outbox set sent_at = clock_timestamp() where id = any($1)',
        values: [sent],
      });
      return { taken: rows.length, failure: sends.find((send) => send.status === 'rejected') };
    });
    if (outcome.failure !== undefined) throw outcome.failure.reason;
    return outcome.taken;
  }

  #send(row: Row): Promise<void> {
    return publishMessage(this.#options.nats, {
      id: row.event_id,
      subject: row.subject,
      payload: Buffer.from(row.payload),
      headers: row.headers,
    });
  }

  async #checkBroker(): Promise<void> {
    const { logger } = this.#options;
    const maybeRestarted = this.#maybeRestarted;
    this.#maybeRestarted = false;
    try {
      const again = await this.#forgetLost(maybeRestarted);
      if (again > 0) logger.info({ events: again }, 'publishing again what the broker may have lost');
    } catch (error) {
      this.#maybeRestarted ||= maybeRestarted;
      throw error;
    }
  }

  /** Marks as not sent what the broker may no longer have, and returns how much that is. */
  async #forgetLost(maybeRestarted: boolean): Promise<number> {
    const { db, nats } = this.#options;
    const { created } = await ensureEventStream(nats);
    const again = await db.transaction(async (tx) => {
      const { rows } = await tx.query<{ stream_created: string }>(
        'select stream_created from outbox_broker for update',
      );
      const known = rows[0]?.stream_created;
      if (known !== created) {
        await tx.query(
          `insert into outbox_broker (stream_created) values ($1)
           on conflict (only_row) do update set stream_created = excluded.stream_created`,
          [created],
        );
      }
      if (known !== undefined && known !== created) {
        return tx.query('update outbox set sent_at = null where sent_at is not null');
      }
      if (!maybeRestarted) return { rowCount: 0 };
      return tx.query(
        `update outbox set sent_at = null
         where sent_at > (select max(sent_at) from outbox) - ${unsyncedWindow}`,
      );
    });
    return again.rowCount;
  }

  async #prune(): Promise<void> {
    await this.#options.db.query(`delete from outbox where sent_at < now() - $1 * interval '1 millisecond'`, [
      eventRetentionMs,
    ]);
  }
}

/** Publishes what is in the outbox of the database's schema until stopped. Never fails: it waits and tries again. */
export const startOutboxRelay = (options: OutboxRelayOptions): RunningPart => new OutboxRelay(options);
