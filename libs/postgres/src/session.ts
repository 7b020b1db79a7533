// One connection outside the pool for notifications and locks, which belong to a connection and outlive a query.
import pg from 'pg';
import { isConnectionBroken } from './database-errors.js';

export type Unlisten = () => Promise<void>;

/** A lock that one process in the world holds. */
export interface Lock {
  /** Aborted when the connection that held it is gone, and with it the lock. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

type Notified = (payload: string) => void;

const lockKey = `hashtextextended(current_schema() || ':' || $1, 0)`;
const takeShared = `select pg_advisory_lock_shared(${lockKey})`;

export class Session {
  readonly #config: pg.ClientConfig;
  readonly #listeners = new Map<string, Set<Notified>>();
  readonly #locks = new Map<string, AbortController>();
  /** Locks that are shared, and taken again with each new connection. */
  readonly #held = new Set<string>();
  #connection: Promise<pg.Client> | undefined;
  #reconnecting: NodeJS.Timeout | undefined;
  #ended = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(config: pg.ClientConfig) {
    this.#config = config;
  }

  /** Calls `notified` for every notification, and with an empty payload after a gap in which some may be lost. */
  async listen(channel: string, notified: Notified): Promise<Unlisten> {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(notified));
    try {
      const client = await this.#client();
      await this.#ask(client, `listen ${pg.escapeIdentifier(channel)}`);
    } catch (error) {
      listeners.delete(notified);
      throw error;
    }
    return async () => {
      listeners.delete(notified);
      if (listeners.size > 0 || this.#ended) return;
      this.#listeners.delete(channel);
      const client = await this.#connection?.catch(() => undefined);
      if (client) await this.#ask(client, `unlisten ${pg.escapeIdentifier(channel)}`).catch(() => undefined);
    };
  }

  /** Takes the lock if no process has it. Names are local to the schema. */
  async tryLock(name: string): Promise<Lock | undefined> {
    if (this.#locks.has(name)) return undefined;
    const lost = new AbortController();
    this.#locks.set(name, lost);
    try {
      const client = await this.#client();
      const { rows } = await this.#ask<{ taken: boolean }>(
        client,
        `select pg_try_advisory_lock(${lockKey}) as taken`,
        [name],
      );
      if (rows[0]?.taken === true && !lost.signal.aborted) {
        return { lost: lost.signal, release: () => this.#unlock(name, lost, client) };
      }
    } catch (error) {
      this.#locks.delete(name);
      throw error;
    }
    this.#locks.delete(name);
    return undefined;
  }

  /**
   * Holds a lock beside others until `end`, with a new connection wherever one is lost. Waits for a process that has it
   * alone.
   */
  async hold(name: string): Promise<void> {
    if (this.#held.has(name)) return;
    const client = await this.#client();
    await this.#ask(client, takeShared, [name]);
    this.#held.add(name);
  }

  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#reconnecting);
    const client = await this.#connection?.catch(() => undefined);
    await client?.end().catch(() => undefined);
  }

  async #unlock(name: string, lost: AbortController, client: pg.Client): Promise<void> {
    if (this.#locks.get(name) !== lost) return;
    try {
      // A connection that fails here is gone, and the lock with it.
      await this.#ask(client, `select pg_advisory_unlock(${lockKey})`, [name]).catch(() => undefined);
    } finally {
      if (this.#locks.get(name) === lost) this.#locks.delete(name);
    }
  }

  /** One statement at a time: the driver refuses a second one beside the first from its next version on. */
  #ask<R extends pg.QueryResultRow>(
    client: pg.Client,
    text: string,
    values: readonly unknown[] = [],
  ): Promise<pg.QueryResult<R>> {
    const asked = this.#turn.then(() => client.query<R>(text, [...values]));
    this.#turn = asked.catch((error: unknown) => {
      // A silent server breaks the connection too: the locks of this connection may be lost.
      if (isConnectionBroken(error)) client.end().catch(() => undefined);
    });
    return asked;
  }

  #client(): Promise<pg.Client> {
    if (this.#ended) return Promise.reject(new Error('Connection terminated'));
    this.#connection ??= this.#connect();
    return this.#connection;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#config);
    let isGone = false;
    const gone = (): void => {
      if (isGone) return;
      isGone = true;
      this.#lost();
    };
    client.on('error', gone);
    client.on('end', gone);
    client.on('notification', ({ channel, payload }) => this.#notify(channel, payload ?? ''));
    try {
      await client.connect();
      for (const channel of this.#listeners.keys())
        await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      for (const name of this.#held) await client.query(takeShared, [name]);
      return client;
    } catch (error) {
      gone();
      client.end().catch(() => undefined);
      throw error;
    }
  }

  #notify(channel: string, payload: string): void {
    for (const notified of this.#listeners.get(channel) ?? []) notified(payload);
  }

  #lost(): void {
    this.#connection = undefined;
    this.#turn = Promise.resolve();
    for (const lock of this.#locks.values()) lock.abort();
    this.#locks.clear();
    if (!this.#ended && this.#listeners.size + this.#held.size > 0) this.#reconnectSoon();
  }

  #reconnectSoon(): void {
    clearTimeout(this.#reconnecting);
    this.#reconnecting = setTimeout(() => {
      this.#client().then(
        () => {
          for (const channel of this.#listeners.keys()) this.#notify(channel, '');
        },
        () => undefined, // a failed connection has already scheduled the next try
      );
    }, 1_000);
    this.#reconnecting.unref();
  }
}
