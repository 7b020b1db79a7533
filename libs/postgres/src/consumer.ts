// Consumes integration events: each has its effect once, even if it is delivered many times. The inbox row is written in
// the transaction of the effect, and the message is acknowledged after the commit. A poison event is kept aside. Events
// that arrive together share a transaction; when it fails, each gets its own.
import { createHash } from 'node:crypto';
import { type EventDefinition, EventEnvelope, type IntegrationEvent } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { parseJson as parseForeign } from '@parlance/json';
import { eventFilter } from '@parlance/messaging';
import {
  type Logger,
  outsideTransactionScope,
  type RunningPart,
  runWithContext,
  scrub,
} from '@parlance/observability';
import type { JsMsg, NatsConnection } from 'nats';
import { BrokerLink } from './broker-link.js';
import { type Database, isUnavailable } from './database.js';
import type { EventSeals } from './event-seals.js';
import { EventSource } from './event-source.js';
import { claimAllInInbox, claimInInbox, park } from './inbox.js';
import { forgetLeft, noteLeft, timesLeft } from './messages-left.js';
import { inMessageSpan } from './tracing.js';
import type { Tx } from './tx.js';
import { retryDelayMs, Waker } from './waker.js';

/** The event of a definition; of a union of definitions, a union told apart by `name`. */
export type ConsumedEvent<T extends EventDefinition> = T extends EventDefinition
  ? IntegrationEvent<T>
  : never;

export interface ConsumerOptions<T extends EventDefinition> {
  readonly nats: NatsConnection;
  readonly db: Database;
  readonly logger: Logger;
  /** Name of this consumer, usually the service: letters, digits and dashes. Copies with one name share the work. */
  readonly durable: string;
  readonly events: readonly T[];
  /** Opens the events of which a part is sealed; a consumer of such an event needs it. */
  readonly seals?: Pick<EventSeals, 'open'>;
  /**
   * Runs in a transaction with the inbox row, and with other events. May run again after a failure, also of another event,
   * and out of order.
   */
  readonly handle: (tx: Tx, event: ConsumedEvent<T>) => Promise<void>;
  /**
   * Milliseconds in which events gather to share a transaction (0). For effects that nobody waits for: events that come one by one
   * cost a transaction each.
   */
  readonly gatherMs?: number;
  /** False for an event without an effect here: it is acknowledged without a transaction and leaves nothing in the inbox. */
  readonly concerns?: (event: ConsumedEvent<T>) => boolean;
  /** Pause before each next try; with one try more than there are pauses, the message is parked. */
  readonly backoffMs?: readonly number[];
}

export interface Consumer extends RunningPart {
  /** Handles the parked events once more and returns the number that are left. */
  replayParked(): Promise<number>;
}

const defaultBackoffMs = [1_000, 5_000, 30_000, 120_000];
// Delivered this often without once being handled to an end: it takes the process down with it.
const crashLimit = 10;
/** Events that take longer than this together are handled alone, so that no transaction stays open for long. */
const togetherMs = 2_000;

/** An event of a newer release pauses like one that failed so often. Meanwhile an upgraded copy may take it. */
const newerCountsAs = 3;
/** Longer than that pause, so that the trouble shows for as long as the event comes back. */
const newerShownMs = 60_000;

const reasonOf = (error: unknown): string => {
  if (error instanceof AppError) return error.code;
  return error instanceof Error ? scrub(`${error.name}: ${error.message}`).slice(0, 500) : 'unknown';
};

const headersOf = (message: JsMsg): Record<string, string> =>
  Object.fromEntries((message.headers?.keys() ?? []).map((name) => [name, message.headers?.get(name) ?? '']));

/** An error that a repetition cannot cure. */
class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** An event in a version that this release does not know. It waits: neither tries nor an operator can make it readable here. */
class Newer extends Error {
  override readonly name = 'Newer';

  constructor(name: string, version: number) {
    super(`${name} in version ${version} is an event of a newer release: upgrade this service`);
  }
}

const parseJson = (text: string): unknown => {
  try {
    return parseForeign(text);
  } catch (cause) {
    throw new Unreadable('not JSON', { cause });
  }
};

class EventConsumer<T extends EventDefinition> implements Consumer {
  readonly name: string;
  readonly #options: ConsumerOptions<T>;
  readonly #sources: readonly EventSource[];
  readonly #link: BrokerLink;
  readonly #waker = new Waker();
  /** Messages that wait for a dependency. */
  #waiting = 0;
  #isStopping = false;
  /** The last event of a newer release: its reason to wait, and the time. */
  #newer: { readonly reason: string; readonly at: number } | undefined;

  constructor(options: ConsumerOptions<T>) {
    this.name = `consumer ${options.durable}`;
    if (options.seals === undefined && options.events.some(({ personal }) => personal !== undefined))
      throw new Error(`${this.name} takes sealed events and has nothing to open them with`);
    this.#options = options;
    this.#link = new BrokerLink(options.nats, () => {
      for (const source of this.#sources) source.refresh();
    });
    const link = this.#link;
    // One filter per durable: the oldest supported server knows no lists of them.
    const filters = new Set(options.events.map(eventFilter));
    this.#sources = [...filters].map(
      (filter) =>
        new EventSource({
          ...{ ...options, link, filter },
          handle: (messages) => this.#handle(messages),
          giveBack: (messages) => this.#giveBack(messages),
        }),
    );
  }

  trouble(): string | undefined {
    if (this.#newer !== undefined && Date.now() - this.#newer.at < newerShownMs) return this.#newer.reason;
    if (this.#waiting > 0) return 'an event has to wait';
    return this.#sources.every((source) => source.isPulling) ? undefined : 'cannot take events';
  }

  async stop(): Promise<void> {
    await Promise.all(this.#sources.map((source) => source.endPulling()));
    this.#isStopping = true;
    this.#waker.wake();
    await Promise.all(this.#sources.map((source) => source.stop()));
    this.#link.close();
  }

  async replayParked(): Promise<number> {
    const { db, durable } = this.#options;
    const { rows } = await db.query<{ id: string; payload: string }>(
      'select id, payload from parked_messages where consumer = $1 order by id',
      [durable],
    );
    let left = 0;
    for (const { id, payload } of rows) {
      try {
        await this.#apply(this.#parse(payload), (tx) =>
          tx.query('delete from parked_messages where id = $1', [id]),
        );
      } catch (error) {
        left += 1;
        await db.query('update parked_messages set reason = $2 where id = $1', [id, reasonOf(error)]);
      }
    }
    return left;
  }

  async #handle(messages: readonly JsMsg[]): Promise<void> {
    for (const message of await this.#handleTogether(messages)) await this.#handleAlone(message);
  }

  /** Resolves with those that have to be handled alone: when one is in the way of the others, nothing has happened. */
  async #handleTogether(messages: readonly JsMsg[]): Promise<readonly JsMsg[]> {
    // An event that was delivered before may be the one that failed, or that ends the process.
    if (messages.length < 2 || messages.some(({ info }) => info.deliveryCount > 1)) return messages;
    let current: JsMsg | undefined;
    try {
      const events = messages
        .map((message) => ({ message, event: this.#parse(message.string()) }))
        .filter(({ event }) => this.#concerns(event));
      if (events.length > 0)
        await this.#options.db.transaction((tx) =>
          this.#applyAll(tx, events, (message) => {
            current = message;
          }),
        );
    } catch (error) {
      if (current === undefined || isUnavailable(error)) return messages;
      await this.#failed(current, error);
      return messages.filter((message) => message !== current);
    }
    for (const message of messages) message.ack();
    return [];
  }

  /** @param begin told before each event, and with undefined when none is at work */
  async #applyAll(
    tx: Tx,
    events: readonly { readonly message: JsMsg; readonly event: ConsumedEvent<T> }[],
    begin: (message: JsMsg | undefined) => void,
  ): Promise<void> {
    const until = performance.now() + togetherMs;
    const ids = events.map(({ event }) => event.id);
    const claimed = await claimAllInInbox(tx, this.#options.durable, ids);
    for (const { message, event } of events) {
      // Postgres writes ids in small letters.
      if (!claimed.delete(event.id.toLowerCase())) continue;
      begin(message);
      await inMessageSpan(message.subject, headersOf(message), () => this.#inContext(tx, event));
      begin(undefined);
      if (performance.now() > until) throw new Error('too slow to be handled together');
    }
  }

  #inContext(tx: Tx, event: ConsumedEvent<T>): Promise<void> {
    const { durable, handle } = this.#options;
    const { id: requestId, organizationId } = event;
    const context = { requestId, organizationId, actor: `platform:${durable}`, isBackground: true };
    // The transaction locks the row of this event alone, so a handler may request something of another service.
    return runWithContext(context, () => outsideTransactionScope(() => handle(tx, event)));
  }

  /** Waits for a dependency as long as it takes: its absence is not the message's fault and uses up no tries. */
  async #handleAlone(message: JsMsg): Promise<void> {
    let hasFailed = false;
    try {
      for (let failures = 1; !this.#isStopping; failures += 1) {
        try {
          return await this.#settle(message);
        } catch (error) {
          if (!hasFailed) {
            this.#options.logger.warn({ err: error, subject: message.subject }, 'event has to wait');
            this.#waiting += 1;
          }
          hasFailed = true;
          await this.#waker.wait(retryDelayMs(failures));
        }
      }
      await this.#giveBack([message]);
    } finally {
      if (hasFailed) this.#waiting -= 1;
    }
  }

  /** Rejects only when a dependency is away, that of parking included. */
  async #settle(message: JsMsg): Promise<void> {
    try {
      const event = this.#parse(message.string());
      const left = await this.#timesLeft(message);
      if (message.info.deliveryCount - left > crashLimit)
        return await this.#park(message, new Error('never handled to an end'));
      await inMessageSpan(message.subject, headersOf(message), () => this.#apply(event));
      if (left > 0) await forgetLeft(this.#options.db, this.#placeOf(message));
      message.ack();
    } catch (error) {
      if (isUnavailable(error)) throw error;
      if (error instanceof Newer) await this.#leave(message, error);
      else await this.#failed(message, error);
    }
  }

  #placeOf({ info }: JsMsg): { readonly consumer: string; readonly sequence: number } {
    return { consumer: this.#options.durable, sequence: info.streamSequence };
  }

  /** Another copy gets the messages at once, and has as many tries for them as this one had. */
  async #giveBack(messages: readonly JsMsg[]): Promise<void> {
    const { db, logger } = this.#options;
    await Promise.all(
      messages.map(async (message) => {
        // While the database is away a try is used up. Without the message back, another copy would wait for a minute.
        await noteLeft(db.atOnce, this.#placeOf(message)).catch((err: unknown) =>
          logger.warn({ err, subject: message.subject }, 'a try is used up by an event that is given back'),
        );
        message.nak();
      }),
    );
  }

  /** Deliveries to copies that did not know its version, or that gave it back because they left: they are no tries. */
  async #timesLeft(message: JsMsg): Promise<number> {
    return message.info.deliveryCount === 1 ? 0 : timesLeft(this.#options.db, this.#placeOf(message));
  }

  async #leave(message: JsMsg, { message: reason }: Newer): Promise<void> {
    await noteLeft(this.#options.db, this.#placeOf(message));
    if (this.#newer?.reason !== reason)
      this.#options.logger.warn({ subject: message.subject, reason }, 'event has to wait for an upgrade');
    this.#newer = { reason, at: Date.now() };
    message.nak(this.#pauseAfter(newerCountsAs));
  }

  /** Milliseconds; undefined when no try is left. */
  #pauseAfter(deliveries: number): number | undefined {
    return (this.#options.backoffMs ?? defaultBackoffMs)[deliveries - 1];
  }

  async #failed(message: JsMsg, error: unknown): Promise<void> {
    const { logger } = this.#options;
    const tries = message.info.deliveryCount - (await this.#timesLeft(message));
    const delayMs = this.#pauseAfter(tries);
    if (delayMs === undefined || error instanceof Unreadable) return this.#park(message, error);
    logger.warn({ err: error, subject: message.subject, tries }, 'event failed');
    message.nak(delayMs);
  }

  async #park(message: JsMsg, error: unknown): Promise<void> {
    const { db, durable, logger } = this.#options;
    const { subject } = message;
    const payload = message.string();
    const messageId =
      message.headers?.get('Nats-Msg-Id') || createHash('sha256').update(payload).digest('hex');
    const deliveries = message.info.deliveryCount;
    await park(db, { consumer: durable, messageId, subject, payload, reason: reasonOf(error), deliveries });
    if (deliveries > 1) await forgetLeft(db, this.#placeOf(message));
    logger.error({ err: error, subject, messageId }, 'event parked');
    message.term();
  }

  #concerns(event: ConsumedEvent<T>): boolean {
    return this.#options.concerns?.(event) ?? true;
  }

  async #apply(event: ConsumedEvent<T>, also?: (tx: Tx) => Promise<unknown>): Promise<void> {
    const { db, durable } = this.#options;
    if (also === undefined && !this.#concerns(event)) return;
    await db.transaction(async (tx) => {
      await also?.(tx);
      if (await claimInInbox(tx, durable, event.id)) await this.#inContext(tx, event);
    });
  }

  /** @throws Unreadable */
  #opened(event: EventEnvelope, { personal }: EventDefinition): EventEnvelope {
    const { seals } = this.#options;
    if (personal === undefined || seals === undefined) return event;
    try {
      return seals.open(event);
    } catch (cause) {
      throw new Unreadable(`${event.name} was sealed with another key`, { cause });
    }
  }

  #parse(payload: string): ConsumedEvent<T> {
    const envelope = EventEnvelope.safeParse(parseJson(payload));
    if (!envelope.success) throw new Unreadable('not an event', { cause: envelope.error });
    const { name, version } = envelope.data;
    const definition = this.#options.events.find((event) => event.name === name && event.version === version);
    if (definition === undefined) {
      const known = this.#options.events.filter((event) => event.name === name).map((event) => event.version);
      if (version > Math.max(...known)) throw new Newer(name, version);
      throw new Unreadable(`no version ${version} of ${name} is known here`);
    }
    const data = definition.data.safeParse(this.#opened(envelope.data, definition).data);
    if (!data.success) throw new Unreadable(`not a ${name} of version ${version}`, { cause: data.error });
    // Parsed by the definition that its name and version chose.
    return { ...envelope.data, data: data.data } as ConsumedEvent<T>;
  }
}

/**
 * Handles events until stopped. Never fails: it waits for missing dependencies, and makes the stream again if it is
 * gone.
 */
export const startConsumer = <const T extends EventDefinition>(options: ConsumerOptions<T>): Consumer =>
  new EventConsumer(options);
