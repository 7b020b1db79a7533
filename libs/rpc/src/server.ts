// Nest's side of the wire: a transport strategy on the `nats` package, one queue group per service.

import { Catch, type INestMicroservice, type RpcExceptionFilter, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { SpanKind, SpanStatusCode, trace, context as traces } from '@opentelemetry/api';
import { type ServiceName } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { type Logger, runWithContext } from '@parlance/observability';
import type { Msg, NatsConnection, Subscription } from 'nats';
import { firstValueFrom, isObservable, throwError } from 'rxjs';
import type { WireReply } from './answer.js';
import { toReply } from './answer.js';
import type { CallerVerifier } from './caller-token.js';
import { readHeaders, traceContext } from './headers.js';

export interface RpcServiceOptions {
  readonly service: ServiceName;
  readonly nats: NatsConnection;
  readonly verifier: CallerVerifier;
  readonly logger: Logger;
  readonly module: Type<unknown> | { module: Type<unknown> };
}

export interface RpcService {
  readonly app: INestMicroservice;
  /** Stops taking requests, finishes those in flight, closes the application. */
  stop(): Promise<void>;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const tracer = trace.getTracer('parlance-rpc');

/** Lets errors through as they are; Nest would flatten them to a sentence. */
@Catch()
class PassThroughFilter implements RpcExceptionFilter {
  catch(error: unknown) {
    return throwError(() => error);
  }
}

class NatsStrategy extends Server implements CustomTransportStrategy {
  readonly #options: RpcServiceOptions;
  readonly #inFlight = new Set<Promise<void>>();
  #subscriptions: Subscription[] = [];

  constructor(options: RpcServiceOptions) {
    super();
    this.#options = options;
  }

  listen(callback: () => void): void {
    const { nats, service } = this.#options;
    this.#subscriptions = [...this.messageHandlers].map(([subject, handler]) =>
      nats.subscribe(subject, {
        queue: service,
        callback: (error, message) => {
          if (error === null) this.#track(this.#serve(subject, handler, message));
        },
      }),
    );
    // The server knows of the subscriptions once it has answered a ping; only then are we serving.
    void nats.flush().then(callback, callback);
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#subscriptions.map((subscription) => subscription.drain()));
    await Promise.allSettled([...this.#inFlight]);
  }

  on(): this {
    return this;
  }

  unwrap<T>(): T {
    return this.#options.nats as T; // Nest's way to reach the driver
  }

  #track(work: Promise<void>): void {
    this.#inFlight.add(work);
    void work.finally(() => this.#inFlight.delete(work));
  }

  async #serve(subject: string, handler: MessageHandler, message: Msg): Promise<void> {
    const headers = readHeaders(message.headers);
    if (headers.deadline > 0 && headers.deadline < Date.now()) {
      this.#options.logger.debug({ subject }, 'request dropped: nobody waits for it any more');
      return;
    }
    const reply = await traces.with(traceContext(message.headers), () =>
      tracer.startActiveSpan(subject, { kind: SpanKind.SERVER }, async (span) => {
        const result = await this.#reply(subject, handler, message, headers);
        if ('error' in result) span.setStatus({ code: SpanStatusCode.ERROR, message: result.error.code });
        span.end();
        return result;
      }),
    );
    message.respond(encoder.encode(JSON.stringify(reply)));
  }

  async #reply(
    subject: string,
    handler: MessageHandler,
    message: Msg,
    headers: ReturnType<typeof readHeaders>,
  ): Promise<WireReply> {
    try {
      const caller = await this.#options.verifier.verify(headers.caller);
      const input: object = JSON.parse(decoder.decode(message.data));
      const { requestId, deadline, commandId } = headers;
      const request = { ...input, caller, requestId, deadline, ...(commandId ? { commandId } : {}) };
      const context = {
        requestId,
        organizationId: caller.organizationId,
        actor: `${caller.actor.type}:${caller.actor.id}`,
      };
      const result = await runWithContext(context, async () => handler(request));
      return toReply(
        isObservable(result) ? await firstValueFrom(result, { defaultValue: undefined }) : result,
      );
    } catch (error) {
      return { error: this.#wireError(subject, headers.requestId, error) };
    }
  }

  #wireError(subject: string, requestId: string, error: unknown) {
    const known = error instanceof AppError ? error : new AppError('INTERNAL_ERROR', { cause: error });
    if (known.status >= 500) {
      const level = known.status === 500 ? 'error' : 'warn';
      this.#options.logger[level]({ subject, requestId, err: known }, 'request failed');
    }
    return known.toWire();
  }
}

/** Boots the Nest application of a service and resolves when it answers. */
export const startRpcService = async (options: RpcServiceOptions): Promise<RpcService> => {
  const app = await NestFactory.createMicroservice(options.module, {
    strategy: new NatsStrategy(options),
    logger: false,
    abortOnError: false,
  });
  app.useGlobalFilters(new PassThroughFilter());
  await app.listen();
  return {
    app,
    stop: async () => {
      await app.close();
    },
  };
};
