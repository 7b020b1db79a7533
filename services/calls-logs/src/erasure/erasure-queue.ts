// Deleted calls that are still to be erased. A row is leased for a while, and deleted when nothing can come back any more.
import type { Tx } from '@parlance/postgres';

export interface CallToErase {
  readonly callId: string;
  readonly organizationId: string;
  readonly requestedAt: Date;
  /** False for a call that its retention deleted: after the restore of a backup it does so again. */
  readonly isLogged: boolean;
}

export interface ErasureJob extends CallToErase {
  /** Everything was erased once, and is looked for once more. */
  readonly isErased: boolean;
}

export const addErasure = async (
  tx: Tx,
  { callId, organizationId, requestedAt, isLogged }: CallToErase,
  now: Date,
): Promise<void> => {
  await tx.query({
    name: 'erasure-add',
    text: `insert into call_erasures (call_id, organization_id, requested_at, is_logged, due_at)
           values ($1, $2, $3, $4, $5)
           on conflict (call_id) do nothing`,
    values: [callId, organizationId, requestedAt, isLogged, now],
  });
};

const leaseMs = 60_000;
const longestPauseMs = 60 * 60_000;

/** Leases what is due, the longest overdue first. The lease is also the pause before the next try, and doubles with each. */
export const leaseErasures = async (tx: Tx, now: Date, limit: number): Promise<readonly ErasureJob[]> => {
  const { rows } = await tx.query<ErasureJob>({
    name: 'erasure-lease',
    text: `update call_erasures set tries = tries + 1,
             due_at = $1::timestamptz + least($3 * power(2, least(tries, 10)), $4) * interval '1 millisecond'
           where call_id in (
             select call_id from call_erasures where due_at <= $1 order by due_at limit $2 for update skip locked)
           returning call_id as "callId", organization_id as "organizationId", requested_at as "requestedAt",
             is_logged as "isLogged", erased_at is not null as "isErased"`,
    values: [now, limit, leaseMs, longestPauseMs],
  });
  return rows;
};

/** Longer than an address for an upload, a request, or a write of an older replica can take. */
const lookAgainMs = 2 * 60 * 60_000;

/** Those that were erased for the first time are due once more; the others are done. */
export const settleErasures = async (tx: Tx, jobs: readonly ErasureJob[], now: Date): Promise<void> => {
  const idsOf = (isErased: boolean): string[] =>
    jobs.filter((job) => job.isErased === isErased).map(({ callId }) => callId);
  await tx.query({
    name: 'erasure-first',
    text: 'update call_erasures set erased_at = $2, due_at = $3, tries = 0 where call_id = any($1)',
    values: [idsOf(false), now, new Date(now.getTime() + lookAgainMs)],
  });
  await tx.query({
    name: 'erasure-done',
    text: 'delete from call_erasures where call_id = any($1)',
    values: [idsOf(true)],
  });
};
