// The open reservations of calls, as rows of the ledger.
import type { Tx } from '@parlance/postgres';
import type { OpenCall } from './settling.js';

/** The columns of a row `r`. */
const columns = `r.subject, r.organization_id as "organizationId", r.outbound_call_id as "outboundCallId", r.attempt,
  r.is_renewed as "isRenewed", r.micros::float8 as micros, r.rate_micros::float8 as "rateMicros", r.seconds,
  r.dialled_attempt as "dialledAttempt", to_char(r.answered_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "answeredAt"`;

interface LockedOrganization {
  readonly id: string;
  readonly stripe: number;
}

/**
 * Waits for its turn at the ledgers of the organizations that have open reservations for these calls, as `lockLedgers` does.
 * @returns the organizations in the order in which a transaction takes the stripes of the installation's limits
 */
export const lockLedgersOf = async (tx: Tx, outboundCallIds: readonly string[]): Promise<string[]> => {
  const { rows } = await tx.query<LockedOrganization>({
    name: 'spend-lock-of-calls',
    text: `select o.id, installation_stripe(o.id)::int as stripe, pg_advisory_xact_lock(o.key)
           from (select organization_id as id, hashtextextended('spend-of:' || organization_id, 0) as key
                 from spend_reservations where outbound_call_id = any($1) and settled_at is null
                 group by organization_id order by 2) as o`,
    values: [outboundCallIds],
  });
  return rows.sort((a, b) => a.stripe - b.stripe).map(({ id }) => id);
};

/** The caller has to hold the ledgers of these organizations (`lockLedgersOf`). */
export const openCallsOf = async (
  tx: Tx,
  organizationIds: readonly string[],
  outboundCallIds: readonly string[],
): Promise<OpenCall[]> => {
  const { rows } = await tx.query<OpenCall>({
    name: 'spend-open-calls',
    text: `select ${columns} from spend_reservations r
           where r.organization_id = any($1) and r.outbound_call_id = any($2) and r.settled_at is null`,
    values: [organizationIds, outboundCallIds],
  });
  return rows;
};

/** Saves the attempt that each reservation stands for, and the time of its answer. */
export const saveOpenCalls = async (tx: Tx, calls: readonly OpenCall[]): Promise<void> => {
  if (calls.length === 0) return;
  const rows = calls.map(({ subject, attempt, answeredAt }) => ({
    subject,
    attempt,
    answered_at: answeredAt,
  }));
  await tx.query({
    name: 'spend-save-open-calls',
    text: `update spend_reservations r set attempt = c.attempt, answered_at = c.answered_at
           from jsonb_to_recordset($1) as c (subject text, attempt int, answered_at timestamptz)
           where r.subject = c.subject and r.settled_at is null`,
    values: [JSON.stringify(rows)],
  });
};

export interface LeftCall extends OpenCall {
  readonly reservedAt: Date;
}

/**
 * Reservations with which something may be wrong, of two kinds. Nothing was dialled for the first kind: it is a minute
 * old, and no dialer has its call in hand. The second kind was let through, and its attempt has been over for ten
 * minutes in the read model.
 */
export const leftCalls = async (tx: Tx, now: Date, limit: number): Promise<LeftCall[]> => {
  const { rows } = await tx.query<LeftCall>(
    `select ${columns}, r.reserved_at as "reservedAt" from spend_reservations r
     left join outbound_calls c on c.id = r.outbound_call_id
     where r.settled_at is null and r.kind = 'call' and case
       when coalesce(r.dialled_attempt < r.attempt, true) then
         r.reserved_at <= $1::timestamptz - interval '1 minute'
         and (c.id is null or c.phase = 'ended' or (c.phase = 'queued' and not r.is_renewed))
         and not exists (select from dial_claims d
           where d.outbound_call_id = r.outbound_call_id and d.claimed_until > $1::timestamptz)
       else c.updated_at <= $1::timestamptz - interval '10 minutes'
         and (c.phase = 'ended' or (c.phase = 'queued' and not r.is_renewed)) end
     order by r.reserved_at limit $2`,
    [now.toISOString(), limit],
  );
  return rows;
};

/** Deletes reservations that were settled more than seven days ago; the totals stay. */
export const forgetSettled = async (tx: Tx, now: Date, limit: number): Promise<number> => {
  const { rowCount } = await tx.query(
    `delete from spend_reservations where subject = any(array(
       select subject from spend_reservations where settled_at < $1::timestamptz - interval '7 days' limit $2))`,
    [now.toISOString(), limit],
  );
  return rowCount;
};
