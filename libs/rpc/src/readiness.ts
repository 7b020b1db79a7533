// The gateway knows the state of services without asking them: each copy tells it every two seconds.

import { type ServiceName, serviceNames } from '@parlance/contracts';
import { readinessQuestion, readinessSubject } from '@parlance/messaging';
import {
  type Clock,
  type Readiness,
  type ReadinessReport,
  type RunningPart,
  systemClock,
} from '@parlance/observability';
import { type NatsConnection, nuid } from 'nats';
import { connectionState } from './wire/connect.js';

const everyMs = 2_000;
const staleAfterMs = 6_000;
const allReports = readinessSubject('*');

export interface ReadinessReporterOptions {
  readonly nats: NatsConnection;
  readonly service: ServiceName;
  readonly readiness: Readiness;
}

interface Announcement {
  /** Tells copies of one service apart. */
  readonly instance: string;
  readonly report: ReadinessReport;
}

/** Publishes the service's report until stopped; the last one says that it is draining. */
export const startReadinessReporter = ({
  nats,
  service,
  readiness,
}: ReadinessReporterOptions): RunningPart => {
  const instance = nuid.next();
  const state = connectionState(nats);
  const publish = (): void => {
    const announcement: Announcement = { instance, report: readiness.report() };
    // while disconnected, reports would only pile up in the client
    if (state.up()) nats.publish(readinessSubject(service), JSON.stringify(announcement));
  };
  publish();
  readiness.onChange(publish);
  const asked = nats.subscribe(readinessQuestion, { callback: publish });
  const timer = setInterval(publish, everyMs);
  timer.unref();
  return {
    name: `${service} readiness`,
    stop: async () => {
      clearInterval(timer);
      asked.unsubscribe();
      publish();
    },
  };
};

interface Heard {
  readonly report: ReadinessReport;
  readonly at: number;
}

const isService = (name: string): name is ServiceName => serviceNames.some((known) => known === name);

/** Keeps the last report of every copy of every service. */
export class ReadinessCollector {
  readonly #clock: Clock;
  readonly #heard = new Map<ServiceName, Map<string, Heard>>();
  readonly #unsubscribe: () => void;

  constructor(nats: NatsConnection, clock: Clock = systemClock) {
    this.#clock = clock;
    const subscription = nats.subscribe(allReports, {
      callback: (error, message) => {
        const service = message.subject.slice(allReports.length - 1);
        if (error === null && isService(service)) this.#hear(service, message.json<Announcement>());
      },
    });
    this.#unsubscribe = () => subscription.unsubscribe();
    nats.publish(readinessQuestion);
  }

  /**
   * Report by service that has ever been heard of; undefined for one that has gone silent. Where several copies run,
   * one that can work speaks for the service; the troubles are those of all.
   */
  reports(): ReadonlyMap<ServiceName, ReadinessReport | undefined> {
    return new Map([...this.#heard].map(([service, copies]) => [service, this.#best(copies)]));
  }

  stop(): void {
    this.#unsubscribe();
  }

  #hear(service: ServiceName, { instance, report }: Announcement): void {
    const copies = this.#heard.get(service) ?? new Map<string, Heard>();
    copies.set(instance, { report, at: this.#clock.now().getTime() });
    this.#heard.set(service, copies);
  }

  #best(copies: Map<string, Heard>): ReadinessReport | undefined {
    const stale = this.#clock.now().getTime() - staleAfterMs;
    for (const [instance, { at }] of copies) if (at < stale) copies.delete(instance);
    const reports = [...copies.values()].map(({ report }) => report);
    const best = reports.find(({ ready }) => ready) ?? reports.find(({ draining }) => !draining);
    return best && { ...best, troubles: reports.flatMap(({ troubles }) => troubles ?? []) };
  }
}
