// For `node --import @parlance/observability/preload`: tracing has to patch libraries before anything imports them.
import { register } from 'node:module';
import { loadEnv, StartRefusal, telemetryEnv } from '@parlance/config';
import { z } from 'zod';
import { createLogger } from './logger.js';
import { startTraces, wantsTraces } from './telemetry/traces.js';

const readVariables = () => {
  try {
    return loadEnv(z.object(telemetryEnv));
  } catch (error) {
    if (!(error instanceof StartRefusal)) throw error;
    createLogger({ service: 'main' }).fatal({ reason: error.message }, 'could not start');
    return process.exit(1);
  }
};
const env = readVariables();

if (wantsTraces(env)) {
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
  startTraces('parlance', env);
}
