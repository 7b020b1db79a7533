// Traces and metrics of a process, as the variables of OpenTelemetry ask for them.
import type { TelemetryEnv } from '@parlance/config';
import { flushMetrics, type Metrics, type MetricsOptions, startMetrics } from './metrics.js';
import { flushTraces, startTraces } from './traces.js';

export interface TelemetryOptions extends MetricsOptions {
  readonly service: string;
  readonly env: TelemetryEnv;
}

/** `stop` sends what is left. */
export type Telemetry = Metrics;

/**
 * Starts what is wanted and was not started before. To trace drivers too, start the process with
 * `node --import @parlance/observability/preload`, which begins tracing before they are loaded.
 */
export const startTelemetry = ({ service, env, ...options }: TelemetryOptions): Telemetry => {
  const traces = startTraces(service, env);
  const measured = startMetrics(service, env, options);
  return {
    collect: measured.collect,
    stop: async () => {
      await measured.stop();
      await traces.stop();
    },
  };
};

/** Sends finished spans and measurements before the process ends, whoever started it. */
export const flushTelemetry = async (): Promise<void> => {
  await flushTraces();
  await flushMetrics();
};
