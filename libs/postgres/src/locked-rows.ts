// Rows that a statement locks and changes. Replicas that run the same statement at the same time get different rows, because each
// leaves out what another transaction has locked.
export interface LockedRows {
  readonly table: string;
  /** A condition over the table by a column with an index. */
  readonly where: string;
  readonly order?: string;
  /** Selected columns (ctid). */
  readonly columns?: string;
  /** A row that only gets new values needs no lock against the foreign keys that refer to it. */
  readonly lock?: 'update' | 'no key update';
}

/** SQL of a select of at most `limit` rows. @param limit SQL of a number */
export const lockedRows = (
  { table, where, order, columns = 'ctid', lock = 'update' }: LockedRows,
  limit: number | string,
): string =>
  `select ${columns} from ${table} where ${where}${order === undefined ? '' : ` order by ${order}`}
   limit ${limit} for ${lock} skip locked`;

/** The condition of an update or a delete of at most `limit` rows: the rows are locked once, however the statement is planned. */
export const inLocked = (rows: Omit<LockedRows, 'columns'>, limit: number | string): string =>
  `ctid = any(array(${lockedRows(rows, limit)}))`;
