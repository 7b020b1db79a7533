// Traces. Nothing is loaded and nothing is traced unless the variables ask for it.
import { createRequire } from 'node:module';
import { ProxyTracerProvider, trace } from '@opentelemetry/api';
import type * as AutoInstrumentations from '@opentelemetry/auto-instrumentations-node';
import type * as SdkNode from '@opentelemetry/sdk-node';
import type { TelemetryEnv } from '@parlance/config';
import { redactValue } from '../logging/redact.js';
import { exporterOf, otlpTraceExporter } from './exporters.js';
import { resourceOf } from './resource.js';

export interface Traces {
  /** Sends the remaining spans, then stops tracing. */
  stop(): Promise<void>;
}

type SpanProcessor = SdkNode.tracing.SpanProcessor;
type ReadableSpan = SdkNode.tracing.ReadableSpan;

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

const globalProvider = (): unknown => {
  const provider = trace.getTracerProvider();
  return provider instanceof ProxyTracerProvider ? provider.getDelegate() : provider;
};

const isTracing = (): boolean => {
  const provider = globalProvider();
  return typeof provider === 'object' && provider !== null && 'forceFlush' in provider;
};

const startSdk = (service: string, env: TelemetryEnv): Traces => {
  // Loading the SDK takes a third of a second, so it is loaded only here; its packages are CommonJS.
  const load = createRequire(import.meta.url);
  const { NodeSDK, tracing } = load('@opentelemetry/sdk-node') as typeof SdkNode;
  const { getNodeAutoInstrumentations } = load(
    '@opentelemetry/auto-instrumentations-node',
  ) as typeof AutoInstrumentations;
  const sending =
    exporterOf(env, 'traces') === 'console'
      ? new tracing.SimpleSpanProcessor(new tracing.ConsoleSpanExporter())
      : new tracing.BatchSpanProcessor(otlpTraceExporter(env));
  // Sampler, limits and propagators come from the variables of the process.
  const sdk = new NodeSDK({
    resource: resourceOf(service, env),
    autoDetectResources: false,
    spanProcessors: [redactingProcessor, sending],
    metricReaders: [],
    logRecordProcessors: [],
    instrumentations: getNodeAutoInstrumentations({
      '@opentelemetry/instrumentation-dns': { enabled: false },
      '@opentelemetry/instrumentation-fs': { enabled: false },
      '@opentelemetry/instrumentation-net': { enabled: false },
      '@opentelemetry/instrumentation-pino': { enabled: false },
      '@opentelemetry/instrumentation-runtime-node': { enabled: false },
    }),
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
