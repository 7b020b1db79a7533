// Asks a service over NATS. Fails fast and with a code: nobody there, too late, or the service's own error.
import {
  type Callable,
  type Input,
  isOperation,
  type RequestOf,
  type Result,
  subjectOf,
} from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { ErrorCode as NatsCode, type NatsConnection, NatsError } from 'nats';
import type { z } from 'zod';
import type { Answer, WireReply } from './answer.js';
import { connectionState } from './connect.js';
import { writeHeaders } from './headers.js';

export interface RpcContext {
  /** Made by CallerSigner. */
  readonly caller: string;
  readonly requestId: string;
  /** Epoch milliseconds; the client's own time limit applies when it is sooner. */
  readonly deadline?: number;
  readonly commandId?: string;
}

export interface RpcClientOptions {
  readonly timeoutMs?: number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const retryAfterSeconds = 2;

const unavailable = (cause?: unknown): AppError =>
  new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds, cause });

const failure = (error: unknown): AppError => {
  if (error instanceof NatsError && error.code === NatsCode.Timeout) {
    return new AppError('UPSTREAM_TIMEOUT', { cause: error, retryAfterSeconds });
  }
  if (error instanceof NatsError && error.code === NatsCode.MaxPayloadExceeded) {
    return new AppError('PAYLOAD_TOO_LARGE', { cause: error });
  }
  return unavailable(error);
};

const parsePart = (schema: z.ZodType | undefined, value: unknown): unknown =>
  schema ? schema.parse(value ?? {}) : {};

export class RpcClient {
  readonly #connection: NatsConnection;
  readonly #state: { readonly up: () => boolean };
  readonly #timeoutMs: number;

  constructor(connection: NatsConnection, options: RpcClientOptions = {}) {
    this.#connection = connection;
    this.#state = connectionState(connection);
    this.#timeoutMs = options.timeoutMs ?? 3_000;
  }

  /**
   * Sends input that is already validated.
   * @throws AppError: the service's own, SERVICE_UNAVAILABLE (nobody answers) or UPSTREAM_TIMEOUT (too late)
   */
  async dispatch<T extends Callable>(
    row: T,
    input: Input<T>,
    context: RpcContext,
  ): Promise<Answer<Result<T>>> {
    if (!this.#state.up()) throw unavailable();
    const now = Date.now();
    const timeout = Math.min(this.#timeoutMs, (context.deadline ?? Number.POSITIVE_INFINITY) - now);
    if (timeout <= 0) throw new AppError('UPSTREAM_TIMEOUT', { retryAfterSeconds });
    const reply = await this.#request(row, input, { ...context, deadline: now + timeout }, timeout);
    if ('error' in reply) throw AppError.fromWire(reply.error);
    // The service's handler was checked against the row's type when it was compiled.
    return reply as Answer<Result<T>>;
  }

  /** Validates first; for services that ask each other. */
  call<T extends Callable>(row: T, request: RequestOf<T>, context: RpcContext): Promise<Answer<Result<T>>> {
    const parts = request as { params?: unknown; query?: unknown; body?: unknown };
    const input = {
      params: parsePart(isOperation(row) ? row.params : undefined, parts.params),
      query: parsePart(isOperation(row) ? row.query : undefined, parts.query),
      body: parsePart(row.body, parts.body),
    };
    return this.dispatch(row, input as Input<T>, context);
  }

  async #request(
    row: Callable,
    input: unknown,
    context: RpcContext & { readonly deadline: number },
    timeout: number,
  ): Promise<WireReply> {
    try {
      const message = await this.#connection.request(subjectOf(row), encoder.encode(JSON.stringify(input)), {
        timeout,
        headers: writeHeaders(context),
      });
      return JSON.parse(decoder.decode(message.data)) as WireReply; // written by our own server strategy
    } catch (error) {
      throw failure(error);
    }
  }
}
