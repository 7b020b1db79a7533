// Statements and transactions on one connection.
import { inTransactionScope } from '@parlance/observability';
import type pg from 'pg';
import { isConnectionBroken } from './database-errors.js';
import type { QueryResult, Statement, Tx } from './tx.js';

export interface TransactionOptions {
  /** Limit for each statement; that of the database unless given. */
  readonly timeoutMs?: number;
  /** All statements read one state of the data, and none may write: for an answer that several statements make up. */
  readonly snapshot?: boolean;
}

/** The server ends a slow statement itself; this ends the wait for a server that went silent. */
export const silenceMs = 500;

export const runStatement = async <R extends object>(
  client: pg.ClientBase,
  statement: string | Statement,
  values: readonly unknown[] | undefined,
  timeoutMs: number,
): Promise<QueryResult<R> & { readonly command: string }> => {
  const { text, name, values: own } = typeof statement === 'string' ? { text: statement } : statement;
  const parameters = values ?? own;
  const result: pg.QueryResult | pg.QueryResult[] = await client.query({
    text,
    ...(name === undefined ? {} : { name }),
    ...(parameters === undefined ? {} : { values: [...parameters] }),
    query_timeout: timeoutMs + silenceMs,
  } as pg.QueryConfig); // the types do not know query_timeout
  const last = Array.isArray(result) ? result.at(-1) : result;
  // The caller's row type is its own claim about its SQL.
  return { rows: (last?.rows ?? []) as R[], rowCount: last?.rowCount ?? 0, command: last?.command ?? '' };
};

const writes = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'COPY']);
const mayWriteInside = /^\s*with\b.*\b(insert\s+into|delete\s+from|update\s+\S+\s)/is;

/** True for a statement that changed a row. A poll that leased nothing has not. */
export const hasWritten = (
  { command, rowCount }: { readonly command: string; readonly rowCount: number },
  statement: string | Statement,
): boolean =>
  rowCount > 0 &&
  (writes.has(command) ||
    (command === 'SELECT' &&
      mayWriteInside.test(typeof statement === 'string' ? statement : statement.text)));

/** Waits for all, so that the connection is free again. @throws the first error in their order */
export const settled = async (works: readonly Promise<unknown>[]): Promise<void> => {
  for (const outcome of await Promise.allSettled(works))
    if (outcome.status === 'rejected') throw outcome.reason;
};

export class Transaction implements Tx {
  readonly #client: pg.ClientBase;
  readonly #timeoutMs: number;
  readonly #isUsualTimeout: boolean;
  readonly #begin: string;
  readonly signals = new Set<string>();
  readonly #atCommit: Statement[] = [];
  /** A statement of it changed a row. */
  hasWritten = false;
  #begun: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(
    client: pg.ClientBase,
    usualTimeoutMs: number,
    { timeoutMs = usualTimeoutMs, snapshot = false }: TransactionOptions,
  ) {
    this.#client = client;
    this.#begin = snapshot ? 'begin isolation level repeatable read, read only' : 'begin';
    this.#timeoutMs = timeoutMs;
    this.#isUsualTimeout = timeoutMs === usualTimeoutMs;
  }

  async query<R extends object = Record<string, unknown>>(
    statement: string | Statement,
    values?: readonly unknown[],
  ): Promise<QueryResult<R>> {
    // By now the connection may be in another transaction's hands.
    if (this.#isOver) throw new Error('the transaction is over: a query was not awaited');
    const result = await runStatement<R>(this.#client, statement, values, this.#timeoutMs);
    // Without a transaction the statement was committed for itself, and no other one may follow.
    await this.#begun;
    this.hasWritten ||= hasWritten(result, statement);
    return result;
  }

  atCommit(statement: Statement): void {
    if (this.#isOver) throw new Error('the transaction is over: its work was not awaited');
    this.#atCommit.push(statement);
  }

  signal(topic: string): void {
    this.signals.add(topic);
  }

  /** Does not wait: the first statement is sent behind BEGIN, which saves a round trip. A failure is that of the statement. */
  begin(): void {
    const send = (text: string) => runStatement(this.#client, text, undefined, this.#timeoutMs);
    const begun = [send(this.#begin)];
    if (!this.#isUsualTimeout)
      begun.push(send(`set local statement_timeout = ${Math.trunc(this.#timeoutMs)}`));
    this.#begun = settled(begun);
    this.#begun.catch(() => undefined);
  }

  /** Of work that has sent no statement. */
  get begun(): Promise<void> {
    return this.#begun;
  }

  /** Sends the last statements and COMMIT without a wait between them: Postgres rolls back when one of them fails. */
  async commit(): Promise<void> {
    this.#isOver = true;
    const send = (statement: Statement | string) =>
      runStatement(this.#client, statement, undefined, this.#timeoutMs);
    const last = this.#atCommit.map(send);
    const committed = send('commit');
    await settled([...last, committed]);
    this.hasWritten ||= last.length > 0;
    // After a failed statement Postgres answers COMMIT with ROLLBACK: some code swallowed the failure.
    if ((await committed).command !== 'COMMIT')
      throw new Error('the transaction was rolled back: an error in it was ignored');
  }

  async rollback(): Promise<void> {
    this.#isOver = true;
    await runStatement(this.#client, 'rollback', undefined, this.#timeoutMs);
  }
}

/** Commits when the work resolves, rolls back when it rejects. */
export const inTransaction = async <T>(tx: Transaction, work: (tx: Tx) => Promise<T>): Promise<T> => {
  tx.begin();
  let value: T;
  try {
    value = await inTransactionScope(() => work(tx));
    await tx.begun;
  } catch (error) {
    await rollBack(tx, error);
    throw error;
  }
  await tx.commit();
  return value;
};

const rollBack = async (tx: Transaction, reason: unknown): Promise<void> => {
  if (isConnectionBroken(reason)) return;
  try {
    await tx.rollback();
  } catch (error) {
    throw new RollbackFailed(reason, error);
  }
};

/** The work failed and the connection could not even roll back: it must not go back to the pool. */
export class RollbackFailed extends Error {
  override readonly name = 'RollbackFailed';
  constructor(
    reason: unknown,
    readonly rollbackError: unknown,
  ) {
    super('rollback failed', { cause: reason });
  }
}

export const isRollbackFailed = (error: unknown): boolean => error instanceof RollbackFailed;
