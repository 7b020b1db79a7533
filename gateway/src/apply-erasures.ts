// Deletes again the organizations and accounts that a restored backup has brought back.
import type { ErasureApplier } from '@parlance/erasure';
import type { Clock, Ids } from '@parlance/observability';
import type { Database } from '@parlance/postgres';
import { deleteAccountRows } from './auth/account-rows.js';
import { deleteAgain } from './organizations/removal-store.js';

export interface ApplyErasuresOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
}

/**
 * The services are told of an organization once more, under a new id: they may have been restored to another time than the
 * gateway. Persons are in the logs of the services that have their calls.
 */
export const applyErasures =
  ({ db, clock, ids }: ApplyErasuresOptions): ErasureApplier =>
  async (erasures) => {
    for (const { kind, id } of erasures) {
      if (kind === 'account') await db.transaction((tx) => deleteAccountRows(tx, id));
      if (kind === 'organization')
        await deleteAgain(db, { organizationId: id, removalId: ids.next() }, { at: clock.now() });
    }
  };
