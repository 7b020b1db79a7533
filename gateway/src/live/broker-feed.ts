// Hears every integration event, through the one consumer that all gateways share. The broker hands each event to every gateway
// that listens; a gateway sees by the numbers when it has missed some.

import { EventEnvelope } from '@parlance/contracts';
import { parseJson } from '@parlance/json';
import { eventStreamName, eventSubjects, liveConsumerName, liveEventsSubject } from '@parlance/messaging';
import type { Logger, RunningPart } from '@parlance/observability';
import { ensureEventStream } from '@parlance/postgres';
import { AckPolicy, DeliverPolicy, type Msg, type NatsConnection, nanos, ReplayPolicy } from 'nats';

export interface FeedListener {
  /** The feed follows the stream with this name from behind this place on. Earlier events are of no use any more. */
  begin(epoch: string, after: number): void;
  event(sequence: number, event: EventEnvelope): void;
  /** Events up to this place were missed. */
  missed(upTo: number): void;
}

export interface BrokerFeedOptions {
  readonly nats: NatsConnection;
  readonly logger: Logger;
  readonly listener: FeedListener;
  /** The interval of the broker's signs of life without an event, in milliseconds (5 s). */
  readonly beatMs?: number;
}

/** Events that are read back for readers that return to a gateway that has just started. */
const readBack = 2_000;
const requestTimeoutMs = 2_000;
/** The consumer outlives a moment in which no gateway listens. */
const consumerEndsAfterMs = 30_000;
const exists = new Set([10_012, 10_013, 10_148]);
const heartbeatCode = 100;

/** The place in the stream, as the broker writes it into the subject for acknowledgements. */
const sequenceOf = ({ reply }: Msg): number | undefined => {
  const tokens = reply?.split('.') ?? [];
  // Longer forms have the domain and the account in front.
  const token = tokens.length >= 11 ? tokens[7] : tokens[5];
  const sequence = Number(token);
  return tokens[1] === 'ACK' && Number.isSafeInteger(sequence) ? sequence : undefined;
};

const parse = (message: Msg): EventEnvelope | undefined => {
  try {
    return EventEnvelope.parse(parseJson(message.string()));
  } catch {
    return undefined;
  }
};

interface Made {
  readonly error?: { readonly err_code?: number; readonly description?: string };
}

export class BrokerFeed implements RunningPart {
  readonly name = 'live events';
  readonly #options: BrokerFeedOptions;
  readonly #beatMs: number;
  readonly #watch: NodeJS.Timeout;
  readonly #unsubscribe: () => void;
  #epoch = '';
  #last = 0;
  #heardAt = 0;
  #ensuring: Promise<void> | undefined;
  #failure: string | undefined;
  #isStopping = false;

  constructor(options: BrokerFeedOptions) {
    this.#options = options;
    this.#beatMs = options.beatMs ?? 5_000;
    const subscription = options.nats.subscribe(liveEventsSubject, {
      callback: (error, message) => {
        if (error === null) this.#hear(message);
      },
    });
    this.#unsubscribe = () => subscription.unsubscribe();
    this.#ensure();
    this.#watch = setInterval(() => {
      if (Date.now() - this.#heardAt > 3 * this.#beatMs) this.#ensure();
    }, this.#beatMs);
  }

  trouble(): string | undefined {
    return this.#failure;
  }

  /** Resolves after the first try to follow the events, whether the broker answered or not. */
  async tried(): Promise<void> {
    await this.#ensuring;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#watch);
    this.#unsubscribe();
    await this.#ensuring;
  }

  #hear(message: Msg): void {
    this.#heardAt = Date.now();
    // Nothing counts before it is known where the stream was when this gateway began to listen.
    if (this.#epoch === '') return;
    if (message.headers?.code === heartbeatCode) this.#compare(message);
    else this.#take(message);
  }

  #take(message: Msg): void {
    const sequence = sequenceOf(message);
    if (sequence === undefined || sequence <= this.#last) return;
    if (sequence > this.#last + 1) this.#options.listener.missed(sequence - 1);
    this.#last = sequence;
    const event = parse(message);
    if (event !== undefined) this.#options.listener.event(sequence, event);
  }

  /** A sign of life names the last event that was handed over. */
  #compare({ headers }: Msg): void {
    const handedOver = Number(headers?.get('Nats-Last-Stream'));
    if (!Number.isSafeInteger(handedOver) || handedOver === this.#last) return;
    // Lower: the consumer catches up, or the stream was made anew.
    if (handedOver < this.#last) this.#ensure();
    else {
      this.#last = handedOver;
      this.#options.listener.missed(handedOver);
    }
  }

  #ensure(): void {
    if (this.#isStopping) return;
    this.#ensuring ??= this.#follow()
      .then(() => {
        this.#failure = undefined;
      })
      .catch((err: unknown) => {
        if (this.#failure === undefined && !this.#isStopping)
          this.#options.logger.warn({ err }, 'live events cannot be followed');
        this.#failure = 'cannot follow events';
      })
      .finally(() => {
        this.#ensuring = undefined;
      });
  }

  async #follow(): Promise<void> {
    const { nats, listener } = this.#options;
    // The flush comes first: later events then arrive in any case. So none is lost between the place in the answer and
    // the first event.
    await nats.flush();
    const { created, lastSequence } = await ensureEventStream(nats);
    const isKnown = this.#epoch === created;
    const after = isKnown ? this.#last : Math.max(0, lastSequence - readBack);
    const isOurs = await this.#makeConsumer(after + 1);
    this.#heardAt = Date.now();
    if (isKnown) return;
    this.#epoch = created;
    this.#last = isOurs ? after : lastSequence;
    listener.begin(created, this.#last);
  }

  /** False when another gateway has made it. */
  async #makeConsumer(from: number): Promise<boolean> {
    const config = {
      name: liveConsumerName,
      deliver_subject: liveEventsSubject,
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: from,
      filter_subject: eventSubjects,
      ack_policy: AckPolicy.None,
      replay_policy: ReplayPolicy.Instant,
      idle_heartbeat: nanos(this.#beatMs),
      inactive_threshold: nanos(consumerEndsAfterMs),
      mem_storage: true,
      num_replicas: 1,
    };
    const subject = `$JS.API.CONSUMER.CREATE.${eventStreamName}.${liveConsumerName}.${eventSubjects}`;
    const request = JSON.stringify({ stream_name: eventStreamName, config });
    const answer = await this.#options.nats.request(subject, request, { timeout: requestTimeoutMs });
    const { error } = answer.json<Made>();
    if (error === undefined) return true;
    if (exists.has(error.err_code ?? 0)) return false;
    throw new Error(`no consumer: ${error.description ?? 'refused'}`);
  }
}
