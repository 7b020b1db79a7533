// What code that talks to Postgres is given. A function that must run inside a transaction takes a Tx as its first
// parameter, and whoever calls it decides which.

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
   * Within a transaction always its own error: the transaction, which is lost then, is what fails with an AppError.
   */
  query<R extends object = Record<string, unknown>>(
    statement: string | Statement,
    values?: readonly unknown[],
  ): Promise<QueryResult<R>>;
  /** Wakes those in this process who listen for `topic`, once the change is committed. */
  signal?(topic: string): void;
}
