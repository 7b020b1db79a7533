// Messages to webhooks as people see them. A row holds nothing that was said, and of an address its origin alone.
import type { WebhookDelivery, WebhookDeliveryStatus } from '@parlance/contracts';
import type { Database, Tx } from '@parlance/postgres';
import type { Attempt } from '../delivery.js';
import type { WebhookType } from '../webhook-types.js';
import { problemOf } from './problems.js';

type StoredStatus = 'pending' | 'retrying' | 'delivered' | 'dead';

interface Row {
  readonly id: string;
  readonly call_id: string;
  readonly agent_id: string | null;
  readonly type: WebhookType;
  readonly sequence: number;
  readonly origin: string;
  readonly status: StoredStatus;
  readonly occurred_at: Date;
  readonly created_at: Date;
  readonly tries: number;
  readonly attempts: readonly Attempt[];
  readonly due_at: Date | null;
  readonly disabled_at: Date | null;
}

const columns = `d.id, d.call_id, d.agent_id, d.type, d.sequence, e.origin, d.status, d.occurred_at, d.created_at, d.tries,
  d.attempts, greatest(d.next_attempt_at, e.paused_until) as due_at, e.disabled_at`;

const shown = (row: Row): WebhookDelivery => {
  const attempts = row.attempts.map(({ at, statusCode, durationMs, error }) => ({
    ...{ at, statusCode, durationMs },
    problem: problemOf(error, statusCode),
  }));
  const isWaiting = row.status === 'pending' || row.status === 'retrying';
  return {
    id: row.id,
    callId: row.call_id,
    agentId: row.agent_id,
    type: row.type,
    sequence: row.sequence,
    origin: row.origin,
    status: row.status === 'dead' ? 'failed' : row.status,
    occurredAt: row.occurred_at.toISOString(),
    createdAt: row.created_at.toISOString(),
    tries: row.tries,
    attempts,
    lastProblem: attempts.at(-1)?.problem ?? null,
    nextAttemptAt: isWaiting ? (row.due_at?.toISOString() ?? null) : null,
    receiverClosedAt: row.disabled_at?.toISOString() ?? null,
  };
};

export interface DeliveryFilters {
  readonly status?: WebhookDeliveryStatus | undefined;
  readonly agentId?: string | undefined;
  readonly callId?: string | undefined;
}

export interface DeliveryPage {
  /** The last shown delivery; the list goes on after it. */
  readonly after?: { readonly createdAt: string; readonly id: string } | undefined;
  readonly limit: number;
}

/** Newest first. */
export const listDeliveries = async (
  db: Database,
  organizationId: string,
  { status, agentId, callId }: DeliveryFilters,
  { after, limit }: DeliveryPage,
): Promise<WebhookDelivery[]> => {
  const { rows } = await db.query<Row>(
    `select ${columns} from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
     where d.organization_id = $1 and not d.forgotten
       and ($2::text is null or d.status = $2) and ($3::text is null or d.agent_id = $3)
       and ($4::text is null or d.call_id = $4)
       and ($5::timestamptz is null or (d.created_at, d.id) < ($5, $6::uuid))
     order by d.created_at desc, d.id desc limit $7`,
    [
      organizationId,
      status === 'failed' ? 'dead' : (status ?? null),
      ...[agentId ?? null, callId ?? null, after?.createdAt ?? null, after?.id ?? null, limit],
    ],
  );
  return rows.map(shown);
};

/** One message; undefined when there is none, and for one of another organization. */
export const findDelivery = async (
  tx: Pick<Tx, 'query'>,
  organizationId: string,
  id: string,
): Promise<WebhookDelivery | undefined> => {
  const { rows } = await tx.query<Row>(
    `select ${columns} from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
     where d.organization_id = $1 and d.id = $2 and not d.forgotten`,
    [organizationId, id],
  );
  return rows.map(shown)[0];
};
