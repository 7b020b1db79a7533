// Deleted calls that are still to be erased. A row is leased for a while, and deleted when nothing can come back any more.
import { JobQueue, type Leased } from '@parlance/jobs';
import type { Tx } from '@parlance/postgres';

export interface CallToErase {
  readonly callId: string;
  readonly organizationId: string;
  readonly requestedAt: Date;
  /** False for a call that its retention deleted: after the restore of a backup it does so again. */
  readonly isLogged: boolean;
}

interface ErasureRow extends CallToErase {
  /** Everything was erased once, and is looked for once more. */
  readonly isErased: boolean;
}
export type ErasureJob = Leased<ErasureRow>;

export const erasureJobs = new JobQueue<ErasureRow>({
  name: 'call-erasures',
  table: 'call_erasures',
  key: ['call_id'],
  columns: `call_id as "callId", organization_id as "organizationId", requested_at as "requestedAt",
    is_logged as "isLogged", erased_at is not null as "isErased"`,
  dueAt: 'due_at',
  attempts: 'tries',
  leaseMs: { firstMs: 60_000, longestMs: 60 * 60_000 },
});

export const addErasure = async (
  tx: Tx,
  { callId, organizationId, requestedAt, isLogged }: CallToErase,
): Promise<void> => {
  await tx.query({
    name: 'erasure-add',
    text: `insert into call_erasures (call_id, organization_id, requested_at, is_logged, due_at)
           values ($1, $2, $3, $4, now())
           on conflict (call_id) do nothing`,
    values: [callId, organizationId, requestedAt, isLogged],
  });
};

/** Longer than an address for an upload, a request, or a write of an older replica can take. */
const lookAgainMs = 2 * 60 * 60_000;

/** A call that was erased for the first time is due once more; otherwise it is done. */
export const settleErasure = (tx: Tx, job: ErasureJob): Promise<boolean> =>
  job.isErased
    ? erasureJobs.remove(tx, job)
    : erasureJobs.defer(tx, job, lookAgainMs, { set: 'erased_at = now(), tries = 0' });
