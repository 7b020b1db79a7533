// Organizations that may begin nothing here any more. A transaction that begins something looks here first, and a closure
// waits for those transactions. So of a purchase and a removal at the same instant, one always sees the other.
import { AppError } from '@parlance/errors';
import type { Tx } from './tx.js';

/** One removal of one organization. */
export interface Closure {
  readonly organizationId: string;
  readonly removalId: string;
}

const lockOf = `hashtextextended('organization:' || $1, 0)`;

/** Takes the lock that all transactions that begin something share; a closure takes it alone. */
const holdStill = async (tx: Tx, organizationId: string): Promise<void> => {
  await tx.query({
    name: 'organization-hold',
    text: `select pg_advisory_xact_lock_shared(${lockOf})`,
    values: [organizationId],
  });
};

const waitForAll = async (tx: Tx, organizationId: string): Promise<void> => {
  await tx.query(`select pg_advisory_xact_lock(${lockOf})`, [organizationId]);
};

/**
 * To be called in the transaction that begins something for the organization, before it is written.
 * @throws AppError CONFLICT when the organization is being removed, or was
 */
export const refuseClosed = async (tx: Tx, organizationId: string): Promise<void> => {
  // Two statements, sent at once: one statement for both would look at the rows as they were before it waited for the lock.
  const [, { rowCount }] = await Promise.all([
    holdStill(tx, organizationId),
    tx.query({
      name: 'organization-closed',
      text: `select 1 from organization_closures where organization_id = $1 and state in ('closed', 'removed') limit 1`,
      values: [organizationId],
    }),
  ]);
  if (rowCount > 0) throw new AppError('CONFLICT', { details: { organization: 'being removed' } });
};

/** Answers by transaction. Its lock keeps an answer true until it ends. */
const answered = new WeakMap<Tx, Map<string, boolean>>();

/** True for an organization that was removed for good. A removal waits until the transaction ends. */
export const isRemoved = async (tx: Tx, organizationId: string): Promise<boolean> => {
  const known = answered.get(tx)?.get(organizationId);
  if (known !== undefined) return known;
  await holdStill(tx, organizationId);
  const { rowCount } = await tx.query({
    name: 'organization-removed',
    text: `select 1 from organization_closures where organization_id = $1 and state = 'removed' limit 1`,
    values: [organizationId],
  });
  const isGone = rowCount > 0;
  // Outside of a transaction the lock has ended with its statement.
  if (tx.atCommit === undefined) return isGone;
  const answers = answered.get(tx) ?? new Map<string, boolean>();
  answered.set(tx, answers.set(organizationId, isGone));
  return isGone;
};

/** Those of the organizations that were removed for good. For readers that hold nobody still. */
export const removedAmong = async (
  tx: Tx,
  organizationIds: readonly string[],
): Promise<ReadonlySet<string>> => {
  const { rows } = await tx.query<{ id: string }>({
    name: 'organizations-removed',
    text: `select organization_id as id from organization_closures
           where organization_id = any($1) and state = 'removed'`,
    values: [organizationIds],
  });
  return new Set(rows.map(({ id }) => id));
};

/**
 * Closes the organization: it begins nothing here once the transaction has ended. The caller can then count its open
 * work.
 * @throws AppError CONFLICT when this closure was taken back before it arrived
 */
export const closeOrganization = async (tx: Tx, { organizationId, removalId }: Closure): Promise<void> => {
  await waitForAll(tx, organizationId);
  const { rows } = await tx.query<{ state: string }>(
    `insert into organization_closures as known (organization_id, removal_id, state) values ($1, $2, 'closed')
     on conflict (organization_id, removal_id) do update set state = known.state returning state`,
    [organizationId, removalId],
  );
  if (rows[0]?.state === 'reopened') throw new AppError('CONFLICT');
};

/** Takes one closure back, also one that has not arrived yet. A removed organization stays removed. */
export const reopenOrganization = async (tx: Tx, { organizationId, removalId }: Closure): Promise<void> => {
  await tx.query(
    `insert into organization_closures as known (organization_id, removal_id, state) values ($1, $2, 'reopened')
     on conflict (organization_id, removal_id) do update set state = 'reopened', changed_at = now()
     where known.state = 'closed'`,
    [organizationId, removalId],
  );
};

/** Notes that the organization was removed for good, and that something of it may be left here. */
export const noteRemoval = async (tx: Tx, { organizationId, removalId }: Closure): Promise<void> => {
  answered.delete(tx);
  await waitForAll(tx, organizationId);
  await tx.query(
    `insert into organization_closures (organization_id, removal_id, state, next_clearing_at)
     values ($1, $2, 'removed', now())
     on conflict (organization_id, removal_id) do update
       set state = 'removed', changed_at = now(), next_clearing_at = now()`,
    [organizationId, removalId],
  );
};

/** True when the service has heard of the removal, and has since cleared away all that was left of the organization. */
export const isCleared = async (tx: Tx, { organizationId, removalId }: Closure): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `select 1 from organization_closures
     where organization_id = $1 and removal_id = $2 and state = 'removed' and next_clearing_at is null`,
    [organizationId, removalId],
  );
  return rowCount > 0;
};
