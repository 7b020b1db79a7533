// Gives out the connections of a pool. The driver's pool ties work to the connection that it makes for it: on a busy machine that
// takes seconds, while others come free. Here work takes the first one, whether it was made or given back.
import type pg from 'pg';

interface Waiting {
  readonly resolve: (client: pg.PoolClient) => void;
  readonly reject: (error: unknown) => void;
  readonly limit: NodeJS.Timeout;
}

export interface ConnectionsOptions {
  /** Connections at most. */
  readonly max: number;
  /** Longest wait for one. */
  readonly timeoutMs: number;
}

/** No connection is made for so long after one could not be, as long as there are others. */
const pauseMs = 1_000;

export class Connections {
  readonly #pool: pg.Pool;
  readonly #options: ConnectionsOptions;
  /** Oldest first. */
  readonly #waiting: Waiting[] = [];
  /** Connections that are being made. */
  #coming = 0;
  #noneBefore = 0;

  constructor(pool: pg.Pool, options: ConnectionsOptions) {
    this.#pool = pool;
    this.#options = options;
    // The pool tells before it counts the connection as idle, or forgets it.
    pool.on('release', () => queueMicrotask(() => this.#serve()));
  }

  get totalCount(): number {
    return this.#pool.totalCount;
  }

  get idleCount(): number {
    return this.#pool.idleCount;
  }

  /** Works that wait for a connection. */
  get waitingCount(): number {
    return this.#waiting.length;
  }

  /**
   * The caller gives it back with `release`.
   * @throws Error when none is free in time, or none could be made and there is no other
   */
  connect(): Promise<pg.PoolClient> {
    if (this.#waiting.length === 0 && this.#hasFree()) return this.#pool.connect();
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        reject(new Error('timeout exceeded when trying to connect'));
      }, this.#options.timeoutMs);
      const waiting: Waiting = { resolve, reject, limit };
      this.#waiting.push(waiting);
      this.#serve();
    });
  }

  /** Makes connections until there are so many, and keeps so many from now on. Does not fail where none can be made. */
  async open(count: number): Promise<void> {
    this.#pool.options.min = count;
    // The pool gives out the idle ones first.
    const asked = Math.max(0, count - this.totalCount + this.idleCount);
    await Promise.all(Array.from({ length: asked }, () => this.#make()));
  }

  /** Closes idle connections down to so many, and keeps so many from now on. Work still opens as many as it needs. */
  async shrink(count: number): Promise<void> {
    this.#pool.options.min = count;
    const surplus = Math.min(this.#pool.idleCount - this.#pool.waitingCount, this.totalCount - count);
    const taken = await Promise.all(Array.from({ length: Math.max(0, surplus) }, () => this.#pool.connect()));
    for (const client of taken) client.release(true);
  }

  #serve(): void {
    while (this.#hasFree()) {
      const next = this.#next();
      if (next === undefined) return;
      this.#pool.connect().then(next.resolve, next.reject);
    }
    if (performance.now() < this.#noneBefore && this.#hasSome()) return;
    while (this.#coming < this.#waiting.length && this.totalCount < this.#options.max) void this.#make();
  }

  /** Connections that the pool is about to give out still count as idle. */
  #hasFree(): boolean {
    return this.#pool.idleCount > this.#pool.waitingCount;
  }

  #hasSome(): boolean {
    return this.totalCount > this.#coming;
  }

  /** Never fails: work hears of a connection that could not be made where there is no other. */
  async #make(): Promise<void> {
    this.#coming += 1;
    try {
      const client = await this.#pool.connect();
      this.#coming -= 1;
      const next = this.#next();
      if (next === undefined) client.release();
      else next.resolve(client);
    } catch (error) {
      this.#coming -= 1;
      this.#noneBefore = performance.now() + pauseMs;
      if (this.#hasSome()) return;
      this.#next()?.reject(error);
      this.#serve();
    }
  }

  #next(): Waiting | undefined {
    const next = this.#waiting.shift();
    if (next !== undefined) clearTimeout(next.limit);
    return next;
  }
}
