// The variables of OpenTelemetry. Its SDK reads all of them from the environment. The most usual ones are described
// here, and the platform acts on them too.
import { z } from 'zod';
import type { VariableMeta } from './variable-meta.js';

const protocol = z.enum(['http/protobuf', 'http/json', 'grpc']);
const address = z.url({ protocol: /^https?$/, message: 'a URL with scheme http or https' });
const holdsSecret: VariableMeta = { secret: true };

/** The destination of traces and metrics; without an endpoint none are sent. */
export const telemetryEnv = {
  OTEL_SERVICE_NAME: z
    .string()
    .max(64)
    .optional()
    .describe('Name under which this process traces and measures.'),
  OTEL_SDK_DISABLED: z
    .enum(['true', 'false'])
    .optional()
    .describe('true: nothing is traced and nothing is measured.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: address
    .optional()
    .describe(
      'OTLP collector for traces and metrics, such as http://localhost:4318. Nothing is sent without it.',
    ),
  OTEL_EXPORTER_OTLP_PROTOCOL: protocol
    .optional()
    .describe('http/protobuf, http/json or grpc; http/protobuf unless given.'),
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .optional()
    .meta({ ...holdsSecret })
    .describe('Headers for the collector, such as api-key=value; several separated by commas.'),
  OTEL_TRACES_EXPORTER: z
    .enum(['otlp', 'console', 'none'])
    .optional()
    .describe('otlp, console or none; otlp unless given.'),
  OTEL_METRICS_EXPORTER: z
    .enum(['otlp', 'console', 'none'])
    .optional()
    .describe('otlp, console or none; otlp unless given. The ops listener serves metrics all the same.'),
  OTEL_METRIC_EXPORT_INTERVAL: z
    .string()
    .regex(/^\d{3,7}$/, 'milliseconds')
    .optional()
    .describe('Milliseconds between two exports of metrics; 60000 unless given.'),
  OTEL_TRACES_SAMPLER: z
    .string()
    .optional()
    .describe('Which traces are kept, such as parentbased_traceidratio; all of them unless given.'),
  OTEL_TRACES_SAMPLER_ARG: z.string().optional().describe('The share of traces that is kept, such as 0.1.'),
  OTEL_RESOURCE_ATTRIBUTES: z
    .string()
    .optional()
    .describe('Further attributes of traces and metrics, such as deployment.environment=staging.'),
};

export type TelemetryEnv = {
  readonly [Name in keyof typeof telemetryEnv]?: z.output<(typeof telemetryEnv)[Name]>;
} & { readonly SERVICE_VERSION?: string | undefined };

/** Standard variables for one signal; they win over the general ones. */
export const signalEnv = {
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: address.optional(),
  OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: address.optional(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocol.optional(),
  OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: protocol.optional(),
};
