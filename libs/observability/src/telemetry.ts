// Traces over OTLP. Nothing is loaded and nothing is traced unless there is an endpoint to send to.
import { createRequire } from 'node:module';
import { ProxyTracerProvider, trace } from '@opentelemetry/api';
import type * as AutoInstrumentations from '@opentelemetry/auto-instrumentations-node';
import type * as OtlpExporter from '@opentelemetry/exporter-trace-otlp-proto';
import type * as SdkNode from '@opentelemetry/sdk-node';
import { redactValue } from './redact.js';

export interface TelemetryOptions {
  readonly service: string;
  /** Base address of an OTLP/HTTP collector, such as `http://localhost:4318`. */
  readonly endpoint?: string | undefined;
}

export interface Telemetry {
  /** Sends what is left, then stops tracing. */
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

const startSdk = (service: string, endpoint: string): Telemetry => {
  // Loading the SDK takes a third of a second, so it is loaded only here; its packages are CommonJS.
  const load = createRequire(import.meta.url);
  const { NodeSDK, tracing } = load('@opentelemetry/sdk-node') as typeof SdkNode;
  const { OTLPTraceExporter } = load('@opentelemetry/exporter-trace-otlp-proto') as typeof OtlpExporter;
  const { getNodeAutoInstrumentations } = load(
    '@opentelemetry/auto-instrumentations-node',
  ) as typeof AutoInstrumentations;
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const sdk = new NodeSDK({
    serviceName: service,
    spanProcessors: [redactingProcessor, new tracing.BatchSpanProcessor(exporter)],
    metricReaders: [],
    logRecordProcessors: [],
    autoDetectResources: false,
    instrumentations: getNodeAutoInstrumentations({
      '@opentelemetry/instrumentation-dns': { enabled: false },
      '@opentelemetry/instrumentation-fs': { enabled: false },
      '@opentelemetry/instrumentation-net': { enabled: false },
      '@opentelemetry/instrumentation-pino': { enabled: false },
    }),
  });
  sdk.start();
  return { stop: () => sdk.shutdown() };
};

/**
 * Starts tracing for this process; does nothing without an endpoint, or when it was started before. To trace drivers
 * too, start it before they are loaded: `node --import @parlance/observability/preload`.
 */
export const startTelemetry = ({ service, endpoint }: TelemetryOptions): Telemetry =>
  endpoint === undefined || isTracing() ? { stop: async () => undefined } : startSdk(service, endpoint);

/** Sends finished spans before the process ends, whoever started tracing. */
export const flushTelemetry = async (): Promise<void> => {
  const provider = globalProvider();
  if (typeof provider !== 'object' || provider === null || !('forceFlush' in provider)) return;
  const { forceFlush } = provider;
  if (typeof forceFlush === 'function') await forceFlush.call(provider);
};
