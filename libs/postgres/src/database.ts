// Postgres for one service: a pool that recovers by itself, transactions, and failures that callers can act on.
import type { Secret } from '@parlance/config';
import { AppError } from '@parlance/errors';
import { Activity, type Logger } from '@parlance/observability';
import pg from 'pg';
import { Admission, refuseLateRead } from './admission.js';
import { Connections } from './connections.js';
import { isConnectionBroken, translateDatabaseError } from './database-errors.js';
import { observePool } from './pool-gauges.js';
import { type Lock, Session, type Unlisten } from './session.js';
import { startOptions } from './start-options.js';
import {
  hasWritten,
  inTransaction,
  isRollbackFailed,
  RollbackFailed,
  runStatement,
  settled,
  silenceMs,
  Transaction,
  type TransactionOptions,
} from './transaction.js';
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

const defaultStatementTimeoutMs = 5_000;
const defaultConnectTimeoutMs = 2_000;
const defaultIdleTimeoutMs = 30_000;
const resizeEveryMs = 10_000;
// Two rounds often meet, and a connection costs both sides some ms of processor time.
const keptWhenQuiet = 2;
/** Background work waits longer for its turn than a request for a connection: only an outage should end it. */
const turnsPerConnectTimeout = 5;

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
        runStatement<Row>(client, one, undefined, this.#statementTimeoutMs);
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
        await runStatement(client, `set statement_timeout = ${Math.trunc(timeoutMs)}`, undefined, timeoutMs);
        return await work({
          query: (statement, values) => runStatement(client, statement, values, timeoutMs),
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
    return this.#withClient((client) => runStatement<R>(client, statement, values, this.#statementTimeoutMs));
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
