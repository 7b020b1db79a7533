// The exporters that the standard variables of OpenTelemetry name. Each reads headers, compression and time limits from
// the environment by itself. Only those that are asked for are loaded; their packages are CommonJS.
import { createRequire } from 'node:module';
import type * as MetricsGrpc from '@opentelemetry/exporter-metrics-otlp-grpc';
import type * as MetricsHttp from '@opentelemetry/exporter-metrics-otlp-http';
import type * as MetricsProto from '@opentelemetry/exporter-metrics-otlp-proto';
import type * as TraceGrpc from '@opentelemetry/exporter-trace-otlp-grpc';
import type * as TraceHttp from '@opentelemetry/exporter-trace-otlp-http';
import type * as TraceProto from '@opentelemetry/exporter-trace-otlp-proto';
import type { PushMetricExporter } from '@opentelemetry/sdk-metrics';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { loadEnv, signalEnv, type TelemetryEnv } from '@parlance/config';
import { z } from 'zod';

export type Signal = 'traces' | 'metrics';

const load = createRequire(import.meta.url);
const Signals = z.object(signalEnv);

interface Destination {
  readonly protocol: 'http/protobuf' | 'http/json' | 'grpc';
  /** Given where the environment of the process does not say it itself. */
  readonly options: { readonly url?: string };
}

const own = (signal: Signal) => {
  const env = loadEnv(Signals);
  return signal === 'traces'
    ? { endpoint: env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT, protocol: env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL }
    : {
        endpoint: env.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT,
        protocol: env.OTEL_EXPORTER_OTLP_METRICS_PROTOCOL,
      };
};

const chosen = (env: TelemetryEnv, signal: Signal): 'otlp' | 'console' | 'none' | undefined =>
  signal === 'traces' ? env.OTEL_TRACES_EXPORTER : env.OTEL_METRICS_EXPORTER;

/** The exporters that the variables ask for; `otlp` only where there is an endpoint. */
export const exporterOf = (env: TelemetryEnv, signal: Signal): 'otlp' | 'console' | 'none' => {
  if (env.OTEL_SDK_DISABLED === 'true') return 'none';
  const exporter = chosen(env, signal) ?? 'otlp';
  const endpoint = env.OTEL_EXPORTER_OTLP_ENDPOINT ?? own(signal).endpoint;
  return exporter === 'otlp' && endpoint === undefined ? 'none' : exporter;
};

const destinationOf = (env: TelemetryEnv, signal: Signal): Destination => {
  const { endpoint, protocol } = own(signal);
  const general = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const used = protocol ?? env.OTEL_EXPORTER_OTLP_PROTOCOL ?? 'http/protobuf';
  if (endpoint !== undefined || general === undefined) return { protocol: used, options: {} };
  const url = used === 'grpc' ? general : `${general.replace(/\/$/, '')}/v1/${signal}`;
  return { protocol: used, options: { url } };
};

export const otlpTraceExporter = (env: TelemetryEnv): SpanExporter => {
  const { protocol, options } = destinationOf(env, 'traces');
  if (protocol === 'grpc') {
    const { OTLPTraceExporter } = load('@opentelemetry/exporter-trace-otlp-grpc') as typeof TraceGrpc;
    return new OTLPTraceExporter(options);
  }
  if (protocol === 'http/json') {
    const { OTLPTraceExporter } = load('@opentelemetry/exporter-trace-otlp-http') as typeof TraceHttp;
    return new OTLPTraceExporter(options);
  }
  const { OTLPTraceExporter } = load('@opentelemetry/exporter-trace-otlp-proto') as typeof TraceProto;
  return new OTLPTraceExporter(options);
};

export const otlpMetricExporter = (env: TelemetryEnv): PushMetricExporter => {
  const { protocol, options } = destinationOf(env, 'metrics');
  if (protocol === 'grpc') {
    const { OTLPMetricExporter } = load('@opentelemetry/exporter-metrics-otlp-grpc') as typeof MetricsGrpc;
    return new OTLPMetricExporter(options);
  }
  if (protocol === 'http/json') {
    const { OTLPMetricExporter } = load('@opentelemetry/exporter-metrics-otlp-http') as typeof MetricsHttp;
    return new OTLPMetricExporter(options);
  }
  const { OTLPMetricExporter } = load('@opentelemetry/exporter-metrics-otlp-proto') as typeof MetricsProto;
  return new OTLPMetricExporter(options);
};
