// Who may make an organization, and with which limits it begins. A limit of the operator holds for whoever pays, so a further
// organization of a person begins without money and with the limits that the operator set for the earlier ones.
import { serviceRequests } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Ids } from '@parlance/observability';
import type { Database, Tx } from '@parlance/postgres';
import { platformCaller, type RpcClient } from '@parlance/rpc';

/**
 * `operator`: the account of the operator alone makes organizations with money; those that accounts get with their first session
 * begin without. `verified`: people with a verified address make them. `anybody`: every account does.
 */
export type OrganizationsSetting = 'operator' | 'verified' | 'anybody';

export interface NewLimits {
  /** False: it begins without money, until the operator gives it some. */
  readonly isFunded: boolean;
  /** Organizations that its owner has, or had. */
  readonly earlierIds: readonly string[];
}

/** Sets the limits of an organization that is about to be made. @throws AppError SERVICE_UNAVAILABLE: it must not be made then */
export type BeginLimits = (organizationId: string, limits: NewLimits) => Promise<void>;

export const beginLimitsOver =
  (rpc: RpcClient, ids: Ids): BeginLimits =>
  async (organizationId, { isFunded, earlierIds: earlier }) => {
    const context = { caller: platformCaller('gateway', organizationId), requestId: ids.next() };
    const earlierIds = [...earlier];
    try {
      await rpc.call(serviceRequests.limitsBegin, { body: { isFunded, earlierIds } }, context);
      if (earlierIds.length > 0)
        await Promise.all([
          rpc.call(serviceRequests.knowledgeBegin, { body: { earlierIds } }, context),
          rpc.call(serviceRequests.callsBegin, { body: { earlierIds } }, context),
        ]);
    } catch (cause) {
      throw new AppError('SERVICE_UNAVAILABLE', { cause, retryAfterSeconds: 2 });
    }
  };

export interface BeginningsOptions {
  readonly db: Database;
  readonly setting: OrganizationsSetting;
}

/** More earlier organizations than a person can have today; the limits of the latest count. */
const mostEarlier = 500;

const earlierOf = async (tx: Tx, userId: string): Promise<readonly string[]> => {
  const { rows } = await tx.query<{ id: string }>(
    `select id from (
       select organization_id as id from organization_owners where user_id = $1
       union select "organizationId" from member where "userId" = $1 and role = 'owner') as earlier
     order by id desc limit ${mostEarlier}`,
    [userId],
  );
  return rows.map(({ id }) => id);
};

export class OrganizationBeginnings {
  readonly #db: Database;
  readonly #setting: OrganizationsSetting;
  #beginLimits: BeginLimits | undefined;

  constructor({ db, setting }: BeginningsOptions) {
    this.#db = db;
    this.#setting = setting;
  }

  /** Without it, as in commands of the operator, every organization has the limits of all. */
  limitedBy(beginLimits: BeginLimits): void {
    this.#beginLimits = beginLimits;
  }

  /** @throws AppError PERMISSION_DENIED, EMAIL_NOT_VERIFIED */
  async refuseStrangers({
    userId,
    verified,
  }: {
    readonly userId: string;
    readonly verified: boolean;
  }): Promise<void> {
    if (this.#setting === 'operator' && !(await this.#isOperator(userId)))
      throw new AppError('PERMISSION_DENIED', { details: { required: ['the account of the operator'] } });
    if (this.#setting === 'verified' && !verified) throw new AppError('EMAIL_NOT_VERIFIED');
  }

  /**
   * Sets the limits of an organization of this person, before it is made. It counts as theirs from here on, so that of several that
   * are made at the same moment one alone begins with money. Follow a failure with `withdraw`.
   */
  async begin(organizationId: string, userId: string): Promise<void> {
    if (this.#beginLimits === undefined) return;
    const isOperator = await this.#isOperator(userId);
    const earlierIds = await this.#db.transaction(async (tx) => {
      await tx.query(`select pg_advisory_xact_lock(hashtextextended('organizations-of:' || $1, 0))`, [
        userId,
      ]);
      const earlier = await earlierOf(tx, userId);
      await tx.query(
        'insert into organization_owners (organization_id, user_id) values ($1, $2) on conflict do nothing',
        [organizationId, userId],
      );
      return earlier;
    });
    const isFunded = isOperator || (this.#setting !== 'operator' && earlierIds.length === 0);
    if (isFunded && earlierIds.length === 0) return;
    try {
      await this.#beginLimits(organizationId, { isFunded, earlierIds });
    } catch (error) {
      await this.withdraw(organizationId);
      throw error;
    }
  }

  /** Forgets an organization that was not made after all. */
  async withdraw(organizationId: string): Promise<void> {
    await this.#db.query(
      `delete from organization_owners
       where organization_id = $1 and not exists (select from organization where id = $1)`,
      [organizationId],
    );
  }

  /** The first account of an installation is the operator's, from the first look on and for good. */
  async #isOperator(userId: string): Promise<boolean> {
    await this.#db.query(
      `insert into operator_accounts (user_id)
       select id from "user" where not exists (select from operator_accounts) order by "createdAt", id limit 1
       on conflict do nothing`,
    );
    const { rowCount } = await this.#db.query('select from operator_accounts where user_id = $1', [userId]);
    return rowCount > 0;
  }
}

/** Remembers the owners of an organization that may be about to lose one. */
export const rememberOwners = async (tx: Tx, organizationId: string): Promise<void> => {
  await tx.query(
    `insert into organization_owners (organization_id, user_id)
     select "organizationId", "userId" from member where "organizationId" = $1 and role = 'owner'
     on conflict do nothing`,
    [organizationId],
  );
};
