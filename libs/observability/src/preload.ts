// Tracing has to patch libraries before anything imports them: a traced process imports this module first.
import { register } from 'node:module';
import { startTraces, wantsTraces } from './telemetry/traces.js';
import { telemetryVariables } from './telemetry/variables.js';

const env = telemetryVariables();

if (wantsTraces(env)) {
  register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
  startTraces('parlance', env);
}
