// Metrics: one meter provider for the process, with a reader for the ops listener and one that sends to a collector.
// Nothing is loaded unless one of the two is wanted; every recording is then a call that returns at once.
import { createRequire } from 'node:module';
import { metrics } from '@opentelemetry/api';
import type * as RuntimeNode from '@opentelemetry/instrumentation-runtime-node';
import type * as SdkMetrics from '@opentelemetry/sdk-metrics';
import type { TelemetryEnv } from '@parlance/config';
import { exporterOf, otlpMetricExporter } from './exporters.js';
import { resourceOf } from './resource.js';
import { readLimitMs, scrapedReader } from './scraped-reader.js';

export interface MetricsOptions {
  /** True when a reader collects by itself, as the ops listener does. */
  readonly isScraped: boolean;
  /** Most sets of labels by name of an instrument; the sets beyond are counted as one. */
  readonly setLimits: ReadonlyMap<string, number>;
}

export interface Metrics {
  /** Everything that was measured so far; undefined where nothing is scraped. */
  readonly collect: (() => Promise<SdkMetrics.ResourceMetrics>) | undefined;
  /** Sends the remaining measurements; the last holder to stop ends the measuring. */
  stop(): Promise<void>;
}

const defaultIntervalMs = 60_000;
/** A collector that does not answer does not hold up the end of the process. */
const stopLimitMs = 5_000;

interface Running {
  readonly provider: SdkMetrics.MeterProvider;
  readonly scraped: SdkMetrics.MetricReader;
  readonly runtime: RuntimeNode.RuntimeNodeInstrumentation;
  users: number;
}

/** The measuring of this process: several services may run in one. */
let running: Running | undefined;

const load = createRequire(import.meta.url);

/**
 * Gauges are read anew for each collection. As "delta", a gauge without a new value is absent, and as "cumulative" it would
 * repeat its last one for ever.
 */
const forgettingGauges =
  (
    { InstrumentType, AggregationTemporality }: typeof SdkMetrics,
    others: SdkMetrics.AggregationTemporalitySelector,
  ): SdkMetrics.AggregationTemporalitySelector =>
  (type) =>
    type === InstrumentType.OBSERVABLE_GAUGE ? AggregationTemporality.DELTA : others(type);

const sendingReaders = (sdk: typeof SdkMetrics, env: TelemetryEnv): SdkMetrics.MetricReader[] => {
  const { PeriodicExportingMetricReader, ConsoleMetricExporter, AggregationTemporality } = sdk;
  const kind = exporterOf(env, 'metrics');
  if (kind === 'none') return [];
  const exportIntervalMillis = Number(env.OTEL_METRIC_EXPORT_INTERVAL ?? defaultIntervalMs);
  const exporter = kind === 'console' ? new ConsoleMetricExporter() : otlpMetricExporter(env);
  const usual = exporter.selectAggregationTemporality?.bind(exporter);
  exporter.selectAggregationTemporality = forgettingGauges(
    sdk,
    usual ?? (() => AggregationTemporality.CUMULATIVE),
  );
  return [
    new PeriodicExportingMetricReader({
      exporter,
      exportIntervalMillis,
      exportTimeoutMillis: Math.min(exportIntervalMillis, 30_000),
    }),
  ];
};

/**
 * The delay of the event loop is looked for this often, and no measured delay is shorter. The library's own 10 ms keep an idle
 * process busy with looking: 0.8 % of a processor, where 50 ms take 0.2 %.
 */
const eventLoopLookMs = 50;

const startSdk = (service: string, env: TelemetryEnv, { setLimits }: MetricsOptions): Running => {
  const sdk = load('@opentelemetry/sdk-metrics') as typeof SdkMetrics;
  const { RuntimeNodeInstrumentation } = load(
    '@opentelemetry/instrumentation-runtime-node',
  ) as typeof RuntimeNode;
  const { CUMULATIVE } = sdk.AggregationTemporality;
  const scraped = scrapedReader(
    sdk,
    forgettingGauges(sdk, () => CUMULATIVE),
  );
  const provider = new sdk.MeterProvider({
    resource: resourceOf(service, env),
    readers: [scraped, ...sendingReaders(sdk, env)],
    views: [...setLimits].map(([instrumentName, aggregationCardinalityLimit]) => ({
      instrumentName,
      aggregationCardinalityLimit,
    })),
  });
  metrics.setGlobalMeterProvider(provider);
  const runtime = new RuntimeNodeInstrumentation({ monitoringPrecision: eventLoopLookMs });
  runtime.setMeterProvider(provider);
  return { provider, scraped, runtime, users: 0 };
};

const stopOne = async (): Promise<void> => {
  if (running === undefined) return;
  running.users -= 1;
  if (running.users > 0) return;
  const { provider, runtime } = running;
  running = undefined;
  metrics.disable();
  runtime.disable();
  await provider.shutdown({ timeoutMillis: stopLimitMs });
};

/** Starts measuring for this process, or joins the measuring that runs already. */
export const startMetrics = (service: string, env: TelemetryEnv, options: MetricsOptions): Metrics => {
  const isWanted = options.isScraped || exporterOf(env, 'metrics') !== 'none';
  if (env.OTEL_SDK_DISABLED === 'true' || !isWanted)
    return { collect: undefined, stop: async () => undefined };
  running ??= startSdk(service, env, options);
  running.users += 1;
  const { scraped } = running;
  let isStopped = false;
  return {
    collect: options.isScraped
      ? async () => (await scraped.collect({ timeoutMillis: readLimitMs })).resourceMetrics
      : undefined,
    stop: async () => {
      if (isStopped) return;
      isStopped = true;
      await stopOne();
    },
  };
};

/** Sends the measurements before the process ends. */
export const flushMetrics = async (): Promise<void> => {
  await running?.provider.forceFlush();
};
