// Boots the Nest application of a service on our transport.
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
  /** Stays open after `stop`: whoever opened it closes it. */
  readonly nats: NatsConnection;
  readonly verifier: RequestVerifier;
  readonly logger: Logger;
  readonly module: Type | DynamicModule;
  /** Requests worked on at the same time; more are refused with SERVICE_UNAVAILABLE. 1,000 unless said. */
  readonly maxInFlight?: number;
  /** Given, it is awaited, and the service's plain reads are run for nobody, before the first request is taken. */
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
    // What Nest has to say at boot it throws; its own logger knows neither our fields nor our redaction.
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
