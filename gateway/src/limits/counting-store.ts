// Postgres as counting needs it: the wait is short, and after a failure Postgres is left alone for a while. A limiter
// in memory counts meanwhile, because the request's own work may still be possible.
import { AppError } from '@parlance/errors';
import type { QueryResult, Statement, Tx } from '@parlance/postgres';

const limitMs = 1_000;
const pauseMs = 2_000;

const away = (): AppError => new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });

/** @throws AppError SERVICE_UNAVAILABLE when the time is up */
const withinLimit = async <T>(work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(away()), limitMs);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
};

export class CountingStore {
  readonly #db: Tx;
  readonly #now: () => number;
  #awayUntil = 0;

  constructor(db: Tx, now: () => number = () => Date.now()) {
    this.#db = db;
    this.#now = now;
  }

  /** @throws AppError SERVICE_UNAVAILABLE within a second, or the error of the database */
  async query(statement: Statement): Promise<QueryResult<Record<string, unknown>>> {
    if (this.#now() < this.#awayUntil) throw away();
    try {
      return await withinLimit(this.#db.query(statement));
    } catch (error) {
      this.#awayUntil = this.#now() + pauseMs;
      throw error;
    }
  }
}
