// Keeps the last owner of an organization. better-auth counts the owners and then takes one away, in two steps. Two
// owners who leave at the same moment would each see the other stay. So such requests wait for each other. Changes to
// invitations wait as well: an invitation may promise the role of an owner.
import { type Caller, roles } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Database, Tx } from '@parlance/postgres';
import { rememberOwners } from './beginnings.js';

/** @param named the id of a membership, or the address of its person */
const isOwner = async (tx: Tx, organizationId: string, named: string): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `select 1 from member m join "user" u on u.id = m."userId"
     where m."organizationId" = $1 and m.role = 'owner' and (m.id = $2 or lower(u.email) = lower($2))`,
    [organizationId, named],
  );
  return rowCount > 0;
};

/** Every invitation with another role is out of reach for admins. */
const rolesAdminsGive = roles.filter((role) => role !== 'owner');

/** @param named the id of an invitation, or the address that a waiting one went to */
const promisesMore = async (tx: Tx, organizationId: string, named: string): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `select 1 from invitation
     where "organizationId" = $1 and role <> all($3::text[])
       and (id = $2 or (lower(email) = lower($2) and status = 'pending' and "expiresAt" > now()))`,
    [organizationId, named, rolesAdminsGive],
  );
  return rowCount > 0;
};

export class Owners {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Does work that may take an owner from the organization, alone among all gateways. */
  alone<T>(organizationId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#db.transaction(async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(hashtextextended('owners:' || $1, 0))`, [organizationId]);
      // Limits follow a person who stops being an owner.
      await rememberOwners(tx, organizationId);
      return work(tx);
    });
  }

  /**
   * Makes a change to a member that may make the organization lose an owner.
   * @param named the member, as requests name one
   * @throws AppError PERMISSION_DENIED for an owner, unless another owner makes the change
   */
  changing<T>(
    { organizationId, role }: Pick<Caller, 'organizationId' | 'role'>,
    named: string,
    work: () => Promise<T>,
  ): Promise<T> {
    return this.alone(organizationId, async (tx) => {
      if (role !== 'owner' && (await isOwner(tx, organizationId, named)))
        throw new AppError('PERMISSION_DENIED');
      return work();
    });
  }
  /**
   * Cancels, replaces or renews an invitation.
   * @param named the id of the invitation, or its address: a new invitation takes the place of a waiting one
   * @throws AppError PERMISSION_DENIED for an invitation with a role that the caller cannot give
   */
  changingInvitation<T>(
    { organizationId, role }: Pick<Caller, 'organizationId' | 'role'>,
    named: string,
    work: () => Promise<T>,
  ): Promise<T> {
    return this.alone(organizationId, async (tx) => {
      if (role !== 'owner' && (await promisesMore(tx, organizationId, named)))
        throw new AppError('PERMISSION_DENIED');
      return work();
    });
  }
}
