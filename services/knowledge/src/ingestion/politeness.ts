// Limits the rate of requests to a host, for all copies of the service and all organizations together.
import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@parlance/postgres';
import { HostBusy } from './job-failures.js';

/** The longest wait for a turn. When the queue of a host is longer, the worker puts the job back and takes another. */
const longestWaitMs = 10_000;

export interface Politeness {
  readonly db: Database;
  readonly requestsPerSecond: number;
}

/** Resolves when the request may be sent. @throws HostBusy */
export const waitForTurn = async (
  { db, requestsPerSecond }: Politeness,
  url: string,
  crawlDelaySeconds = 0,
): Promise<void> => {
  const everyMs = Math.max(1_000 / requestsPerSecond, Math.min(crawlDelaySeconds * 1_000, longestWaitMs));
  const { rows } = await db.query<{ wait: number }>({
    name: 'turn-at-host',
    text: `insert into knowledge_hosts as host (host, next_at)
           values ($1, clock_timestamp() + $2 * interval '1 millisecond')
           on conflict (host) do update
             set next_at = greatest(host.next_at, clock_timestamp()) + $2 * interval '1 millisecond'
             where host.next_at < clock_timestamp() + ${longestWaitMs} * interval '1 millisecond'
           returning (extract(epoch from next_at - clock_timestamp()) * 1000 - $2)::float8 as wait`,
    values: [new URL(url).host, everyMs],
  });
  const wait = rows[0]?.wait;
  if (wait === undefined) throw new HostBusy();
  if (wait > 1) await delay(wait);
};
