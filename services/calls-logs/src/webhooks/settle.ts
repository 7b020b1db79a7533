// Records the results of a round of tries at one endpoint, and releases the endpoint: all in one transaction.
import type { Database, Tx } from '@parlance/postgres';
import type { HeldEndpoint } from './deliveries-repository.js';
import type { Attempt, Delivery } from './delivery.js';
import { tellDelivery } from './delivery-news.js';
import { type EndpointState, endpointAfter, isHopeless, nextTryAt } from './retry.js';

export type TryResult =
  | { readonly kind: 'delivered'; readonly attempt: Attempt }
  | {
      readonly kind: 'failed';
      readonly attempt: Attempt;
      readonly retryAfterMs: number | null;
      /** The receiver wants no more. */
      readonly gone: boolean;
    }
  /** There is nothing left to say. */
  | { readonly kind: 'dropped'; readonly attempt: Attempt }
  /** The message was not tried: a part of the platform is away. */
  | { readonly kind: 'postponed' };

export interface Tried {
  readonly delivery: Delivery;
  readonly result: TryResult;
}

export interface Settlement {
  readonly endpoint: HeldEndpoint;
  readonly tried: readonly Tried[];
  readonly now: Date;
  readonly random: () => number;
}

const postponedMs = 5_000;
/** Replays add tries for as long as people ask for them. */
const attemptsKept = 40;

interface Outcome {
  readonly status: 'delivered' | 'retrying' | 'dead';
  readonly nextAttemptAt: Date | null;
}

const outcomeOf = (
  { triesBefore, tries }: Delivery,
  result: Exclude<TryResult, { kind: 'postponed' }>,
  now: Date,
  random: number,
): Outcome => {
  if (result.kind === 'delivered') return { status: 'delivered', nextAttemptAt: null };
  if (result.kind === 'dropped' || result.gone) return { status: 'dead', nextAttemptAt: null };
  const { retryAfterMs } = result;
  const next = nextTryAt({ now, tries: tries + 1 - triesBefore, retryAfterMs, random });
  return next === undefined
    ? { status: 'dead', nextAttemptAt: null }
    : { status: 'retrying', nextAttemptAt: next };
};

/** Writes a try only once: after a lease that ended too soon, two copies may report the same try. */
const writeTry = async (
  tx: Tx,
  { delivery, result }: Tried,
  now: Date,
  random: number,
): Promise<Outcome['status'] | undefined> => {
  if (result.kind === 'postponed') return undefined;
  const { status, nextAttemptAt } = outcomeOf(delivery, result, now, random);
  const { rowCount } = await tx.query({
    name: 'webhook-delivery-tried',
    text: `update webhook_deliveries set status = $3, next_attempt_at = $4, tries = tries + 1,
             attempts = (case when jsonb_array_length(attempts) < ${attemptsKept} then attempts else attempts - 0 end) || $5::jsonb,
             target = case when $3 = 'delivered' then null else target end
           where id = $1 and tries = $2`,
    values: [delivery.id, delivery.tries, status, nextAttemptAt, JSON.stringify([result.attempt])],
  });
  const { id: deliveryId, organizationId, callId } = delivery;
  if (rowCount > 0) await tellDelivery(tx, { organizationId, deliveryId, callId, status }, now);
  return status;
};

/** @returns the number of messages that are given up */
const disable = async (tx: Tx, endpointId: string, now: Date): Promise<number> => {
  const attempt = { at: now.toISOString(), statusCode: null, durationMs: 0, error: 'endpoint_disabled' };
  const { rowCount } = await tx.query(
    `update webhook_deliveries set status = 'dead', next_attempt_at = null, attempts = attempts || $2::jsonb
     where endpoint_id = $1 and status in ('pending', 'retrying')`,
    [endpointId, JSON.stringify([attempt])],
  );
  await tx.query('update webhook_endpoints set disabled_at = $2 where id = $1', [endpointId, now]);
  return rowCount;
};

const standingAfter = ({ endpoint, tried, now, random }: Settlement): EndpointState => {
  const results = tried.map(({ result }) => result);
  const failed = results.filter((result) => result.kind === 'failed');
  const asked = failed.flatMap(({ retryAfterMs }) => (retryAfterMs === null ? [] : [retryAfterMs]));
  return endpointAfter({
    now,
    failuresBefore: endpoint.failures,
    failingSince: endpoint.failingSince,
    succeeded: results.filter(({ kind }) => kind === 'delivered').length,
    failed: failed.length,
    retryAfterMs: asked.length === 0 ? null : Math.max(...asked),
    random: random(),
  });
};

/** The slowest try; null where nothing was sent. */
const roundMs = (tried: readonly Tried[]): number | null => {
  const durations = tried.flatMap(({ result }) =>
    result.kind === 'delivered' || result.kind === 'failed' ? [result.attempt.durationMs] : [],
  );
  return durations.length === 0 ? null : Math.round(Math.max(...durations));
};

const release = async (tx: Tx, settlement: Settlement, standing: EndpointState): Promise<void> => {
  const { endpoint, tried, now } = settlement;
  const { failures, failingSince, pausedUntil } = standing;
  const isPostponed = tried.some(({ result }) => result.kind === 'postponed');
  const pause = isPostponed && pausedUntil === null ? new Date(now.getTime() + postponedMs) : pausedUntil;
  // A statement of its own: it must see deliveries that were added during the wait for the lock on the endpoint.
  await tx.query({
    name: 'webhook-endpoint-release',
    text: `update webhook_endpoints set lease_id = null, lease_until = null, failures = $3, paused_until = $4,
             failing_since = $5, last_round_ms = coalesce($6, last_round_ms),
             next_due_at = (
               select case when min(next_attempt_at) is null then null
                 else greatest(min(next_attempt_at), $4::timestamptz) end
               from webhook_deliveries where endpoint_id = $1 and status in ('pending', 'retrying'))
           where id = $1 and lease_id = $2`,
    values: [endpoint.id, endpoint.leaseId, failures, pause, failingSince, roundMs(tried)],
  });
};

/** @returns the deliveries that were given up */
export const settle = (
  db: Database,
  settlement: Settlement,
): Promise<{ readonly dead: readonly Delivery[] }> =>
  db.transaction(async (tx) => {
    const { endpoint, tried, now, random } = settlement;
    await tx.query('select 1 from webhook_endpoints where id = $1 for update', [endpoint.id]);
    const dead: Delivery[] = [];
    for (const one of tried) if ((await writeTry(tx, one, now, random())) === 'dead') dead.push(one.delivery);
    const standing = standingAfter(settlement);
    const isGone = tried.some(({ result }) => result.kind === 'failed' && result.gone);
    const organizationId = tried[0]?.delivery.organizationId;
    const isOver = isGone || isHopeless(standing, now);
    if (isOver && (await disable(tx, endpoint.id, now)) > 0 && organizationId !== undefined)
      await tellDelivery(tx, { organizationId, deliveryId: null, callId: null, status: 'dead' }, now);
    await release(tx, settlement, standing);
    return { dead };
  });
