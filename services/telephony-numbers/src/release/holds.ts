// Holds of numbers: while the gateway requests the campaigns of a number, no dialer learns whether the number may be used. A campaign is
// on record before its number is asked for. Either it is found, or it learns of the release.
import { setTimeout as delay } from 'node:timers/promises';
import type { NumberHold } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import type { Ids } from '@parlance/observability';
import type { Database, StoredForm, Tx } from '@parlance/postgres';
import { lockNumber, type NumberOfAny, numberOfAnyOrganization } from '../numbers/numbers-repository.js';

/** Longer than the gateway waits for the dialer, by the database's clock. */
const heldFor = `interval '4 seconds'`;
const longestWaitMs = 5_000;
const lookEveryMs = 50;

export interface HoldsOptions {
  readonly db: Database;
  readonly ids: Ids;
  /** Processes of 0.2.0 know no holds. */
  readonly known: Pick<StoredForm, 'isReadByAll'>;
}

export class Holds {
  readonly #options: HoldsOptions;

  constructor(options: HoldsOptions) {
    this.#options = options;
  }

  /**
   * Null for a number that is being released already, and while a process knows no holds.
   * @throws AppError NUMBER_NOT_FOUND; CONFLICT while it is being bought, or held
   */
  async hold(organizationId: string, numberId: string): Promise<NumberHold | null> {
    const { db, ids, known } = this.#options;
    if (!(await known.isReadByAll(db))) return null;
    return db.transaction(async (tx) => {
      const { status, phone_number: phoneNumber } = await lockNumber(tx, organizationId, numberId);
      if (status === 'releasing') return null;
      if (status === 'provisioning') throw new AppError('CONFLICT', { details: { status } });
      const holdId = ids.next();
      const { rowCount } = await tx.query(
        `update numbers set hold_id = $2, held_until = clock_timestamp() + ${heldFor}
         where id = $1 and (held_until is null or held_until <= clock_timestamp())`,
        [numberId, holdId],
      );
      if (rowCount === 0) throw new AppError('CONFLICT', { details: { status: 'releasing' } });
      return { holdId, phoneNumber };
    });
  }

  /** The number once no decision about it is under way. @throws AppError SERVICE_UNAVAILABLE when that takes too long */
  async decided(phoneNumber: string): Promise<NumberOfAny | undefined> {
    const until = performance.now() + longestWaitMs;
    for (;;) {
      const row = await numberOfAnyOrganization(this.#options.db, phoneNumber);
      if (row?.is_held !== true) return row;
      if (performance.now() > until) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
      await delay(lookEveryMs);
    }
  }
}

/** Ends the hold of a locked number. False when it was over already: the answer about its campaigns no longer holds. */
export const endHold = async (tx: Tx, numberId: string, holdId: string): Promise<boolean> => {
  const { rows } = await tx.query<{ is_held: boolean }>(
    `update numbers n set hold_id = null, held_until = null from numbers before
     where n.id = $1 and n.hold_id = $2 and before.id = n.id
     returning before.held_until > clock_timestamp() as is_held`,
    [numberId, holdId],
  );
  return rows[0]?.is_held === true;
};
