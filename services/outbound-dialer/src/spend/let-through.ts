// The last look before a dial: no call is dialled without money that is put aside for it. From here on only the end of
// the attempt, as its stream tells, gives the money back.
import type { Database, Tx } from '@parlance/postgres';
import {
  type CallPurpose,
  callSpending,
  campaignBudgetOf,
  type PricedCall,
  type SpendSources,
  wantedCall,
} from './call-spending.js';
import { reserve } from './ledger.js';

/**
 * Whether an attempt may still be let through. Recovery gives up an attempt from its deadline on. The mark of the
 * attempt then says whether anything may have been dialled. A dialer that sets the mark after a long sleep would make
 * that false.
 */
export const isInTime = ({ deadlineAt }: { readonly deadlineAt: string }, now: Date): boolean =>
  now.toISOString() < deadlineAt;

/**
 * Lets an attempt through to its dial.
 * @returns the longest that the call may last, in seconds; null when no money is put aside for the attempt
 */
export const letThrough = async (
  tx: Tx,
  organizationId: string,
  outboundCallId: string,
  attempt: number,
): Promise<number | null> => {
  const { rows } = await tx.query<{ seconds: number }>({
    name: 'spend-let-through',
    text: `update spend_reservations set dialled_attempt = $3
           where settled_at is null and subject = (
             select subject from spend_reservations
             where organization_id = $1 and outbound_call_id = $2 and settled_at is null
               and (attempt = $3 or (is_renewed and attempt < $3))
             order by attempt desc limit 1)
           returning seconds`,
    values: [organizationId, outboundCallId, attempt],
  });
  return rows[0]?.seconds ?? null;
};

export interface UnpaidCall extends Omit<PricedCall, 'isRenewed'>, Omit<CallPurpose, 'campaignMicros'> {}

/**
 * Reserves money for a call that a person wants, and lets its attempt through. Such a call has no money put aside when
 * an older release recorded it. Nor has it any when it was recorded so late that its money had been given back. No
 * campaign claims such a call again, so the money is reserved here.
 */
export const reserveAndLetThrough = (
  db: Database,
  sources: SpendSources,
  call: UnpaidCall,
  now: Date,
): Promise<number | null> =>
  db.transaction(async (tx) => {
    const { organizationId, outboundCallId, attempt, campaignId } = call;
    const campaignMicros =
      campaignId === null ? null : await campaignBudgetOf(tx, organizationId, campaignId);
    const { spending, rates } = await callSpending(tx, sources, { ...call, campaignMicros }, now);
    const wanted = wantedCall({ ...call, isRenewed: true }, rates, sources.maxCallSeconds);
    const { granted } = await reserve(tx, spending, wanted, now);
    return granted ? letThrough(tx, organizationId, outboundCallId, attempt) : null;
  });
