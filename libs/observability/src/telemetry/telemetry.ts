// Traces and metrics of a process, as the variables of OpenTelemetry ask for them.
import type { TelemetryEnv } from '@parlance/config';
import { flushMetrics, type Metrics, type MetricsOptions, startMetrics } from './metrics.js';
import { flushTraces, startTraces } from './traces.js';

export interface TelemetryOptions extends MetricsOptions {
  readonly service: string;
  readonly env: TelemetryEnv;
}

/** `stop` sends the remaining measurements and spans. */
export type Telemetry = Metrics;

/**
 * Starts traces and metrics where they are wanted and do not run yet. To trace drivers too, import
 * `@parlance/observability/preload` before they are loaded.
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

/** Sends finished spans and measurements before the process ends, regardless of the code that started telemetry. */
export const flushTelemetry = async (): Promise<void> => {
  await flushTraces();
  await flushMetrics();
};
