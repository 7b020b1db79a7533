// Deletes or empties what has become old. One statement over all of it fails at the time limit of a statement once there is too much,
// having done nothing, and each later round has more to do.
import { inLocked } from './locked-rows.js';
import type { Tx } from './tx.js';

export interface OldRows {
  readonly table: string;
  /** A condition over the table by a column with an index; `$1` and so on are `values`. */
  readonly where: string;
  readonly values?: readonly unknown[];
}

const rowsAtOnce = 1_000;

const inPieces = async (
  db: Tx,
  verb: string,
  { table, where, values = [] }: OldRows,
  atOnce: number,
): Promise<number> => {
  let done = 0;
  for (;;) {
    const { rowCount } = await db.query(`${verb} where ${inLocked({ table, where }, atOnce)}`, values);
    done += rowCount;
    if (rowCount < atOnce) return done;
  }
};

/**
 * Outside of a transaction each piece is one of its own, so that what was deleted stays deleted.
 * @returns the number of deleted rows
 */
export const deleteInPieces = (db: Tx, rows: OldRows, atOnce = rowsAtOnce): Promise<number> =>
  inPieces(db, `delete from ${rows.table}`, rows, atOnce);

/** As `deleteInPieces`. `where` must no longer hold for a row that was changed. @returns the number of changed rows */
export const updateInPieces = (
  db: Tx,
  { set, ...rows }: OldRows & { readonly set: string },
  atOnce = rowsAtOnce,
): Promise<number> => inPieces(db, `update ${rows.table} set ${set}`, rows, atOnce);

/**
 * Deletes the rows of a removed organization, table by table. Rows that go along by a foreign key count for no piece: `atOnce` has to
 * allow for them.
 * @returns true when none is left; false while another transaction holds one
 */
export const deleteOfOrganization = async (
  db: Tx,
  organizationId: string,
  tables: readonly string[],
  atOnce = rowsAtOnce,
): Promise<boolean> => {
  const ofOrganization = { where: 'organization_id = $1', values: [organizationId] };
  let isEmpty = true;
  for (const table of tables) {
    await deleteInPieces(db, { table, ...ofOrganization }, atOnce);
    const { rowCount } = await db.query(
      `select from ${table} where ${ofOrganization.where} limit 1`,
      ofOrganization.values,
    );
    isEmpty &&= rowCount === 0;
  }
  return isEmpty;
};
