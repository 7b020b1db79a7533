// How the gateway knows whether services are well without asking them: each says so every two seconds.
import { type ServiceName, serviceNames } from '@parlance/contracts';
import type { Readiness, ReadinessReport, RunningPart } from '@parlance/observability';
import type { NatsConnection } from 'nats';

const everyMs = 2_000;
const staleAfterMs = 6_000;
const subjectPrefix = 'parlance.ready.';
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export interface ReadinessReporterOptions {
  readonly nats: NatsConnection;
  readonly service: ServiceName;
  readonly readiness: Readiness;
}

/** Publishes the service's report until stopped. */
export const startReadinessReporter = ({
  nats,
  service,
  readiness,
}: ReadinessReporterOptions): RunningPart => {
  const publish = (): void => {
    if (nats.isClosed() || nats.isDraining()) return;
    nats.publish(`${subjectPrefix}${service}`, encoder.encode(JSON.stringify(readiness.report())));
  };
  publish();
  const timer = setInterval(publish, everyMs);
  timer.unref();
  return {
    name: `${service} readiness`,
    stop: async () => clearInterval(timer),
  };
};

/** Keeps the last report of every service that has ever reported. */
export class ReadinessCollector {
  readonly #reports = new Map<ServiceName, { readonly report: ReadinessReport; readonly at: number }>();
  readonly #stop: () => void;

  constructor(nats: NatsConnection) {
    const subscription = nats.subscribe(`${subjectPrefix}*`, {
      callback: (error, message) => {
        const service = message.subject.slice(subjectPrefix.length);
        const name = serviceNames.find((known) => known === service);
        if (error !== null || name === undefined) return;
        const report = JSON.parse(decoder.decode(message.data)) as ReadinessReport; // written by the reporter above
        this.#reports.set(name, { report, at: Date.now() });
      },
    });
    this.#stop = () => subscription.unsubscribe();
  }

  /** Reports by service; undefined for one that has gone silent. */
  reports(): ReadonlyMap<ServiceName, ReadinessReport | undefined> {
    const now = Date.now();
    return new Map(
      [...this.#reports].map(([service, { report, at }]) => [
        service,
        now - at > staleAfterMs ? undefined : report,
      ]),
    );
  }

  stop(): void {
    this.#stop();
  }
}
