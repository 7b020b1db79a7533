// Nest's side of the wire: a transport strategy on the `nats` package, one queue group per service. Everything that
// happens once per request is here, so it is kept short: no pipes, no guards, no second validation.
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { trace, context as traces } from '@opentelemetry/api';
import {
  type Callable,
  callables,
  longestWorkMs,
  onlyReads,
  type ServiceName,
  subjectOf,
} from '@parlance/contracts';
import { AppError, type ErrorCode } from '@parlance/errors';
import { counter, histogram, rpcActive, rpcDuration, rpcExpired, rpcOverloaded } from '@parlance/metrics';
import { type Logger, runWithContext } from '@parlance/observability';
import type { Msg, NatsConnection, NatsError, Subscription } from 'nats';
import { isObservable, type Observable } from 'rxjs';
import { TakenBefore } from './callers/caller-token.js';
import type { RequestVerifier, VerifiedRequest } from './callers/request-verifier.js';
import { toAppError } from './error-filter.js';
import { isEventStream, type SentEvent, sendStream } from './streams/send-stream.js';
import { endServerSpan, rpcAttributes, startServerSpan } from './tracing.js';
import { warmUp } from './warm-up.js';
import { toReply } from './wire/answer.js';
import { publisherOf } from './wire/connect.js';
import type { Publisher } from './wire/publisher.js';
import { type ReceivedRequest, readRequest } from './wire/received.js';
import { encodeMarkedReply, encodeReply, type Outcome } from './wire/reply.js';

export interface NatsStrategyOptions {
  readonly service: ServiceName;
  readonly nats: NatsConnection;
  readonly verifier: Pick<RequestVerifier, 'verify'>;
  readonly logger: Logger;
  /** Requests worked on at the same time; more are refused at once. */
  readonly maxInFlight: number;
  /** Awaited before the first request is taken. */
  readonly prepare?: (() => Promise<void>) | undefined;
}

/** Draining and flushing wait for the broker; while it is away they would wait for ever. */
const brokerPatienceMs = 2_000;

/** Beyond the time for requests: a stopped stream says goodbye within it. The requests that are left then are given up. */
const farewellPatienceMs = 6_000;

const withinLimit = async (work: Promise<unknown>, limitMs = brokerPatienceMs): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
};

/** An answer that was sent as a stream. */
interface Streamed {
  /** The code of the error that ended the stream; undefined when it was sent, or its reader is gone. */
  readonly failedWith: ErrorCode | undefined;
}

const codeOf = (answer: Outcome | Streamed): ErrorCode | undefined => {
  if ('failedWith' in answer) return answer.failedWith;
  return 'error' in answer ? answer.error.code : undefined;
};

const rows: ReadonlyMap<string, Callable> = new Map(callables.map((row) => [subjectOf(row), row]));

const duration = histogram(rpcDuration);
const active = counter(rpcActive);
const expired = counter(rpcExpired);
const refused = counter(rpcOverloaded);

const overloaded = new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }).toWire();

/** A row of the contract and its handler. */
interface Served {
  readonly row: Callable;
  readonly handler: MessageHandler;
}

export class NatsStrategy extends Server implements CustomTransportStrategy {
  readonly #options: NatsStrategyOptions;
  readonly #replies: Publisher;
  #subscriptions: Subscription[] = [];
  #inFlight = 0;
  /** The reply subjects of the requests in progress. */
  readonly #answering = new Set<string>();
  #whenIdle: (() => void) | undefined;
  /** Streamed answers that are under way. */
  readonly #streams = new Set<AbortController>();
  /** Requests that arrived after their deadline. */
  expired = 0;

  constructor(options: NatsStrategyOptions) {
    super();
    this.#options = options;
    this.#replies = publisherOf(options.nats);
  }

  listen(callback: (error?: unknown) => void): void {
    this.#open().then(() => callback(), callback);
  }

  async #open(): Promise<void> {
    const { nats, service, prepare } = this.#options;
    if (prepare !== undefined) {
      await prepare();
      const handlerOf = (row: Callable) => this.messageHandlers.get(subjectOf(row));
      await warmUp({ service, handlerOf, settled });
    }
    this.#subscriptions = [...this.messageHandlers].map(([subject, handler]) => {
      const row = rows.get(subject);
      if (row === undefined) throw new Error(`no row of the contract has the subject ${subject}`);
      return nats.subscribe(subject, {
        queue: service,
        callback: (error, message) => this.#receive({ row, handler }, error, message),
      });
    });
    // Once the server has answered a ping it knows of the subscriptions; only then does the service serve.
    await nats.flush();
  }

  /** Takes no more requests, then resolves when those in flight are answered, or have had their time. */
  async close(): Promise<void> {
    const draining = this.#subscriptions.map((subscription) => subscription.drain());
    this.#subscriptions = [];
    await withinLimit(Promise.allSettled(draining));
    await this.#finish();
    const { nats } = this.#options;
    this.#replies.flush();
    if (!nats.isClosed()) await withinLimit(nats.flush().catch(() => undefined));
  }

  /** Resolves when every request is answered, or time is over. */
  async #finish(): Promise<void> {
    if (this.#inFlight === 0) return;
    const finishWithinMs = longestWorkMs(this.#options.service);
    const idle = new Promise<void>((resolve) => {
      this.#whenIdle = resolve;
    });
    const impatience = setTimeout(() => this.#stopStreams(), finishWithinMs);
    await withinLimit(idle, finishWithinMs + farewellPatienceMs);
    clearTimeout(impatience);
  }

  on(): void {
    throw new Error('this transport has no events');
  }

  unwrap<T>(): T {
    return this.#options.nats as T; // Nest leaves it to the caller to know the driver's type
  }

  #receive(served: Served, error: NatsError | null, message: Msg): void {
    const { logger, maxInFlight, service } = this.#options;
    if (error !== null) {
      logger.error({ err: error }, 'subscription failed');
      return;
    }
    const request = readRequest(message);
    if (request === undefined) {
      logger.warn({ subject: message.subject }, 'request without headers dropped');
      return;
    }
    if (request.deadline > 0 && request.deadline < Date.now()) {
      this.expired += 1;
      expired.add({ 'rpc.service': service });
      logger.debug({ subject: message.subject, expired: this.expired }, 'expired request dropped');
      return;
    }
    // Its sender has sent it again. A second answer would be of no use.
    if (message.reply !== undefined && this.#answering.has(message.reply)) return;
    if (this.#inFlight >= maxInFlight) {
      refused.add({ 'rpc.service': service });
      this.#respond(message, request, { error: overloaded });
      return;
    }
    this.#begin(message.reply);
    void this.#answer(served, message, request).finally(() => this.#end(message.reply));
  }

  #begin(reply: string | undefined): void {
    this.#inFlight += 1;
    if (reply !== undefined) this.#answering.add(reply);
    active.add({ 'rpc.service': this.#options.service });
  }

  #end(reply: string | undefined): void {
    this.#inFlight -= 1;
    if (reply !== undefined) this.#answering.delete(reply);
    active.add({ 'rpc.service': this.#options.service }, -1);
    if (this.#inFlight === 0) this.#whenIdle?.();
  }

  async #answer({ row, handler }: Served, message: Msg, request: ReceivedRequest): Promise<void> {
    const startedAt = performance.now();
    const span = startServerSpan(row, request.trace);
    const own = span === undefined ? traces.active() : trace.setSpan(traces.active(), span);
    const handle = () => this.#handle({ row, handler }, message, request);
    const answer = await (span === undefined ? handle() : traces.with(own, handle));
    if (!('failedWith' in answer)) this.#respond(message, request, answer);
    const code = codeOf(answer);
    const labels = { ...rpcAttributes(row), 'error.type': code };
    duration.record((performance.now() - startedAt) / 1_000, labels, own);
    endServerSpan(span, code);
  }

  async #handle(
    { row, handler }: Served,
    message: Msg,
    received: ReceivedRequest,
  ): Promise<Outcome | Streamed> {
    const { verifier, logger } = this.#options;
    let verified: VerifiedRequest;
    try {
      verified = await verifier.verify(message, received);
    } catch (error) {
      this.#logRefusal(message.subject, error);
      return { error: toAppError(error, logger).toWire() };
    }
    const { caller } = verified;
    const { requestId, deadline, commandId } = received;
    const context = {
      requestId,
      organizationId: caller.organizationId,
      actor: `${caller.actor.type}:${caller.actor.id}`,
      ...(deadline > 0 ? { deadline } : {}),
      changesNothing: onlyReads(row),
    };
    const stop = new AbortController();
    return runWithContext(context, async () => {
      try {
        const request = { ...verified.input(), caller, requestId, deadline, commandId, signal: stop.signal };
        const result: unknown = await handler(request);
        if (isEventStream(result)) return await this.#stream(message, result, { stop, deadline, received });
        return toReply(await settled(result));
      } catch (error) {
        // AppErrorFilter has logged the error of a handler; this logs an error from before the handler
        const known = error instanceof AppError ? error : toAppError(error, logger);
        return { error: known.toWire() };
      }
    });
  }

  /** A slow copy has answered a read, and gets it for a second time from a gateway that did not wait so long. */
  #logRefusal(subject: string, err: unknown): void {
    const { logger } = this.#options;
    if (err instanceof AppError && err.cause instanceof TakenBefore)
      logger.info({ subject, err }, 'request refused because it was taken before');
    else logger.warn({ subject, err }, 'request of an unknown caller refused');
  }

  async #stream(
    message: Msg,
    events: AsyncIterable<SentEvent>,
    {
      stop,
      deadline,
      received,
    }: { readonly stop: AbortController; readonly deadline: number; readonly received: ReceivedRequest },
  ): Promise<Streamed> {
    const { nats, logger } = this.#options;
    this.#streams.add(stop);
    try {
      const toKnown = (error: unknown): AppError => toAppError(error, logger);
      const encode = encoderFor(received);
      const failure = await sendStream(message, {
        ...{ nats, events, stop, deadline, encode },
        toAppError: toKnown,
      });
      return { failedWith: failure?.code };
    } finally {
      this.#streams.delete(stop);
    }
  }

  #stopStreams(): void {
    for (const stop of this.#streams) stop.abort(AppError.fromWire(overloaded));
  }

  #respond({ reply }: Msg, request: ReceivedRequest, outcome: Outcome): void {
    if (reply === undefined || reply === '') return;
    const encode = encoderFor(request);
    const send = (payload: string, onFailure: (error: unknown) => void): void =>
      this.#replies.publish({ subject: reply, payload, onFailure });
    // too large for the broker, or not JSON: the caller learns it now, and not at its time limit
    const refuse = (error: unknown): void => {
      const known = toAppError(error, this.#options.logger);
      if (!this.#options.nats.isClosed()) send(encode({ error: known.toWire() }), () => undefined);
    };
    try {
      send(encode(outcome), refuse);
    } catch (error) {
      refuse(error);
    }
  }
}

const encoderFor = ({ marksReply }: ReceivedRequest): ((outcome: Outcome) => string) =>
  marksReply ? encodeMarkedReply : encodeReply;

/** A value from a filter of Nest's is an observable; a result of a handler is none. */
const firstValue = (result: Observable<unknown>): Promise<unknown> =>
  new Promise((resolve, reject) => {
    result.subscribe({ next: resolve, error: reject, complete: () => resolve(undefined) });
  });

const settled = async (result: unknown): Promise<unknown> =>
  isObservable(result) ? firstValue(result) : result;
