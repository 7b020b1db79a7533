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
import { reserving } from './operator-spend.js';

/**
 * Whether an attempt may still be let through. Recovery gives up an attempt from its deadline on. The mark of the
 * attempt then says whether anything may have been dialled. A dialer that sets the mark after a long sleep would make
 * that false.
 */
export const isInTime = ({ deadlineAt }: { readonly deadlineAt: string }, now: Date): boolean =>
  now.toISOString() < deadlineAt;

/** An attempt that is about to be dialled. */
export interface AttemptToDial {
  readonly organizationId: string;
  readonly outboundCallId: string;
  readonly attempt: number;
  /** Of the number to be dialled. */
  readonly numberHash: string;
}

export type LetThrough =
  /** The longest that the call may last. */
  | { readonly kind: 'through'; readonly seconds: number }
  /** No money is put aside for the attempt. */
  | { readonly kind: 'unpaid' }
  /** The organization has another call to the number. */
  | { readonly kind: 'busy' };

interface Found {
  readonly seconds: number | null;
  readonly isBusy: boolean;
}

/**
 * Lets an attempt through to its dial, and takes the number for it until the attempt is settled. Two attempts at once meet in
 * the unique index of the numbers in a call.
 */
export const letThrough = async (
  tx: Tx,
  { organizationId, outboundCallId, attempt, numberHash }: AttemptToDial,
): Promise<LetThrough> => {
  const { rows } = await tx.query<Found>({
    name: 'spend-let-through',
    text: `with busy as (
             select from spend_reservations
             where organization_id = $1 and number_hash = $4 and settled_at is null and dialled_attempt >= attempt
               and outbound_call_id <> $2),
           through as (
             update spend_reservations set dialled_attempt = $3, number_hash = $4
             where not exists (select from busy) and settled_at is null and subject = (
               select subject from spend_reservations
               where organization_id = $1 and outbound_call_id = $2 and settled_at is null
                 and (attempt = $3 or (is_renewed and attempt < $3))
               order by attempt desc limit 1)
             returning seconds)
           select (select seconds from through) as seconds, exists (select from busy) as "isBusy"`,
    values: [organizationId, outboundCallId, attempt, numberHash],
  });
  const { seconds = null, isBusy = false } = rows[0] ?? {};
  if (isBusy) return { kind: 'busy' };
  return seconds === null ? { kind: 'unpaid' } : { kind: 'through', seconds };
};

/** Those of the hashes to whose numbers the organization has a call. */
export const numbersInCall = async (
  tx: Tx,
  organizationId: string,
  hashes: readonly string[],
): Promise<ReadonlySet<string>> => {
  const { rows } = await tx.query<{ hash: string }>({
    name: 'numbers-in-call',
    text: `select number_hash as hash from spend_reservations
           where organization_id = $1 and number_hash = any($2) and settled_at is null and dialled_attempt >= attempt`,
    values: [organizationId, hashes],
  });
  return new Set(rows.map(({ hash }) => hash));
};

export interface UnpaidCall extends Omit<PricedCall, 'isRenewed'>, Omit<CallPurpose, 'campaignMicros'> {
  readonly numberHash: string;
}

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
): Promise<LetThrough> =>
  reserving(db, async (tx, shares) => {
    const { organizationId, campaignId } = call;
    const campaignMicros =
      campaignId === null ? null : await campaignBudgetOf(tx, organizationId, campaignId);
    const { spending, rates } = await callSpending(tx, sources, { ...call, campaignMicros }, now);
    const wanted = wantedCall({ ...call, isRenewed: true }, rates, sources.maxCallSeconds);
    const { granted } = await reserve(tx, spending, wanted, now, shares);
    return granted ? letThrough(tx, call) : { kind: 'unpaid' };
  });
