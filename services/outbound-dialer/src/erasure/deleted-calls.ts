// Outbound calls that were deleted by their id, and when they are erased.
import { inLocked, type Tx } from '@parlance/postgres';

interface Deletion {
  readonly outboundCallId: string;
  readonly organizationId: string;
  /** `user:<id>` or `key:<id>`. */
  readonly deletedBy: string;
  readonly commandId: string;
}

/** @returns false when another request has deleted the call before; true also for a repetition of the same one */
export const noteDeletion = async (
  db: Tx,
  { outboundCallId, organizationId, deletedBy, commandId }: Deletion,
  now: Date,
): Promise<boolean> => {
  await db.query(
    `insert into deleted_outbound_calls (outbound_call_id, organization_id, deleted_by, deleted_at, command_id, erase_at)
     values ($1, $2, $3, $4, $5, $4) on conflict (outbound_call_id) do nothing`,
    [outboundCallId, organizationId, deletedBy, now, commandId],
  );
  const { rowCount } = await db.query(
    'select from deleted_outbound_calls where outbound_call_id = $1 and command_id = $2',
    [outboundCallId, commandId],
  );
  return rowCount > 0;
};

/** Hides calls that the log of erasures names; they are erased by the caller. */
export const hideDeleted = async (
  db: Tx,
  deletions: readonly { readonly outboundCallId: string; readonly organizationId: string }[],
): Promise<void> => {
  await db.query(
    `insert into deleted_outbound_calls (outbound_call_id, organization_id, deleted_by, deleted_at, command_id, erased_at)
     select id, organization_id, 'platform:erasure-log', now(), 'erasure-log', now()
     from unnest($1::uuid[], $2::text[]) as d (id, organization_id) on conflict (outbound_call_id) do nothing`,
    [
      deletions.map(({ outboundCallId }) => outboundCallId),
      deletions.map(({ organizationId }) => organizationId),
    ],
  );
};

/** Takes back a deletion that was refused after it was noted. */
export const withdrawDeletion = async (
  db: Tx,
  { outboundCallId, commandId }: Pick<Deletion, 'outboundCallId' | 'commandId'>,
): Promise<void> => {
  await db.query(
    'delete from deleted_outbound_calls where outbound_call_id = $1 and command_id = $2 and erased_at is null',
    [outboundCallId, commandId],
  );
};

export const isDeleted = async (db: Tx, outboundCallId: string): Promise<boolean> => {
  const { rowCount } = await db.query('select from deleted_outbound_calls where outbound_call_id = $1', [
    outboundCallId,
  ]);
  return rowCount > 0;
};

export interface DeletionJob extends Pick<Deletion, 'outboundCallId' | 'organizationId' | 'deletedBy'> {
  readonly deletedAt: Date;
  /** Everything was erased once, and is looked for once more. */
  readonly isErased: boolean;
}

const leaseMs = 60_000;
const longestPauseMs = 60 * 60_000;
/** A call that calls-logs had not heard of when it was deleted is there by then. */
const lookAgainMs = 2 * 60 * 60_000;

/** The lease is also the pause before the next try, and doubles with each. */
export const leaseDeletions = async (db: Tx, now: Date, limit: number): Promise<readonly DeletionJob[]> => {
  const { rows } = await db.query<DeletionJob>(
    `update deleted_outbound_calls set tries = tries + 1,
       erase_at = $1::timestamptz + least($3 * power(2, least(tries, 10)), $4) * interval '1 millisecond'
     where ${inLocked({ table: 'deleted_outbound_calls', where: 'erase_at <= $1', order: 'erase_at' }, '$2')}
     returning outbound_call_id as "outboundCallId", organization_id as "organizationId", deleted_by as "deletedBy",
       deleted_at as "deletedAt", erased_at is not null as "isErased"`,
    [now, limit, leaseMs, longestPauseMs],
  );
  return rows;
};

export const settleDeletion = async (
  db: Tx,
  { outboundCallId, isErased }: DeletionJob,
  now: Date,
): Promise<void> => {
  await db.query(
    `update deleted_outbound_calls set erased_at = coalesce(erased_at, $2), erase_at = $3, tries = 0
     where outbound_call_id = $1`,
    [outboundCallId, now, isErased ? null : new Date(now.getTime() + lookAgainMs)],
  );
};
