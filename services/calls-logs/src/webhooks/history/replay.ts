// Sends one message again: under the same id, with the same words, and signed anew when it leaves.
import type { WebhookDelivery } from '@parlance/contracts';
import type { Keyring } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import type { Clock } from '@parlance/observability';
import type { Database, Tx } from '@parlance/postgres';
import type { Calls } from '../../call/call-repository.js';
import type { ConfiguredWebhook, WebhookConfigurations } from '../configurations.js';
import { webhooksTopic } from '../deliveries-repository.js';
import { endpointOf, sealTarget } from '../delivery.js';
import { tellDelivery } from '../delivery-news.js';
import { findDelivery } from './shown-deliveries.js';

export interface ReplayOptions {
  readonly db: Database;
  readonly calls: Pick<Calls, 'findOwn'>;
  readonly configurations: Pick<WebhookConfigurations, 'current' | 'find'>;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

export interface ReplayWish {
  readonly organizationId: string;
  readonly deliveryId: string;
  /** Names the request; the same request sends once. */
  readonly commandId: string;
  readonly to: 'recorded' | 'current';
}

interface Row {
  readonly call_id: string;
  readonly status: string;
  readonly replayed_by: string | null;
  readonly endpoint_id: string;
  readonly has_target: boolean;
}

/** The new target of a delivery, where it differs from the row's. */
interface NewTarget {
  readonly endpointId: string;
  readonly origin: string;
  readonly sealed: string;
}

const readRow = async (
  tx: Pick<Tx, 'query'>,
  { organizationId, deliveryId }: ReplayWish,
  lock: '' | 'for update',
): Promise<Row> => {
  const { rows } = await tx.query<Row>(
    `select call_id, status, replayed_by, endpoint_id, target is not null as has_target from webhook_deliveries
     where organization_id = $1 and id = $2 and not forgotten ${lock}`,
    [organizationId, deliveryId],
  );
  const [row] = rows;
  if (row === undefined) throw new AppError('WEBHOOK_DELIVERY_NOT_FOUND');
  return row;
};

/** A webhook that was delivered is not kept; the configuration still has it. @throws AppError */
const configuredNow = async (
  { calls, configurations }: ReplayOptions,
  { organizationId, to, commandId }: ReplayWish,
  { call_id: callId }: Row,
): Promise<ConfiguredWebhook> => {
  const call = await calls.findOwn(organizationId, callId);
  if (call === undefined) throw new AppError('CALL_NOT_FOUND');
  const { agentId, configVersion } = call.description;
  const version = configVersion !== null && configVersion > 0 ? configVersion : null;
  const found =
    to === 'current'
      ? await configurations.current({ organizationId, agentId }, commandId)
      : await configurations.find({ organizationId, agentId, version }, commandId);
  if (found === undefined) throw new AppError('WEBHOOK_NOT_CONFIGURED');
  return found;
};

const openEndpoint = async (
  tx: Tx,
  organizationId: string,
  { endpointId, origin }: NewTarget,
  now: Date,
): Promise<void> => {
  await tx.query(
    `insert into webhook_endpoints (id, organization_id, origin, next_due_at) values ($1, $2, $3, $4)
     on conflict (id) do update set next_due_at = $4, failures = 0, failing_since = null, paused_until = null,
       disabled_at = null`,
    [endpointId, organizationId, origin, now],
  );
};

const targetOf = async (
  options: ReplayOptions,
  wish: ReplayWish,
  row: Row,
): Promise<NewTarget | undefined> => {
  if (wish.to === 'recorded' && row.has_target) return undefined;
  const configured = await configuredNow(options, wish, row);
  const { url } = configured.webhook;
  return {
    endpointId: endpointOf(wish.organizationId, url),
    origin: new URL(url).origin,
    sealed: sealTarget(options.keyring, wish.deliveryId, configured),
  };
};

/**
 * Makes the message due at once, and opens its address.
 * @throws AppError WEBHOOK_DELIVERY_NOT_FOUND, WEBHOOK_DELIVERY_PENDING, WEBHOOK_NOT_CONFIGURED, CALL_NOT_FOUND
 */
export const replayDelivery = async (options: ReplayOptions, wish: ReplayWish): Promise<WebhookDelivery> => {
  const { db, clock } = options;
  const { organizationId, deliveryId, commandId } = wish;
  const before = await readRow(db, wish, '');
  const target = before.replayed_by === commandId ? undefined : await targetOf(options, wish, before);
  return db.transaction(async (tx) => {
    const now = clock.now();
    const endpointId = target?.endpointId ?? before.endpoint_id;
    // Endpoint first, delivery second: the sender locks them in this order.
    await tx.query('select 1 from webhook_endpoints where id = $1 for update', [endpointId]);
    const row = await readRow(tx, wish, 'for update');
    if (row.replayed_by !== commandId) {
      if (row.status === 'pending') throw new AppError('WEBHOOK_DELIVERY_PENDING');
      // The message was delivered since the first look, and its target is gone.
      if (target === undefined && !row.has_target) throw new AppError('CONFLICT');
      const { rows } = await tx.query<{ origin: string }>(
        'select origin from webhook_endpoints where id = $1',
        [row.endpoint_id],
      );
      const origin = target?.origin ?? rows[0]?.origin ?? '';
      await openEndpoint(tx, organizationId, { endpointId, origin, sealed: '' }, now);
      await tx.query(
        `update webhook_deliveries set status = 'retrying', tries_before = tries, next_attempt_at = $2,
           replayed_by = $3, endpoint_id = $4, target = coalesce($5, target) where id = $1`,
        [deliveryId, now, commandId, endpointId, target?.sealed ?? null],
      );
      await tellDelivery(tx, { organizationId, deliveryId, callId: row.call_id, status: 'retrying' }, now);
      tx.signal?.(webhooksTopic);
    }
    const shown = await findDelivery(tx, organizationId, deliveryId);
    if (shown === undefined) throw new AppError('WEBHOOK_DELIVERY_NOT_FOUND');
    return shown;
  });
};
