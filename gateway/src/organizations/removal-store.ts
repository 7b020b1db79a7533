// Removals in the gateway's own tables, beside better-auth's: begun, taken back, and the deletion itself. The deletion is
// one transaction with the event that tells every service.
import { events, makeEvent } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { JobQueue } from '@parlance/jobs';
import { addToOutbox, type Database, deleteOfOrganization, type Tx } from '@parlance/postgres';
import { addErasure } from '../erasures/erasure-rows.js';
import { rememberOwners } from './beginnings.js';
import { roleNamed } from './roles.js';
import type { Removal } from './tenant-services.js';

/** An organization as better-auth's own route would answer its deletion. */
export interface DeletedOrganization {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly logo: string | null;
  readonly createdAt: Date;
  readonly metadata: string | null;
  /** Names the erasure of what the services have of it. */
  readonly removalId: string;
}

/** @throws AppError NOT_FOUND for an organization that the person does not belong to; PERMISSION_DENIED unless its owner */
export const requireOwner = async (tx: Tx, organizationId: string, userId: string): Promise<void> => {
  const { rows } = await tx.query<{ role: string }>(
    'select role from member where "organizationId" = $1 and "userId" = $2',
    [organizationId, userId],
  );
  const [membership] = rows;
  if (membership === undefined) throw new AppError('NOT_FOUND');
  if (roleNamed(membership.role) !== 'owner')
    throw new AppError('PERMISSION_DENIED', { details: { required: ['organization:delete'] } });
};

/** @returns false when another removal of the organization is under way */
export const beginRemoval = async (
  db: Tx,
  { organizationId, removalId }: Removal,
  deletedBy: string,
  leaseMs: number,
): Promise<boolean> => {
  const { rowCount } = await db.query(
    `insert into organization_removals (id, organization_id, deleted_by, state, lease_until)
     values ($1, $2, $3, 'closing', now() + $4 * interval '1 millisecond') on conflict (organization_id) do nothing`,
    [removalId, organizationId, deletedBy, leaseMs],
  );
  return rowCount === 1;
};

/** From here on the removal does not happen. @returns false when it has happened or is over: nothing to take back */
export const takeBack = async (db: Tx, { removalId }: Removal, leaseMs: number): Promise<boolean> => {
  const { rowCount } = await db.query(
    `update organization_removals set state = 'reopening', lease_until = now() + $2 * interval '1 millisecond'
     where id = $1`,
    [removalId, leaseMs],
  );
  return rowCount === 1;
};

/** Removals whose gateway has died; a lease takes one back. */
export const leftRemovals = (leaseMs: number): JobQueue<Removal> =>
  new JobQueue({
    name: 'left-removals',
    table: 'organization_removals',
    key: ['id'],
    columns: 'organization_id as "organizationId", id as "removalId"',
    dueAt: 'lease_until',
    set: `state = 'reopening'`,
    leaseMs,
  });

/** All services are open again. */
export const endTakenBack = async (db: Tx, { removalId }: Removal): Promise<void> => {
  await db.query(`delete from organization_removals where id = $1 and state = 'reopening'`, [removalId]);
};

/** Without the organization no session, key or invitation of it is good for anything. Remembered answers go with the erasure. */
const belongings: readonly string[] = [
  'update session set "activeOrganizationId" = null where "activeOrganizationId" = $1',
  'delete from api_key_facts where key_id in (select id from apikey where "referenceId" = $1)',
  'delete from apikey where "referenceId" = $1',
  'delete from invitation where "organizationId" = $1',
  'delete from member where "organizationId" = $1',
  `delete from erasures where organization_id = $1 and kind = 'person'`,
];

const deleteRows = async (
  tx: Tx,
  organizationId: string,
): Promise<Omit<DeletedOrganization, 'removalId'> | undefined> => {
  await rememberOwners(tx, organizationId);
  for (const statement of belongings) await tx.query(statement, [organizationId]);
  const { rows } = await tx.query<Omit<DeletedOrganization, 'removalId'>>(
    'delete from organization where id = $1 returning id, name, slug, logo, "createdAt", metadata',
    [organizationId],
  );
  return rows[0];
};

/** Every service clears away what it has of the organization; the erasure ends when all of them have. */
const announceDeletion = async (
  tx: Tx,
  { organizationId, removalId }: Removal,
  { userId: deletedBy, at }: { readonly userId: string; readonly at: Date },
): Promise<void> => {
  await addErasure(tx, {
    id: removalId,
    kind: 'organization',
    organizationId,
    subject: organizationId,
    requestedBy: `user:${deletedBy}`,
  });
  const data = { removalId, deletedBy };
  const occurredAt = at.toISOString();
  await addToOutbox(
    tx,
    makeEvent(events.organizationDeleted, { id: removalId, occurredAt, organizationId, data }),
  );
};

/** Deletes once more an organization that a restored backup has brought back, or a part of it in any service. */
export const deleteAgain = (db: Database, removal: Removal, { at }: { readonly at: Date }): Promise<void> =>
  db.transaction(async (tx) => {
    await deleteOfOrganization(tx, removal.organizationId, ['organization_removals']);
    await deleteRows(tx, removal.organizationId);
    await announceDeletion(tx, removal, { userId: '', at });
  });

/**
 * Deletes the organization and announces it.
 * @throws AppError CONFLICT when the removal was taken back meanwhile; as `requireOwner` when the owner is none any more
 */
export const deleteOrganization = (
  db: Database,
  removal: Removal,
  deletion: { readonly userId: string; readonly at: Date },
): Promise<DeletedOrganization> =>
  db.transaction(async (tx) => {
    const { rowCount } = await tx.query(
      `delete from organization_removals where id = $1 and state = 'closing'`,
      [removal.removalId],
    );
    if (rowCount === 0) throw new AppError('CONFLICT');
    await requireOwner(tx, removal.organizationId, deletion.userId);
    const deleted = await deleteRows(tx, removal.organizationId);
    if (deleted === undefined) throw new AppError('NOT_FOUND');
    await announceDeletion(tx, removal, deletion);
    return { ...deleted, removalId: removal.removalId };
  });
