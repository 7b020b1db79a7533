// The interface of code that talks to Postgres. A function that must run inside a transaction takes a Tx as its first
// parameter, and its caller chooses the transaction.

export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
  /** A name of its own makes it a prepared statement, parsed once per connection: for hot paths. */
  readonly name?: string;
}

export interface QueryResult<R> {
  rows: R[];
  /** Rows returned, or changed. */
  rowCount: number;
}

export interface Tx {
  /**
   * @throws AppError SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT or CONFLICT where Postgres says so; else its own error.
   * Within a transaction always its own error: the transaction is lost then, and fails with an AppError.
   */
  query<R extends object = Record<string, unknown>>(
    statement: string | Statement,
    values?: readonly unknown[],
  ): Promise<QueryResult<R>>;
  /**
   * Keeps a statement for the end of the transaction; see `queryAtCommit`.
   * @throws Error when the transaction is over
   */
  atCommit?(statement: Statement): void;
  /** Wakes the listeners for `topic` in this process, once the change is committed. */
  signal?(topic: string): void;
}

/**
 * Runs a statement without a use for its result. A transaction sends it together with its COMMIT: a row that it locks is then
 * locked for no journey between the process and Postgres. The transaction fails when the statement does.
 */
export const queryAtCommit = async (tx: Tx, statement: Statement): Promise<void> => {
  if (tx.atCommit === undefined) await tx.query(statement);
  else tx.atCommit(statement);
};
