// Opens the ops listener of a process before anything else starts, so that probes are answered from the first moment.
import type { OpsEnv, TelemetryEnv } from '@parlance/config';
import { type HttpServer, listen } from '@parlance/http';
import { keepExemplars, renderMetrics, setLimits } from '@parlance/metrics';
import { type Logger, type ReadinessReport, startTelemetry, type Telemetry } from '@parlance/observability';
import { type Answers, answering } from './answers.js';
import { doctorOf } from './doctor-answer.js';
import { observeProcess } from './own-gauges.js';

export interface OpsOptions {
  /** Name of the process, such as `calls-logs`. */
  readonly service: string;
  /** All that the process has parsed: the doctor looks with it. */
  readonly env: OpsEnv & TelemetryEnv;
  readonly logger: Logger;
}

export interface Ops {
  /** Scheme, host and port of the listener; undefined where `OPS_PORT` is absent. */
  readonly url: string | undefined;
  /** The process serves now; `report` says whether it can do its core work. */
  started(report: () => ReadinessReport): void;
  /** Sends the measurements and closes the listener: the last act of a process. */
  stop(): Promise<void>;
}

const reasonsOf = ({ ready, draining, checks }: ReadinessReport): readonly string[] => {
  if (ready) return [];
  const down = Object.entries(checks)
    .filter(([, { required, status }]) => required && status === 'down')
    .map(([name, { message }]) => `${name}: ${message ?? 'does not work'}`);
  return draining ? ['draining', ...down] : down;
};

/** Scrapes at the same moment share one collection. */
const textOf = (collect: Telemetry['collect']): Answers['metrics'] => {
  if (collect === undefined) return undefined;
  let running: ReturnType<typeof collect> | undefined;
  return async (format) => {
    running ??= collect().finally(() => {
      running = undefined;
    });
    return renderMetrics(await running, format);
  };
};

/**
 * Starts telemetry, and the listener where `OPS_PORT` says so.
 * @throws Error when the port is taken
 */
export const openOps = async ({ service, env, logger }: OpsOptions): Promise<Ops> => {
  const isScraped = env.OPS_PORT !== undefined;
  const telemetry = startTelemetry({ service, env, isScraped, setLimits });
  let report: (() => ReadinessReport) | undefined;
  let server: HttpServer | undefined;
  const endGauges = observeProcess(service, () => report?.());
  if (env.OPS_PORT !== undefined) {
    keepExemplars(true);
    server = await listen(env.OPS_HOST ?? '127.0.0.1', env.OPS_PORT);
    server.serve(
      answering({
        startupReasons: () => (report === undefined ? ['starting'] : []),
        readyReasons: () => (report === undefined ? [] : reasonsOf(report())),
        metrics: textOf(telemetry.collect),
        doctor: doctorOf(service, env),
      }),
    );
    logger.info({ url: server.url }, 'ops listener is open');
  }
  return {
    url: server?.url,
    started: (given) => {
      report = given;
    },
    stop: async () => {
      endGauges();
      await server?.close();
      await telemetry.stop();
    },
  };
};
