// For `node --import @parlance/observability/preload`: tracing has to patch libraries before anything imports them.
import { register } from 'node:module';
import { loadEnv, telemetryEnv } from '@parlance/config';
import { z } from 'zod';
import { startTraces, wantsTraces } from './telemetry/traces.js';

const env = loadEnv(z.object(telemetryEnv));

if (wantsTraces(env)) {
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
  startTraces('parlance', env);
}
