// Whether a service without a port of its own is well: services tell it over NATS every two seconds.
import type { ServiceName } from '@parlance/contracts';
import { connectNats, ReadinessCollector } from '@parlance/rpc';

export interface HealthOptions {
  readonly natsUrl: string;
  readonly service: ServiceName;
  /** How long to wait for a report that says ready. */
  readonly timeoutMs?: number;
}

const pollMs = 100;

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** True as soon as a copy of the service says that it is ready; false when none does in time. */
export const isReady = async ({ natsUrl, service, timeoutMs = 5_000 }: HealthOptions): Promise<boolean> => {
  const deadline = Date.now() + timeoutMs;
  const nats = await connectNats({ url: natsUrl, name: `health of ${service}` });
  const collector = new ReadinessCollector(nats);
  try {
    while (Date.now() < deadline) {
      if (collector.reports().get(service)?.ready === true) return true;
      await sleep(pollMs);
    }
    return false;
  } finally {
    collector.stop();
    await nats.close();
  }
};
