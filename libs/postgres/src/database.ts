// Postgres for one service: a pool that recovers by itself, transactions, and failures that callers can act on.
import type { Secret } from '@parlance/config';
import { AppError } from '@parlance/errors';
import { Activity, inTransactionScope, type Logger } from '@parlance/observability';
import pg from 'pg';
import { Admission, refuseLateRead } from './admission.js';
import { Connections } from './connections.js';
import { isConnectionBroken, translateDatabaseError } from './database-errors.js';
import { observePool } from './pool-gauges.js';
import { type Lock, Session, type Unlisten } from './session.js';
import type { QueryResult, Statement, Tx } from './tx.js';
import { typeReaders } from './type-readers.js';

export interface DatabaseOptions {
  /** Connection string of the service's own role. */
  readonly url: Secret;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Connections in the pool at most; 10 unless given. One more is opened for listening and locks. */
  readonly max?: number;
  /** Longest wait for a connection; 2 s unless given. */
  readonly connectTimeoutMs?: number;
  /** Connections without work are closed after this time, apart from those that `open` made; 30 s unless given. */
  readonly idleTimeoutMs?: number;
  /** Limit for each statement; 5 s unless given. */
  readonly statementTimeoutMs?: number;
  /** Schemas in which names are looked up, the first one being where tables are made; that of the role unless given. */
  readonly searchPath?: readonly string[];
  readonly logger?: Logger;
}

export interface TransactionOptions {
  /** Limit for each statement; that of the database unless given. */
  readonly timeoutMs?: number;
  /** All statements read one state of the data, and none may write: for an answer that several statements make up. */
  readonly snapshot?: boolean;
}

const defaultStatementTimeoutMs = 5_000;
// The server ends a slow statement itself; this ends the wait for a server that went silent.
const silenceMs = 500;
const defaultConnectTimeoutMs = 2_000;
const defaultIdleTimeoutMs = 30_000;
const resizeEveryMs = 10_000;
// Two rounds often meet, and a connection costs both sides some ms of processor time.
const keptWhenQuiet = 2;
/** Background work waits longer for its turn than a request for a connection: only an outage should end it. */
const turnsPerConnectTimeout = 5;

/**
 * The server notices within 25 seconds that the machine of a connection is gone, and frees its locks. Its own defaults
 * take hours, in which no other copy could go on with the work. They do nothing on a Unix socket.
 */
const lifeSigns = Object.entries({
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 30_000,
})
  .map(([name, value]) => `-c ${name}=${value}`)
  .join(' ');

/** The value for the server's command line, where a space ends an option unless a backslash stands before it. */
const startOptions = (searchPath: readonly string[] | undefined): string => {
  // The texts and the date functions of the server must not depend on its own time zone.
  const always = `-c TimeZone=UTC ${lifeSigns}`;
  if (searchPath === undefined) return always;
  const path = searchPath.map((schema) => pg.escapeIdentifier(schema)).join(',');
  return `${always} -c search_path=${path.replaceAll(/[\\\s]/g, (found) => `\\${found}`)}`;
};

const run = async <R extends object>(
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
const hasWritten = (
  { command, rowCount }: { readonly command: string; readonly rowCount: number },
  statement: string | Statement,
): boolean =>
  rowCount > 0 &&
  (writes.has(command) ||
    (command === 'SELECT' &&
      mayWriteInside.test(typeof statement === 'string' ? statement : statement.text)));

/** Waits for all, so that the connection is free again. @throws the first error in their order */
const settled = async (works: readonly Promise<unknown>[]): Promise<void> => {
  for (const outcome of await Promise.allSettled(works))
    if (outcome.status === 'rejected') throw outcome.reason;
};

class Transaction implements Tx {
  readonly #client: pg.ClientBase;
  readonly #timeoutMs: number;
  readonly #isUsualTimeout: boolean;
  readonly #begin: string;
  readonly signals = new Set<string>();
  readonly #atCommit: Statement[] = [];
  /** A statement of it changed a row. */
  hasWritten = false;
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
    const result = await run<R>(this.#client, statement, values, this.#timeoutMs);
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

  async begin(): Promise<void> {
    await run(this.#client, this.#begin, undefined, this.#timeoutMs);
    if (this.#isUsualTimeout) return;
    await run(
      this.#client,
      `set local statement_timeout = ${Math.trunc(this.#timeoutMs)}`,
      undefined,
      this.#timeoutMs,
    );
  }

  /** Sends the last statements and COMMIT without a wait between them: Postgres rolls back when one of them fails. */
  async commit(): Promise<void> {
    this.#isOver = true;
    const send = (statement: Statement | string) => run(this.#client, statement, undefined, this.#timeoutMs);
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
    await run(this.#client, 'rollback', undefined, this.#timeoutMs);
  }
}

/** Commits when the work resolves, rolls back when it rejects. */
const inTransaction = async <T>(tx: Transaction, work: (tx: Tx) => Promise<T>): Promise<T> => {
  await tx.begin();
  let value: T;
  try {
    value = await inTransactionScope(() => work(tx));
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

/** A connection with one user: transactions on it, and statements between them. */
export interface Connection extends Pick<Tx, 'query'> {
  transaction<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

export class Database implements Tx {
  readonly #pool: pg.Pool;
  readonly #connections: Connections;
  readonly #admission: Admission;
  readonly #session: Session;
  readonly #statementTimeoutMs: number;
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #endGauges: () => void;
  #isDown = false;
  #ending: Promise<void> | undefined;
  #resizing: NodeJS.Timeout | undefined;

  /** Committed writes of this process, notifications of others, and lost connections. */
  readonly activity = new Activity();

  /** The name of the process that uses it, as the server and the metrics show it. */
  readonly name: string;

  /**
   * Statements that begin at once, whatever else waits: small ones that come too late behind background work, such as the
   * renewal of a claim, a gauge, or a look at the health. What they write counts as no activity.
   */
  readonly atOnce: Tx = {
    query: <R extends object>(statement: string | Statement, values?: readonly unknown[]) =>
      this.#statement<R>(statement, values),
  };

  constructor(options: DatabaseOptions) {
    const { url, applicationName, max = 10, logger } = options;
    const { statementTimeoutMs = defaultStatementTimeoutMs, searchPath } = options;
    const { connectTimeoutMs = defaultConnectTimeoutMs, idleTimeoutMs = defaultIdleTimeoutMs } = options;
    this.name = applicationName;
    this.#statementTimeoutMs = statementTimeoutMs;
    const config: pg.ClientConfig = {
      connectionString: url.reveal(),
      application_name: applicationName,
      connectionTimeoutMillis: connectTimeoutMs,
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: 15_000,
      keepAlive: true,
      options: startOptions(searchPath),
      types: typeReaders,
    };
    // In a pipeline, a statement is sent while the one before it runs; Postgres still runs them in their order.
    this.#pool = new pg.Pool({ ...config, max, idleTimeoutMillis: idleTimeoutMs, pipeline: true });
    this.#connections = new Connections(this.#pool, { max, timeoutMs: connectTimeoutMs });
    this.#admission = new Admission({ most: max, longestWaitMs: turnsPerConnectTimeout * connectTimeoutMs });
    this.#endGauges = observePool(applicationName, this.#connections, {
      most: max,
      admission: this.#admission,
    });
    // A connection that fails while in use also rejects its query; without a listener it would end the process.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
    this.#pool.on('error', (error) => {
      if (!this.#isDown) logger?.warn({ err: error }, 'lost connections to postgres');
      this.#isDown = true;
      this.activity.note();
    });
    this.#session = new Session({ ...config, query_timeout: statementTimeoutMs + silenceMs });
  }

  async query<R extends object = Record<string, unknown>>(
    statement: string | Statement,
    values?: readonly unknown[],
  ): Promise<QueryResult<R>> {
    const result = await this.#admission.run(() => this.#statement<R>(statement, values));
    if (hasWritten(result, statement)) this.activity.note();
    return result;
  }

  /**
   * Runs `work` in one transaction: commits when it resolves, rolls back when it rejects. When the connection breaks
   * during commit, the outcome is unknown; the error is SERVICE_UNAVAILABLE then, too.
   */
  async transaction<T>(work: (tx: Tx) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    const signals = new Set<string>();
    const result = await this.#admission.run(() =>
      this.#withClient(async (client) => {
        const tx = new Transaction(client, this.#statementTimeoutMs, options);
        const value = await inTransaction(tx, work);
        for (const topic of tx.signals) signals.add(topic);
        if (tx.hasWritten) this.activity.note();
        return value;
      }),
    );
    for (const topic of signals) this.signal(topic);
    return result;
  }

  /**
   * Runs one statement that reads, under a setting of Postgres that ends with it, such as `plan_cache_mode = force_generic_plan`.
   * All of its transaction is sent at once: one journey to Postgres instead of four.
   */
  async readWith<R extends object>(setting: string, statement: Statement): Promise<QueryResult<R>> {
    const read = async (client: pg.ClientBase): Promise<QueryResult<R>> => {
      const send = <Row extends object>(one: string | Statement) =>
        run<Row>(client, one, undefined, this.#statementTimeoutMs);
      const begun = [send('begin read only'), send(`set local ${setting}`)];
      const result = send<R>(statement);
      await settled([...begun, result, send('commit')]);
      return result;
    };
    return this.#admission.run(() => this.#withClient(read));
  }

  /** Wakes the listeners of `topic` in this process. */
  signal(topic: string): void {
    for (const listener of this.#listeners.get(topic) ?? []) listener();
  }

  /**
   * Calls `listener` after each commit that signalled `topic` through this database. Returns a function that ends the
   * calls.
   */
  onSignal(topic: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => void listeners.delete(listener);
  }

  /** LISTEN; survives reconnects, after which `notified` is called once with an empty payload. */
  async listen(channel: string, notified: (payload: string) => void): Promise<Unlisten> {
    const notice = (payload: string): void => {
      this.activity.note();
      notified(payload);
    };
    return this.#translated(() => this.#session.listen(channel, notice));
  }

  /** Takes a lock that only one process holds, without waiting; undefined when another process has it. */
  async tryLock(name: string): Promise<Lock | undefined> {
    return this.#translated(() => this.#session.tryLock(name));
  }

  /** Holds a lock together with other processes until `end`; a process that wants it alone has to wait. */
  async hold(name: string): Promise<void> {
    await this.#translated(() => this.#session.hold(name));
  }

  /**
   * One connection for work that hangs on it, such as a lock or a statement outside of transactions. It is closed afterwards,
   * so that nothing of the work stays on it.
   */
  async alone<T>(work: (connection: Connection) => Promise<T>, timeoutMs: number): Promise<T> {
    return this.#translated(async () => {
      const client = await this.#connections.connect();
      try {
        await run(client, `set statement_timeout = ${Math.trunc(timeoutMs)}`, undefined, timeoutMs);
        return await work({
          query: (statement, values) => run(client, statement, values, timeoutMs),
          transaction: (own, options = {}) => inTransaction(new Transaction(client, timeoutMs, options), own),
        });
      } finally {
        client.release(true);
        this.activity.note();
      }
    });
  }

  /** Asks at once, whatever else waits: a busy service is not a sick one. */
  async ping(): Promise<void> {
    await this.atOnce.query('select 1');
  }

  /**
   * Opens half of the connections that there may be, and keeps so many from now on: to make one takes seconds on a busy machine.
   * A quiet process keeps two. Does not fail where Postgres is away; then the work makes them.
   */
  async open(): Promise<void> {
    const usual = Math.ceil((this.#pool.options.max ?? 1) / 2);
    await this.#connections.open(usual);
    let kept = usual;
    this.#resizing ??= setInterval(() => {
      const wanted = this.activity.isQuiet ? Math.min(keptWhenQuiet, usual) : usual;
      if (wanted === kept) return;
      kept = wanted;
      // A connection that cannot be made or closed is gone, and its error is logged by the pool.
      const resized = wanted < usual ? this.#connections.shrink(wanted) : this.#connections.open(wanted);
      resized.catch(() => undefined);
    }, resizeEveryMs).unref();
  }

  /** Such as `18.4`. */
  async serverVersion(): Promise<string | undefined> {
    const { rows } = await this.query<{ version: string }>(
      "select current_setting('server_version') as version",
    );
    return rows[0]?.version;
  }

  /** Lets background work begin like requests, because the process leaves: no work waits for a turn any more. */
  leave(): void {
    this.#admission.leave();
  }

  /** Waits for running statements and closes all connections; refuses background work that waits for its turn. */
  end(): Promise<void> {
    this.#endGauges();
    clearInterval(this.#resizing);
    this.#admission.stop();
    this.#ending ??= Promise.all([this.#session.end(), this.#pool.end()]).then(() => undefined);
    return this.#ending;
  }

  #statement<R extends object>(
    statement: string | Statement,
    values?: readonly unknown[],
  ): Promise<QueryResult<R> & { readonly command: string }> {
    return this.#withClient((client) => run<R>(client, statement, values, this.#statementTimeoutMs));
  }

  async #withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return this.#translated(async () => {
      const client = await this.#connections.connect();
      let broken = false;
      try {
        refuseLateRead();
        const result = await work(client);
        this.#isDown = false;
        return result;
      } catch (error) {
        broken = isConnectionBroken(error) || isRollbackFailed(error);
        throw error;
      } finally {
        client.release(broken);
      }
    });
  }

  async #translated<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw translateDatabaseError(error instanceof RollbackFailed ? error.cause : error);
    }
  }
}

/** The work failed and the connection could not even roll back: it must not go back to the pool. */
class RollbackFailed extends Error {
  override readonly name = 'RollbackFailed';
  constructor(
    reason: unknown,
    readonly rollbackError: unknown,
  ) {
    super('rollback failed', { cause: reason });
  }
}

const isRollbackFailed = (error: unknown): boolean => error instanceof RollbackFailed;

/** Connects on first use. */
export const createDatabase = (options: DatabaseOptions): Database => new Database(options);

/**
 * One connection for an administrator, such as the one that makes databases and roles. No request waits for it, so it
 * waits a minute where a service gives up after seconds.
 */
export const administer = (options: Pick<DatabaseOptions, 'url' | 'applicationName'>): Database =>
  new Database({ ...options, max: 1, connectTimeoutMs: 60_000, statementTimeoutMs: 60_000 });

/** True for the failure that a dependency is not there right now, as opposed to one that would happen again. */
export const isUnavailable = (error: unknown): boolean => error instanceof AppError && error.status === 503;
