// Pulls messages of one subject through one durable consumer, and hands over messages that arrived meanwhile together. It
// makes stream and consumer again when the broker has lost them.
import { setTimeout as delay } from 'node:timers/promises';
import { durableName, eventStreamName } from '@parlance/messaging';
import type { Logger } from '@parlance/observability';
import {
  AckPolicy,
  type ConsumerMessages,
  DeliverPolicy,
  type JsMsg,
  type NatsConnection,
  nanos,
  type Consumer as PullConsumer,
  type Subscription,
} from 'nats';
import type { BrokerLink } from './broker-link.js';
import { apiErrorCode, ensureEventStream, managerOf } from './event-stream.js';
import { retryDelayMs, Waker } from './waker.js';

export interface EventSourceOptions {
  readonly nats: NatsConnection;
  readonly logger: Logger;
  readonly link: BrokerLink;
  readonly durable: string;
  /** Subject, with a wildcard for the version. */
  readonly filter: string;
  /** Milliseconds in which messages gather before they are handed over, unless as many have arrived as there can be (0). */
  readonly gatherMs?: number | undefined;
  /** Settles the messages, one or more, in the order of the stream. Must not reject. */
  readonly handle: (messages: readonly JsMsg[]) => Promise<void>;
  /** Gives messages to another copy that this one has not begun. Must not reject. */
  readonly giveBack: (messages: readonly JsMsg[]) => Promise<void>;
}

/** Messages in hand at most, and so handed over together. */
const mostInHand = 32;
const longestRestMs = 100;
/**
 * A message costs the less the more are handled together. A rest as long as the last batch lets the next one gather. An
 * idle machine does not notice it; a busy one makes fewer transactions.
 */
const restMs = (workedMs: number): number => Math.min(longestRestMs, workedMs);

// Only a backstop: the end of an outage wakes the loop.
const idleMs = 5_000;
// The broker declares lost connections and deleted consumers. It may forget a pull without a word where the leader of a cluster
// changes; messages then wait for the next pull.
const pullMs = 30_000;
// A message in hand is kept by signs: without a sign for so long, the broker gives it to another consumer.
const ackWaitMs = 60_000;
const signEveryMs = 10_000;
const consumerNotFound = 10_014;
/** The broker answers at once, or the connection is about to be lost; a busy machine may take seconds. */
const drainMs = 5_000;

/** The client has this subscription and does not declare it. Its own `stop` forgets messages that are on their way. */
const subscriptionOf = (pulling: ConsumerMessages): Subscription | undefined =>
  (pulling as ConsumerMessages & { readonly sub?: Subscription }).sub;

export class EventSource {
  readonly #options: EventSourceOptions;
  readonly #durable: string;
  readonly #waker = new Waker();
  /** Ends the time in which messages gather: no more can arrive. */
  readonly #gathered = new Waker();
  readonly #finished: Promise<void>;
  #pulling: ConsumerMessages | undefined;
  /** Messages that are not handed over yet. */
  #arrived: JsMsg[] = [];
  #inHand: readonly JsMsg[] = [];
  #handling: Promise<void> | undefined;
  #failures = 0;
  /** Set from the beginning of a stop. */
  #ended: Promise<void> | undefined;

  constructor(options: EventSourceOptions) {
    this.#options = options;
    this.#durable = durableName(options.durable, options.filter);
    this.#finished = this.#loop();
  }

  /** Asks again at once: the broker has forgotten the requests from before the connection was lost. */
  refresh(): void {
    this.#waker.wake();
    void this.#endPull();
  }

  /** False while nothing can be pulled. */
  get isPulling(): boolean {
    return this.#options.link.isUp && this.#failures === 0;
  }

  /** Resolves once nothing arrives any more, and a message that is given back reaches another copy at once. */
  endPulling(): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  /** Resolves once each message that was delivered is settled or given back. */
  async stop(): Promise<void> {
    await this.endPulling();
    await this.#finished;
    await this.#giveBack();
    await this.#handling;
  }

  get #isStopping(): boolean {
    return this.#ended !== undefined;
  }

  async #end(): Promise<void> {
    this.#waker.wake();
    this.#gathered.wake();
    await this.#leavePull();
  }

  /** Ends the pull, and resolves once the broker has forgotten it. */
  async #leavePull(): Promise<void> {
    const { nats, link } = this.#options;
    await this.#endPull();
    if (!link.isUp) return;
    // A broker that has not forgotten the ended pull takes a message that is given back for it, and lets the message wait. It
    // forgets ended pulls when it counts them.
    try {
      await (await managerOf(nats)).consumers.info(eventStreamName, this.#durable);
    } catch {
      // The broker is away, and ends the pull by itself when its time is over.
    }
  }

  /** The broker sends nothing more, and all that it has sent arrives: a message that is lost here waits for a minute. */
  async #endPull(): Promise<void> {
    const pulling = this.#pulling;
    if (pulling === undefined) return;
    const subscription = subscriptionOf(pulling);
    if (this.#options.link.isUp && subscription?.isClosed() === false)
      await Promise.race([
        subscription.drain().catch(() => undefined),
        delay(drainMs, undefined, { ref: false }),
      ]);
    pulling.stop();
  }

  #giveBack(): Promise<void> {
    return this.#options.giveBack(this.#arrived.splice(0));
  }

  async #loop(): Promise<void> {
    const { logger, link } = this.#options;
    while (!this.#isStopping) {
      if (!link.isUp) {
        await this.#waker.wait(idleMs);
        continue;
      }
      try {
        const consumer = await this.#consumer();
        if (this.#failures > 0) logger.info({ durable: this.#durable }, 'consuming again');
        this.#failures = 0;
        await this.#pull(consumer);
      } catch (error) {
        if (this.#failures === 0 && !this.#isStopping)
          logger.warn({ err: error, durable: this.#durable }, 'cannot consume');
        this.#failures += 1;
        if (!this.#isStopping) await this.#waker.wait(retryDelayMs(this.#failures));
      }
    }
  }

  /** Returns when stopped; rejects when the consumer is gone or the broker does not answer. */
  async #pull(consumer: PullConsumer): Promise<void> {
    while (!this.#isStopping) {
      let received = 0;
      this.#pulling = await consumer.fetch({ max_messages: mostInHand, expires: pullMs });
      const subscription = subscriptionOf(this.#pulling);
      // The stop began before this pull and has not seen it.
      if (this.#isStopping) await this.#leavePull();
      for await (const message of this.#pulling) {
        received += 1;
        this.#arrived.push(message);
        if (!this.#isStopping) this.#handling ??= this.#handleArrived();
      }
      this.#gathered.wake();
      // Before the wait: handling may take long, and its messages alone stay here.
      await this.#ended;
      if (this.#isStopping) await this.#giveBack();
      await this.#handling;
      // An empty pull looks the same without messages and without a broker, unless the broker has said that its time is over.
      const isAnswered = received > 0 || (subscription?.getReceived() ?? 0) > 0;
      if (!isAnswered && !this.#isStopping) await consumer.info();
    }
  }

  async #handleArrived(): Promise<void> {
    const signs = setInterval(() => {
      for (const message of [...this.#inHand, ...this.#arrived]) message.working();
    }, signEveryMs);
    const { gatherMs = 0 } = this.#options;
    while (this.#arrived.length > 0) {
      if (gatherMs > 0) await this.#gathered.wait(gatherMs);
      if (this.#isStopping) break;
      const began = performance.now();
      this.#inHand = this.#arrived;
      this.#arrived = [];
      await this.#options.handle(this.#inHand);
      this.#inHand = [];
      await delay(restMs(performance.now() - began));
    }
    clearInterval(signs);
    this.#handling = undefined;
  }

  async #consumer(): Promise<PullConsumer> {
    const { nats, filter } = this.#options;
    await ensureEventStream(nats);
    const manager = await managerOf(nats);
    try {
      await manager.consumers.info(eventStreamName, this.#durable);
    } catch (error) {
      if (apiErrorCode(error) !== consumerNotFound) throw error;
      await manager.consumers.add(eventStreamName, {
        durable_name: this.#durable,
        filter_subject: filter,
        ack_policy: AckPolicy.Explicit,
        deliver_policy: DeliverPolicy.All,
        ack_wait: nanos(ackWaitMs),
        max_ack_pending: 64,
        max_deliver: -1, // tries are counted here, where "the database is away" is told from "cannot be handled"
      });
    }
    return nats.jetstream().consumers.get(eventStreamName, this.#durable);
  }
}
