// A person deletes their own account. Organizations in which nobody else is a member go with it; in any other, the person must
// not be the last owner.
import { authOperations } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Ids } from '@parlance/observability';
import type { Database, Tx } from '@parlance/postgres';
import { z } from 'zod';
import { addErasure } from '../erasures/erasure-rows.js';
import type { OrganizationRemovals } from '../organizations/removals.js';
import { deleteAccountRows } from './account-rows.js';
import type { ApiKeyStore } from './api-key-store.js';
import type { AuthHandler, AuthRequest } from './auth-handlers.js';
import type { Auth } from './better-auth.js';
import { toWebRequest } from './better-auth-exchange.js';

export interface AccountDeletionOptions {
  readonly auth: Auth;
  readonly db: Database;
  readonly removals: Pick<OrganizationRemovals, 'remove'>;
  readonly keys: Pick<ApiKeyStore, 'recordFalls'>;
  readonly publicUrl: string;
  readonly ids: Ids;
}

const Body = z.object({ password: z.string(), code: z.string().optional() });

interface Membership {
  readonly organizationId: string;
  readonly isOwner: boolean;
  readonly otherMembers: number;
  readonly otherOwners: number;
}

const memberships = async (tx: Tx, userId: string): Promise<readonly Membership[]> => {
  const { rows } = await tx.query<Membership>(
    `select own."organizationId", own.role = 'owner' as "isOwner",
            (count(*) - 1)::int as "otherMembers",
            (count(*) filter (where m.role = 'owner' and m."userId" <> $1))::int as "otherOwners"
       from member own join member m on m."organizationId" = own."organizationId"
      where own."userId" = $1 group by own."organizationId", own.role`,
    [userId],
  );
  return rows;
};

const isLastOwner = ({ isOwner, otherMembers, otherOwners }: Membership): boolean =>
  isOwner && otherMembers > 0 && otherOwners === 0;

/**
 * Deletes the rows when all conditions still hold.
 * @throws AppError LAST_OWNER; CONFLICT when an organization came to the person meanwhile
 */
const deleteAccount = (
  { db, ids }: Pick<AccountDeletionOptions, 'db' | 'ids'>,
  userId: string,
): Promise<readonly string[]> =>
  db.transaction(async (tx) => {
    const before = await memberships(tx, userId);
    // In one order, so that two people who delete their accounts never wait for each other.
    const organizationIds = before.map(({ organizationId }) => organizationId).sort();
    for (const id of organizationIds)
      await tx.query(`select pg_advisory_xact_lock(hashtextextended('owners:' || $1, 0))`, [id]);
    const now = await memberships(tx, userId);
    refuseLastOwner(now);
    if (now.some(({ otherMembers }) => otherMembers === 0)) throw new AppError('CONFLICT');
    await deleteAccountRows(tx, userId);
    // Nothing can be read of it; it ends when the log of erasures has it.
    await addErasure(tx, {
      id: ids.next(),
      kind: 'account',
      organizationId: '',
      subject: userId,
      requestedBy: `user:${userId}`,
    });
    return organizationIds;
  });

const refuseLastOwner = (all: readonly Membership[]): void => {
  const owned = all.filter(isLastOwner).map(({ organizationId }) => organizationId);
  if (owned.length > 0) throw new AppError('LAST_OWNER', { details: { organizationIds: owned } });
};

const verifyTotp = authOperations.find(({ id }) => id === 'auth.twoFactorVerifyTotp');

/** @throws AppError SECOND_FACTOR_REQUIRED, UNAUTHENTICATED */
const confirm = async (
  { auth, publicUrl }: AccountDeletionOptions,
  { request, input, signedIn }: AuthRequest,
): Promise<string> => {
  if (signedIn === undefined || verifyTotp === undefined) throw new AppError('UNAUTHENTICATED');
  const { password, code } = Body.parse(input.body);
  if (!(await auth.hasPassword(signedIn.userId, password))) throw new AppError('UNAUTHENTICATED');
  if (!signedIn.hasSecondFactor) return signedIn.userId;
  if (code === undefined) throw new AppError('SECOND_FACTOR_REQUIRED');
  const answer = await auth.handle(
    toWebRequest(verifyTotp, request, { query: {}, body: { code } }, publicUrl),
  );
  if (answer.status === 429) throw new AppError('RATE_LIMITED');
  if (!answer.ok) throw new AppError('UNAUTHENTICATED');
  return signedIn.userId;
};

export const accountDeletion =
  (options: AccountDeletionOptions): AuthHandler =>
  async (request) => {
    const { auth, db, removals, keys } = options;
    const userId = await confirm(options, request);
    const all = await memberships(db, userId);
    refuseLastOwner(all);
    for (const { organizationId, otherMembers } of all)
      if (otherMembers === 0) await removals.remove(organizationId, userId);
    const left = await deleteAccount(options, userId);
    for (const organizationId of left) await keys.recordFalls(organizationId);
    return new Response(JSON.stringify({ status: true }), {
      headers: { 'content-type': 'application/json', 'set-cookie': auth.endedCookie },
    });
  };
