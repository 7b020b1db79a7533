// Traces. Nothing is loaded and nothing is traced unless the variables ask for it.
import { createRequire } from 'node:module';
import { type ProxyTracerProvider, trace } from '@opentelemetry/api';
import type * as AwsSdk from '@opentelemetry/instrumentation-aws-sdk';
import type * as Express from '@opentelemetry/instrumentation-express';
import type * as Grpc from '@opentelemetry/instrumentation-grpc';
import type * as Http from '@opentelemetry/instrumentation-http';
import type * as MongoDb from '@opentelemetry/instrumentation-mongodb';
import type * as Pg from '@opentelemetry/instrumentation-pg';
import type * as Router from '@opentelemetry/instrumentation-router';
import type * as Undici from '@opentelemetry/instrumentation-undici';
import type * as SdkNode from '@opentelemetry/sdk-node';
import type * as SdkTrace from '@opentelemetry/sdk-trace';
import type { TelemetryEnv } from '@parlance/config';
import { redactValue } from '../logging/redact.js';
import { exporterOf, otlpTraceExporter } from './exporters.js';
import { resourceOf } from './resource.js';

export interface Traces {
  /** Sends the remaining spans, then stops tracing. */
  stop(): Promise<void>;
}

type SpanProcessor = SdkTrace.SpanProcessor;
type ReadableSpan = SdkTrace.ReadableSpan;

const redactInPlace = (attributes: Record<string, unknown>): void => {
  Object.assign(attributes, redactValue(attributes));
};

/** Runs before the exporter: attributes, events and the status of a span are redacted as log lines are. */
const redactSpan = (span: ReadableSpan): void => {
  redactInPlace(span.attributes);
  for (const event of span.events) redactInPlace(event.attributes ?? {});
  redactInPlace(span.status as unknown as Record<string, unknown>); // an object with only `code` and `message`
};

const redactingProcessor: SpanProcessor = {
  onStart: () => undefined,
  onEnd: redactSpan,
  forceFlush: async () => undefined,
  shutdown: async () => undefined,
};

/**
 * The provider behind the proxy of the API. The SDK is CommonJS and registers the proxy of the API's CommonJS copy, which is
 * no instance of the class that this module would import.
 */
const globalProvider = (): unknown => {
  const provider: object & Partial<Pick<ProxyTracerProvider, 'getDelegate'>> = trace.getTracerProvider();
  return provider.getDelegate?.() ?? provider;
};

const isTracing = (): boolean => {
  const provider = globalProvider();
  return typeof provider === 'object' && provider !== null && 'forceFlush' in provider;
};

// Loading the SDK takes a third of a second, so it is loaded only when spans are wanted; its packages are CommonJS.
const load = createRequire(import.meta.url);

const instrumentations = () => {
  const { AwsInstrumentation } = load('@opentelemetry/instrumentation-aws-sdk') as typeof AwsSdk;
  const { ExpressInstrumentation } = load('@opentelemetry/instrumentation-express') as typeof Express;
  const { GrpcInstrumentation } = load('@opentelemetry/instrumentation-grpc') as typeof Grpc;
  const { HttpInstrumentation } = load('@opentelemetry/instrumentation-http') as typeof Http;
  const { MongoDBInstrumentation } = load('@opentelemetry/instrumentation-mongodb') as typeof MongoDb;
  const { PgInstrumentation } = load('@opentelemetry/instrumentation-pg') as typeof Pg;
  const { RouterInstrumentation } = load('@opentelemetry/instrumentation-router') as typeof Router;
  const { UndiciInstrumentation } = load('@opentelemetry/instrumentation-undici') as typeof Undici;
  return [
    new AwsInstrumentation(),
    new ExpressInstrumentation(),
    new GrpcInstrumentation(),
    new HttpInstrumentation(),
    new MongoDBInstrumentation(),
    new PgInstrumentation(),
    new RouterInstrumentation(),
    new UndiciInstrumentation(),
  ];
};

const startSdk = (service: string, env: TelemetryEnv): Traces => {
  const { NodeSDK } = load('@opentelemetry/sdk-node') as typeof SdkNode;
  const { BatchSpanProcessor, ConsoleSpanExporter, SimpleSpanProcessor } = load(
    '@opentelemetry/sdk-trace',
  ) as typeof SdkTrace;
  const sending =
    exporterOf(env, 'traces') === 'console'
      ? new SimpleSpanProcessor({ exporter: new ConsoleSpanExporter() })
      : new BatchSpanProcessor({ exporter: otlpTraceExporter(env) });
  // Sampler, limits and propagators come from the variables of the process.
  const sdk = new NodeSDK({
    resource: resourceOf(service, env),
    autoDetectResources: false,
    spanProcessors: [redactingProcessor, sending],
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: instrumentations(),
  });
  sdk.start();
  return { stop: () => sdk.shutdown() };
};

/** True when spans are wanted: an endpoint to send them to, or the console. */
export const wantsTraces = (env: TelemetryEnv): boolean => exporterOf(env, 'traces') !== 'none';

/** Does nothing when spans are not wanted, or when tracing was started before. */
export const startTraces = (service: string, env: TelemetryEnv): Traces =>
  !wantsTraces(env) || isTracing() ? { stop: async () => undefined } : startSdk(service, env);

/** Sends finished spans before the process ends, regardless of the code that started tracing. */
export const flushTraces = async (): Promise<void> => {
  const provider = globalProvider();
  if (typeof provider !== 'object' || provider === null || !('forceFlush' in provider)) return;
  const { forceFlush } = provider;
  if (typeof forceFlush === 'function') await forceFlush.call(provider);
};
