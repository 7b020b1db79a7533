// Gauges of undelivered webhooks for operators.
import { observe, webhooksWaiting } from '@parlance/metrics';
import type { RunningPart } from '@parlance/observability';
import type { Database } from '@parlance/postgres';

/** More of one status are not counted. */
const countedAtMost = 10_000;
const statuses = ['pending', 'retrying', 'dead'] as const;

const countOf = async (db: Database, status: string): Promise<number> => {
  const { rows } = await db.atOnce.query<{ count: number }>({
    name: 'gauge-webhooks',
    text: `select count(*)::int as count
           from (select from webhook_deliveries where status = $1 limit ${countedAtMost}) waiting`,
    values: [status],
  });
  return rows[0]?.count ?? 0;
};

/** Reads the table at each collection of the metrics. */
export const startDeliveryGauges = (db: Database): RunningPart => {
  const end = observe(webhooksWaiting, () =>
    Promise.all(
      statuses.map(
        async (status) => [await countOf(db, status), { 'parlance.webhook.status': status }] as const,
      ),
    ),
  );
  return { name: 'gauges of webhooks', stop: async () => end() };
};
