// Boots the Nest application of a service on the transport of this library.
import type { DynamicModule, INestMicroservice, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { ServiceName } from '@parlance/contracts';
import type { Logger } from '@parlance/observability';
import type { NatsConnection } from 'nats';
import type { RequestVerifier } from './callers/request-verifier.js';
import { AppErrorFilter } from './error-filter.js';
import { NatsStrategy } from './nats-strategy.js';

export interface RpcServiceOptions {
  readonly service: ServiceName;
  /** Stays open after `stop`: the code that opened it closes it. */
  readonly nats: NatsConnection;
  readonly verifier: RequestVerifier;
  readonly logger: Logger;
  readonly module: Type | DynamicModule;
  /** Requests worked on at the same time; more are refused with SERVICE_UNAVAILABLE. 1,000 unless said. */
  readonly maxInFlight?: number;
  /** Awaited before the first request is taken. The service's plain reads are run then too, for no caller. */
  readonly prepare?: () => Promise<void>;
}

export interface RpcService {
  readonly app: INestMicroservice;
  /** Stops taking requests, finishes those in flight, closes the application. Safe to call twice. */
  stop(): Promise<void>;
}

/** Resolves when the service answers. */
export const startRpcService = async (options: RpcServiceOptions): Promise<RpcService> => {
  const { service, nats, verifier, logger } = options;
  const strategy = new NatsStrategy({
    service,
    nats,
    verifier,
    logger,
    maxInFlight: options.maxInFlight ?? 1_000,
    prepare: options.prepare,
  });
  const app = await NestFactory.createMicroservice(options.module, {
    strategy,
    // Nest throws its errors at boot; its own logger knows neither the platform's fields nor its redaction.
    logger: false,
    abortOnError: false,
  });
  app.useGlobalFilters(new AppErrorFilter(logger));
  await app.listen();
  const close = async (): Promise<void> => {
    await strategy.close();
    await app.close();
  };
  let closing: Promise<void> | undefined;
  return {
    app,
    stop: () => {
      closing ??= close();
      return closing;
    },
  };
};
