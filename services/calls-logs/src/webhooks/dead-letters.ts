// Webhooks that were given up: their list for an operator, and sending them again.
import type { Database } from '@parlance/postgres';
import { webhooksTopic } from './deliveries-repository.js';
import type { Attempt } from './delivery.js';
import type { WebhookType } from './webhook-types.js';

export interface DeadWebhook {
  readonly id: string;
  readonly organizationId: string;
  readonly callId: string;
  readonly type: WebhookType;
  /** Scheme, host and port. */
  readonly origin: string;
  readonly attempts: readonly Attempt[];
}

/** Oldest first, at most `limit`; of one organization, or of all. */
export const deadWebhooks = async (
  db: Database,
  {
    organizationId,
    limit = 1_000,
  }: { readonly organizationId?: string | undefined; readonly limit?: number },
): Promise<DeadWebhook[]> => {
  const { rows } = await db.query<DeadWebhook>(
    `select d.id, d.organization_id as "organizationId", d.call_id as "callId", d.type, e.origin, d.attempts
     from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
     where d.status = 'dead' and ($1::text is null or d.organization_id = $1)
     order by d.created_at, d.id limit $2`,
    [organizationId ?? null, limit],
  );
  return rows;
};

export interface Replay {
  /** These, or all that are dead. */
  readonly ids?: readonly string[] | undefined;
  readonly organizationId?: string | undefined;
  readonly now: Date;
}

/**
 * Sends dead webhooks again, from the first pause on and under the same webhook-id; opens their closed endpoints.
 * @returns the number of webhooks that are sent
 */
export const replayWebhooks = (db: Database, { ids, organizationId, now }: Replay): Promise<number> =>
  db.transaction(async (tx) => {
    const { rows } = await tx.query<{ endpoint_id: string }>(
      `update webhook_deliveries set status = 'retrying', tries_before = tries, next_attempt_at = $3
       where status = 'dead' and target is not null
         and ($1::uuid[] is null or id = any($1)) and ($2::text is null or organization_id = $2)
       returning endpoint_id`,
      [ids ?? null, organizationId ?? null, now],
    );
    await tx.query(
      `update webhook_endpoints set next_due_at = $2, failures = 0, failing_since = null, paused_until = null,
         disabled_at = null
       where id = any($1)`,
      [[...new Set(rows.map((row) => row.endpoint_id))], now],
    );
    tx.signal?.(webhooksTopic);
    return rows.length;
  });
