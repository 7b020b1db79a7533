// Deliveries and their endpoints in Postgres: adding a delivery, and taking the due ones.
import { fairlyPicked } from '@parlance/jobs';
import { type Database, isRemoved, type Tx } from '@parlance/postgres';
import type { Delivery } from './delivery.js';
import { tellDelivery } from './delivery-news.js';
import type { WebhookType } from './webhook-types.js';

export interface NewDelivery extends Omit<Delivery, 'sequence' | 'tries' | 'triesBefore'> {
  readonly agentId: string;
  readonly endpointId: string;
  readonly origin: string;
  /** The time at which the configuration with this address was saved. */
  readonly configuredAt: string;
}

/** Woken when there is something to send. */
export const webhooksTopic = 'webhooks';

const addEndpoint = async (tx: Tx, delivery: NewDelivery, now: Date): Promise<{ isDisabled: boolean }> => {
  const { endpointId, organizationId, origin, configuredAt } = delivery;
  const { rows } = await tx.query<{ disabled: boolean }>({
    name: 'webhook-endpoint-add',
    text: `insert into webhook_endpoints as e (id, organization_id, origin, next_due_at) values ($1, $2, $3, $4)
           on conflict (id) do update set
             disabled_at = case when e.disabled_at < $5 then null else e.disabled_at end,
             failing_since = case when e.disabled_at < $5 then null else e.failing_since end,
             next_due_at = case
               when e.disabled_at >= $5 then e.next_due_at
               else least(coalesce(e.next_due_at, 'infinity'), greatest($4::timestamptz, e.paused_until))
             end
           returning disabled_at is not null as disabled`,
    values: [endpointId, organizationId, origin, now, configuredAt],
  });
  return { isDisabled: rows[0]?.disabled === true };
};

const disabledBefore = [{ at: null, statusCode: null, durationMs: 0, error: 'endpoint_disabled' }];

/**
 * Writes a delivery down, due at once; a delivery that is there already stays as it is. For an organization that was
 * removed none is written.
 */
export const addDelivery = async (tx: Tx, delivery: NewDelivery, now: Date): Promise<void> => {
  if (await isRemoved(tx, delivery.organizationId)) return;
  const { isDisabled } = await addEndpoint(tx, delivery, now);
  const { id, organizationId, agentId, callId, type, revision, occurredAt, endpointId, target } = delivery;
  const attempts = isDisabled ? disabledBefore.map((attempt) => ({ ...attempt, at: now.toISOString() })) : [];
  const status = isDisabled ? 'dead' : 'pending';
  const { rowCount } = await tx.query({
    name: 'webhook-delivery-add',
    text: `insert into webhook_deliveries (id, organization_id, call_id, type, sequence, revision, occurred_at,
             endpoint_id, target, status, attempts, next_attempt_at, created_at, agent_id)
           select $1, $2, $3, $4, coalesce(max(sequence), 0) + 1, $5, $6, $7, $8, $9, $10, $11, $12, $13
           from webhook_deliveries where call_id = $3
           on conflict do nothing`,
    values: [
      ...[id, organizationId, callId, type, revision.toString(), occurredAt, endpointId, target],
      ...[status, JSON.stringify(attempts), isDisabled ? null : now, now, agentId],
    ],
  });
  if (rowCount > 0) await tellDelivery(tx, { organizationId, deliveryId: id, callId, status }, now);
  tx.signal?.(webhooksTopic);
};

/** An endpoint that is held by one sender until its lease ends. */
export interface HeldEndpoint {
  readonly id: string;
  readonly organizationId: string;
  readonly leaseId: string;
  /** Tries in a row that failed. */
  readonly failures: number;
  /** Nothing has come through since then. */
  readonly failingSince: Date | null;
}

export interface Claim {
  readonly now: Date;
  readonly leaseId: string;
  readonly leaseUntil: Date;
  readonly lane: LaneName;
  readonly limit: number;
  /** Endpoints that one organization may have in the lane, and the organization of each that is in it. */
  readonly share: number;
  readonly holders: readonly string[];
}

/** A receiver that takes longer holds up others like it alone. */
export const slowRoundMs = 5_000;

/** The condition of each lane, over the endpoint q. */
const lanes = {
  prompt: `q.failures = 0 and coalesce(q.last_round_ms, 0) <= ${slowRoundMs}`,
  slow: `q.failures = 0 and q.last_round_ms > ${slowRoundMs}`,
  failing: 'q.failures > 0',
} as const;
export type LaneName = keyof typeof lanes;

const claimOf = (lane: LaneName): string => {
  const picked = fairlyPicked(
    {
      turns: { pool: `webhooks ${lane}` },
      table: 'webhook_endpoints',
      id: 'id',
      isDue: `q.next_due_at <= $3 and (q.lease_until is null or q.lease_until <= $3) and ${lanes[lane]}`,
      order: 'q.next_due_at',
    },
    { limit: '$4::int', share: '$5::int', holders: '$6::text[]' },
  );
  return `${picked}
    update webhook_endpoints e set lease_id = $1, lease_until = $2 from picked where e.id = picked.id
    returning e.id, e.organization_id as "organizationId", e.failures, e.failing_since as "failingSince"`;
};
const claims = { prompt: claimOf('prompt'), slow: claimOf('slow'), failing: claimOf('failing') };

/** Takes endpoints that have a due delivery and no holder: of each organization its longest waiting ones. */
export const claimEndpoints = async (db: Database, claim: Claim): Promise<HeldEndpoint[]> => {
  const { now, leaseId, leaseUntil, lane, limit, share, holders } = claim;
  const { rows } = await db.query<Omit<HeldEndpoint, 'leaseId'>>({
    name: `webhook-endpoints-claim-${lane}`,
    text: claims[lane],
    values: [leaseId, leaseUntil, now, limit, share, holders],
  });
  return rows.map((row) => ({ ...row, leaseId }));
};

interface DeliveryRow {
  readonly id: string;
  readonly organization_id: string;
  readonly call_id: string;
  readonly type: WebhookType;
  readonly sequence: number;
  readonly revision: string;
  readonly occurred_at: Date;
  readonly tries: number;
  readonly tries_before: number;
  readonly target: string;
}

/** The due deliveries of an endpoint, in the order in which they fell due. */
export const dueDeliveries = async (
  db: Database,
  endpointId: string,
  now: Date,
  limit: number,
): Promise<Delivery[]> => {
  const { rows } = await db.query<DeliveryRow>({
    name: 'webhook-deliveries-due',
    text: `select id, organization_id, call_id, type, sequence, revision::text, occurred_at, tries, tries_before, target
           from webhook_deliveries
           where endpoint_id = $1 and status in ('pending', 'retrying') and next_attempt_at <= $2
           order by next_attempt_at, id limit $3`,
    values: [endpointId, now, limit],
  });
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    callId: row.call_id,
    type: row.type,
    sequence: row.sequence,
    revision: BigInt(row.revision),
    occurredAt: row.occurred_at,
    tries: row.tries,
    triesBefore: row.tries_before,
    target: row.target,
  }));
};
