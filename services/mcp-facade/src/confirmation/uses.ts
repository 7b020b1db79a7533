// The used confirmations: one row for each, inserted before the tool acts.
import { deleteInPieces, type Tx } from '@parlance/postgres';

export interface Use {
  readonly organizationId: string;
  readonly confirmationId: string;
  readonly expiresAt: Date;
}

/** True for the first use, false for every other one, however many come at the same moment. */
export const claimUse = async (
  db: Tx,
  { organizationId, confirmationId, expiresAt }: Use,
): Promise<boolean> => {
  const { rowCount } = await db.query(
    `insert into confirmation_uses (organization_id, confirmation_id, expires_at) values ($1, $2, $3)
     on conflict do nothing`,
    [organizationId, confirmationId, expiresAt],
  );
  return rowCount === 1;
};

/** The time for which an expired row stays, so that the clocks of two copies may differ. */
const keptFor = '10 minutes';

/** Deletes the rows of confirmations that have expired, and are refused for that. */
export const deleteExpired = async (db: Tx, now: Date): Promise<void> => {
  await deleteInPieces(db, {
    table: 'confirmation_uses',
    where: `expires_at < $1::timestamptz - interval '${keptFor}'`,
    values: [now],
  });
};
