// Which organizations may begin nothing here any more. Whatever begins something looks here in its own transaction, and a
// closure waits for those transactions: of a purchase and a removal at the same instant, one always sees the other.
import { AppError } from '@parlance/errors';
import type { Tx } from './tx.js';

/** One removal of one organization. */
export interface Closure {
  readonly organizationId: string;
  readonly removalId: string;
}

const lockOf = `hashtextextended('organization:' || $1, 0)`;

/** Shared among all who begin something; a closure takes it alone. */
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
  await holdStill(tx, organizationId);
  // A statement of its own: one that took the lock itself would look at what was there before it waited.
  const { rowCount } = await tx.query({
    name: 'organization-closed',
    text: `select 1 from organization_closures where organization_id = $1 and state in ('closed', 'removed') limit 1`,
    values: [organizationId],
  });
  if (rowCount > 0) throw new AppError('CONFLICT', { details: { organization: 'being removed' } });
};

/** True for an organization that was removed for good; nobody removes it until the transaction ends. */
export const isRemoved = async (tx: Tx, organizationId: string): Promise<boolean> => {
  await holdStill(tx, organizationId);
  const { rowCount } = await tx.query({
    name: 'organization-removed',
    text: `select 1 from organization_closures where organization_id = $1 and state = 'removed' limit 1`,
    values: [organizationId],
  });
  return rowCount > 0;
};

/**
 * From the end of the transaction on the organization begins nothing here; what it has begun can be counted afterwards.
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

/** Says that the organization was removed for good, and that there may be something left of it here. */
export const noteRemoval = async (tx: Tx, { organizationId, removalId }: Closure): Promise<void> => {
  await waitForAll(tx, organizationId);
  await tx.query(
    `insert into organization_closures (organization_id, removal_id, state, next_clearing_at)
     values ($1, $2, 'removed', now())
     on conflict (organization_id, removal_id) do update
       set state = 'removed', changed_at = now(), next_clearing_at = now()`,
    [organizationId, removalId],
  );
};
