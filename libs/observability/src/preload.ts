// For `node --import @parlance/observability/preload`: tracing has to patch libraries before anything imports them.
import { register } from 'node:module';
import { loadEnv, telemetryEnv } from '@parlance/config';
import { z } from 'zod';
import { startTelemetry } from './telemetry.js';

const env = loadEnv(z.object(telemetryEnv));

if (env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) {
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
  startTelemetry({ service: env.OTEL_SERVICE_NAME ?? 'parlance', endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT });
}
