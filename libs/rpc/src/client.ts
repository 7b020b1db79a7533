// Asks a service over NATS. Fails fast and with a code: no listener, too late, or the service's own error.
import {
  type Callable,
  type Caller,
  type ComposedRequest,
  type Input,
  isAnswered,
  isOperation,
  isStreaming,
  parseLossless,
  type Result,
  type ServiceName,
  type StreamingRow,
  subjectOf,
} from '@parlance/contracts';
import { AppError, type Issue, validationError } from '@parlance/errors';
import { stringifyJson } from '@parlance/json';
import { checkRequest } from '@parlance/observability';
import type { NatsConnection } from 'nats';
import type { z } from 'zod';
import type { RequestSigner, UnsignedRequest } from './callers/request-signer.js';
import { type FailedTry, isRepeatable, LateReads } from './late-reads.js';
import { EventReader, type EventStream } from './streams/event-reader.js';
import { inClientSpan } from './tracing.js';
import type { Answer } from './wire/answer.js';
import { EnvelopeUse } from './wire/envelope-use.js';
import { decodeReply, isMarkedReply, parseData, type UnparsedAnswer } from './wire/reply.js';
import { NoReplyError, type OutgoingRequest, RequestMux } from './wire/request-mux.js';

export interface RpcContext {
  /** The caller of the request. The key of this process has to be one that may speak for that caller. */
  readonly caller: Caller;
  readonly requestId: string;
  /** Epoch milliseconds, of the first try; the client's own time limit applies when it is sooner. */
  readonly deadline?: number;
  /** The same for every repetition of one command, so that the service can recognise it. */
  readonly commandId?: string;
}

export interface RpcClientOptions {
  /** The service that asks. A row that the contract does not let it ask is an error here; the broker would refuse it. */
  readonly asker?: ServiceName;
  readonly signer: RequestSigner;
  /** Longest wait for an answer, 3 seconds unless said; a row may ask for more. */
  readonly timeoutMs?: number;
  /** Sends reads again that are not answered, and tries late ones again. For the first to ask alone: repetitions at each step would multiply. */
  readonly repeatsReads?: boolean;
}

const retryAfterSeconds = 2;

const unavailable = (cause?: unknown): AppError =>
  new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds, cause });

const tooLate = (cause?: unknown): AppError => new AppError('UPSTREAM_TIMEOUT', { retryAfterSeconds, cause });

const failure = (error: unknown): AppError => {
  if (error instanceof AppError) return error;
  if (!(error instanceof NoReplyError)) return new AppError('INTERNAL_ERROR', { cause: error });
  if (error.reason === 'tooLarge') return new AppError('PAYLOAD_TOO_LARGE', { cause: error });
  return error.reason === 'timeout' ? tooLate(error) : unavailable(error);
};

const isRefusal = (error: unknown): boolean => error instanceof AppError && error.code === 'UNAUTHENTICATED';

/** A replica of a release before finds no caller in an envelope. One that reads envelopes marks its refusals. */
const refusesEnvelope = (reply: ReturnType<typeof decodeReply>, isMarked: boolean): boolean =>
  !isMarked && 'error' in reply && reply.error.code === 'UNAUTHENTICATED';

const subjects = new WeakMap<Callable, string>();
const subject = (row: Callable): string => {
  const known = subjects.get(row);
  if (known !== undefined) return known;
  const made = subjectOf(row);
  subjects.set(row, made);
  return made;
};

/** Parses one part of a request, or collects its faults. */
const parsePart = (name: string, schema: z.ZodType | undefined, value: unknown, issues: Issue[]): unknown => {
  if (schema === undefined) return {};
  const parsed = parseLossless(schema, value ?? {});
  if (parsed.success) return parsed.data;
  for (const { path, code, message } of parsed.error.issues)
    issues.push({ path: [name, ...path].join('.'), code, message });
  return {};
};

export class RpcClient {
  readonly #nats: NatsConnection;
  readonly #mux: RequestMux;
  readonly #timeoutMs: number;
  readonly #asker: ServiceName | undefined;
  readonly #signer: RequestSigner;
  readonly #repeatsReads: boolean;
  readonly #lateReads: LateReads;
  readonly #envelopes = new EnvelopeUse();

  constructor(nats: NatsConnection, options: RpcClientOptions) {
    this.#nats = nats;
    this.#mux = new RequestMux(nats);
    this.#timeoutMs = options.timeoutMs ?? 3_000;
    this.#lateReads = new LateReads(this.#timeoutMs);
    this.#asker = options.asker;
    this.#signer = options.signer;
    this.#repeatsReads = options.repeatsReads ?? false;
  }

  /**
   * Sends input that is already validated, and leaves the answer's data as JSON text, for callers that only pass it on.
   * @throws AppError the service's own; SERVICE_UNAVAILABLE when no copy listens or NATS is away; UPSTREAM_TIMEOUT when
   *   the answer is late, and the work may then have been done
   */
  async dispatch<T extends Callable>(row: T, input: Input<T>, context: RpcContext): Promise<UnparsedAnswer> {
    if (isStreaming(row)) throw new Error(`${row.id} answers a stream, which \`open\` reads`);
    this.#checkScope(row);
    return inClientSpan(row, () => this.#dispatch(row, input, context));
  }

  /** A client without a service, such as one of a test, may hold a lock while it requests something. */
  #checkScope(row: Callable): void {
    if (this.#asker !== undefined) checkRequest(row.id);
  }

  async #dispatch<T extends Callable>(row: T, input: Input<T>, context: RpcContext): Promise<UnparsedAnswer> {
    const askedAt = performance.now();
    let asking = context;
    for (;;) {
      const triedAt = performance.now();
      try {
        return await this.#ask(row, input, asking);
      } catch (error) {
        const timeoutMs = this.#nextTryMs(row, error, { askedAt, triedAt });
        if (timeoutMs === 0) throw error;
        asking = { ...context, deadline: Date.now() + timeoutMs };
      }
    }
  }

  /** Milliseconds for another try after this failure, and 0 for none. */
  #nextTryMs(row: Callable, error: unknown, times: Pick<FailedTry, 'askedAt' | 'triedAt'>): number {
    if (!this.#isRepeated(row) || !(error instanceof AppError)) return 0;
    const { service } = row;
    const timeoutMs = this.#lateReads.nextTryMs({ service, code: error.code, ...times });
    return timeoutMs > 0 && this.#mux.mayRepeat(service) ? timeoutMs : 0;
  }

  #isRepeated(row: Callable): boolean {
    return this.#repeatsReads && isRepeatable(row);
  }

  async #ask<T extends Callable>(row: T, input: Input<T>, context: RpcContext): Promise<UnparsedAnswer> {
    const { service } = row;
    const isEnvelope = this.#envelopes.isFor(service);
    let { reply, isMarked } = await this.#send(row, input, context, isEnvelope);
    if (isEnvelope && refusesEnvelope(reply, isMarked)) {
      this.#envelopes.isRefused(service);
      ({ reply, isMarked } = await this.#send(row, input, context, false));
    }
    if (isMarked) this.#envelopes.isTaken(service);
    if ('error' in reply) throw AppError.fromWire(reply.error);
    this.#lateReads.hasSucceeded(service);
    return reply;
  }

  async #send<T extends Callable>(
    row: T,
    input: Input<T>,
    context: RpcContext,
    isEnvelope: boolean,
  ): Promise<{ readonly reply: ReturnType<typeof decodeReply>; readonly isMarked: boolean }> {
    const timeoutMs = this.#timeLeft(row, context);
    const to = this.#mux.newReply(row.service);
    const request = this.#unsigned(row, input, { ...context, reply: to, timeoutMs });
    const message = isEnvelope ? this.#signer.envelope(request) : await this.#signer.sign(request);
    try {
      const { data } = await this.#mux.request({
        service: row.service,
        subject: subject(row),
        reply: to,
        ...message,
        timeoutMs,
        repeats: this.#isRepeated(row),
      });
      return { reply: decodeReply(data), isMarked: this.#signer.makesEnvelopes && isMarkedReply(data) };
    } catch (error) {
      throw failure(error);
    }
  }

  /**
   * Validates first; for services that ask each other.
   * @throws AppError as `dispatch` does, and VALIDATION_ERROR
   */
  async call<T extends Callable>(
    row: T,
    request: ComposedRequest<T>,
    context: RpcContext,
  ): Promise<Answer<Result<T>>> {
    const parts: { params?: unknown; query?: unknown; body?: unknown; composed?: unknown } = request;
    const { params, query } = isOperation(row) ? row : {};
    const issues: Issue[] = [];
    const input = {
      params: parsePart('params', params, parts.params, issues),
      query: parsePart('query', query, parts.query, issues),
      body: parsePart('body', row.body, parts.body, issues),
      ...(parts.composed === undefined ? {} : { composed: parts.composed }),
    };
    if (issues.length > 0) throw validationError(issues);
    // Each part was just parsed by the row's schema.
    const { json, ...extras } = await this.dispatch(row, input as Input<T>, context);
    // The service's handler was checked against the row's type when it was compiled.
    return { ...extras, data: parseData(json) as Result<T> };
  }

  /**
   * Opens a streamed answer of input that is already validated. The stream lasts as long as the row lets it, or the deadline.
   * Reading it throws the error that ended it; SERVICE_UNAVAILABLE when the service died meanwhile.
   * @throws AppError as `dispatch` does
   */
  async open<T extends StreamingRow>(row: T, input: Input<T>, context: RpcContext): Promise<EventStream> {
    this.#checkScope(row);
    return inClientSpan(row, () => this.#open(row, input, context));
  }

  async #open<T extends StreamingRow>(row: T, input: Input<T>, context: RpcContext): Promise<EventStream> {
    const { service } = row;
    const isEnvelope = this.#envelopes.isFor(service);
    const reader = new EventReader(this.#nats, service);
    try {
      await this.#openAt(reader, row, input, context, isEnvelope);
      return reader;
    } catch (error) {
      if (!isEnvelope || !isRefusal(error) || reader.takesEnvelopes) throw error;
      this.#envelopes.isRefused(service);
      const again = new EventReader(this.#nats, service);
      await this.#openAt(again, row, input, context, false);
      return again;
    }
  }

  async #openAt<T extends StreamingRow>(
    reader: EventReader,
    row: T,
    input: Input<T>,
    context: RpcContext,
    isEnvelope: boolean,
  ): Promise<void> {
    const lastsMs = this.#timeLeft(row, context);
    const request = this.#unsigned(row, input, { ...context, reply: reader.reply, timeoutMs: lastsMs });
    const message = isEnvelope ? this.#signer.envelope(request) : await this.#signer.sign(request);
    const timeoutMs = Math.min(lastsMs, this.#timeoutMs);
    if (this.#nats.isClosed() || this.#nats.isDraining()) throw unavailable();
    try {
      await reader.open({ subject: subject(row), ...message, timeoutMs });
    } catch (error) {
      throw failure(error);
    }
  }

  /** @throws AppError UPSTREAM_TIMEOUT for a deadline that has passed */
  #timeLeft(row: Callable, { deadline }: RpcContext): number {
    if (this.#asker !== undefined && !isAnswered(this.#asker, row))
      throw new Error(`the contract does not let ${this.#asker} ask ${row.id}`);
    const longest = Math.max(this.#timeoutMs, row.answerWithinMs ?? 0);
    const timeoutMs = deadline === undefined ? longest : Math.min(longest, deadline - Date.now());
    if (timeoutMs <= 0) throw tooLate();
    return timeoutMs;
  }

  #unsigned(
    row: Callable,
    input: object,
    {
      caller,
      requestId,
      commandId,
      reply,
      timeoutMs,
    }: RpcContext & Pick<OutgoingRequest, 'reply' | 'timeoutMs'>,
  ): UnsignedRequest {
    return {
      ...{ subject: subject(row), service: row.service, reply, caller, requestId, commandId },
      json: stringifyJson(input),
      isConfidential: row.confidential === true,
      deadline: Date.now() + timeoutMs,
    };
  }
}
