// A new form of a stored value, such as a sealed one, which processes of earlier releases cannot read. A process that reads both forms
// has a lock that says so beside the lock of its release, so the new form is written once every process on the schema reads it.
import type { Database } from './database.js';
import { releaseLock } from './migration-locks.js';
import { releases } from './releases.js';
import type { Tx } from './tx.js';

export interface StoredFormOptions {
  /** Names the form within the schema. */
  readonly name: string;
  /** Milliseconds for which an answer holds (five seconds). */
  readonly cachedMs?: number;
}

const defaultCachedMs = 5_000;

/** The keys of advisory locks, as `Session` makes them of names. */
const keysOf = (names: string): string =>
  `select hashtextextended(current_schema() || ':' || name, 0) from unnest(${names}::text[]) name`;

/** A process that has the lock of a release and not that of the form. */
const processWithoutForm = `
  with held as (
    select pid, classid::bigint << 32 | objid::bigint as key from pg_locks
    where locktype = 'advisory' and granted and objsubid = 1
      and database = (select oid from pg_database where datname = current_database()))
  select 1 from held of_release
  where of_release.key in (${keysOf('$1')})
    and not exists (
      select 1 from held of_form where of_form.pid = of_release.pid and of_form.key in (${keysOf('array[$2]')}))
  limit 1`;

export class StoredForm {
  readonly #lock: string;
  readonly #cachedMs: number;
  #isReadByAll = false;
  #askedAt = Number.NEGATIVE_INFINITY;

  private constructor({ name, cachedMs = defaultCachedMs }: StoredFormOptions) {
    this.#lock = `reads:${name}`;
    this.#cachedMs = cachedMs;
  }

  /** Call this after `migrate`, before the process reads or writes a value of the form. */
  static async read(db: Database, options: StoredFormOptions): Promise<StoredForm> {
    const form = new StoredForm(options);
    await db.hold(form.#lock);
    return form;
  }

  /**
   * Whether every process on the schema reads the form. A process that starts later and does not read it meets values that it cannot
   * read, as after a rollback.
   */
  async isReadByAll(tx: Pick<Tx, 'query'>): Promise<boolean> {
    const now = performance.now();
    if (now - this.#askedAt < this.#cachedMs) return this.#isReadByAll;
    const locks = releases.map((_, place) => releaseLock(place));
    const { rows } = await tx.query({
      name: 'process_without_form',
      text: processWithoutForm,
      values: [locks, this.#lock],
    });
    this.#askedAt = now;
    this.#isReadByAll = rows.length === 0;
    return this.#isReadByAll;
  }
}
